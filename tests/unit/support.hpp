#pragma once

#include "sanitized.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/genome.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

/// What several tests share: genomes to try things on, and yardsticks for distributions.
namespace knossos::test {

inline Stream stream_for(std::uint64_t seed, std::uint32_t slot = 0) {
    return Streams{seed, 7}.at(Purpose::study, 0, slot);
}

inline StageStreams stage_for(std::uint64_t seed, std::uint64_t generation = 0) {
    return {Streams{seed, 8}.key(Purpose::study), generation};
}

using GeneList = std::vector<std::uint32_t>;

/// A real gene stands for its bits: those of the tiniest are whole numbers, from 0 on, and other values are
/// told apart by what is left of theirs.
inline std::uint32_t gene_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return static_cast<std::uint32_t>(bits) ^ static_cast<std::uint32_t>(bits >> 32U) * 0x9E3779B1U;
}
inline std::uint32_t gene_of(std::unsigned_integral auto value) { return static_cast<std::uint32_t>(value); }

inline GeneList genes_of(const Space& space, const std::byte* genome) {
    return visit_genome(space, genome, [](auto view) {
        GeneList genes(view.size());
        for (std::size_t i = 0; i < view.size(); ++i) genes[i] = gene_of(view[i]);
        return genes;
    });
}

/// Whether the bits behind the last gene are zero, which equality of genomes relies on.
inline bool padding_is_clear(const Space& space, const std::byte* genome) {
    const std::size_t gene_bits = space.kind == GenomeKind::bits     ? 1
                                  : space.kind == GenomeKind::packed ? space.gene_bits()
                                                                     : std::size_t{space.gene_bytes} * 8;
    for (std::size_t bit = space.length * gene_bits; bit < space.genome_bytes() * 8; ++bit)
        if ((std::to_integer<unsigned>(genome[bit / 8]) >> bit % 8 & 1U) != 0) return false;
    return true;
}

/// One genome with memory of its own.
class Individual {
  public:
    explicit Individual(const Space& space) : space_{space}, words_(space.genome_bytes() / 8) {}
    Individual(const Space& space, Stream& stream) : Individual{space} { randomise(stream, space, bytes()); }
    Individual(const Space& space, const GeneList& genes) : Individual{space} {
        visit_genome(space, bytes(), [&](auto view) {
            for (std::size_t i = 0; i < genes.size(); ++i) {
                if constexpr (requires { view.set(i, genes[i]); })
                    view.set(i, genes[i] != 0 && std::same_as<decltype(view), Bits> ? 1U : genes[i]);
                else if constexpr (std::same_as<decltype(view), Reals>)
                    view[i] = std::bit_cast<double>(std::uint64_t{genes[i]});
                else
                    view[i] = static_cast<std::remove_reference_t<decltype(view[i])>>(genes[i]);
            }
        });
    }

    [[nodiscard]] const Space& space() const { return space_; }
    [[nodiscard]] std::byte* bytes() { return reinterpret_cast<std::byte*>(words_.data()); }
    [[nodiscard]] const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(words_.data()); }
    [[nodiscard]] GeneList genes() const { return genes_of(space_, bytes()); }
    [[nodiscard]] bool valid() const {
        return is_valid(space_, bytes()) && padding_is_clear(space_, bytes());
    }
    friend bool operator==(const Individual& a, const Individual& b) { return a.words_ == b.words_; }

  private:
    Space space_;
    std::vector<std::uint64_t> words_;
};

inline constexpr std::size_t lengths[] = {1, 2, 3, 7, 8, 63, 64, 65, 100, 1000};

inline std::vector<Space> site_spaces(std::size_t length) {
    return {Space::bits(length),           Space::packed(length, 3),        Space::packed(length, 4),
            Space::packed(length, 100),    Space::packed(length, 1U << 17), Space::integers(length, 1),
            Space::integers(length, 2),    Space::integers(length, 256),    Space::integers(length, 257),
            Space::integers(length, 65537)};
}

/// Permutations in every width that can hold them.
inline std::vector<Space> permutation_spaces(std::size_t length) {
    std::vector<Space> spaces;
    for (Space space = Space::permutation(length); space.gene_bytes <= 4; space.gene_bytes *= 2)
        spaces.push_back(space);
    return spaces;
}

/// Reals within bounds of their own: some wide, some fixed, and one whose sums are rounded.
inline Space reals_within_own_bounds(std::size_t length) {
    constexpr Bounds some[] = {{-5.12, 5.12}, {0.0, 1.0}, {3.0, 3.0}, {-1e6, 1e-6}, {0.1, 0.3}};
    std::vector<Bounds> bounds;
    for (std::size_t i = 0; i < length; ++i) bounds.push_back(some[i % std::size(some)]);
    return Space::reals(std::move(bounds));
}

/// Every kind and width but reals, of one length.
inline std::vector<Space> all_spaces(std::size_t length) {
    std::vector<Space> spaces = site_spaces(length);
    for (const std::size_t ones : {std::size_t{1}, length / 3, length / 2, length - 1, length})
        spaces.push_back(Space::bits_with_ones(length, ones));
    for (const Space& space : permutation_spaces(length)) spaces.push_back(space);
    return spaces;
}

/// Calls check(space, seed) for every length, every one of its spaces and several seeds, fewer for the long.
template <class Spaces, class Check>
void for_each_case(Spaces spaces, Check check) {
    for (const std::size_t length : lengths) {
        for (const Space& space : spaces(length)) {
            SCOPED_TRACE(describe(space) + ", genes of " + std::to_string(space.gene_bytes) + " bytes");
            const std::uint64_t seeds = length < 100 ? 40 : 8;
            for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                check(space, seed);
                if (testing::Test::HasFailure()) {
                    ADD_FAILURE() << "first seed that fails: " << seed;
                    return;
                }
            }
        }
    }
}

/// Pearson's statistic of observed counts against expected ones; cells that expect nothing must be empty.
inline double chi_square(std::span<const std::uint64_t> observed, std::span<const double> expected) {
    double statistic = 0.0;
    for (std::size_t i = 0; i < observed.size(); ++i) {
        const double difference = static_cast<double>(observed[i]) - expected[i];
        if (expected[i] > 0.0)
            statistic += difference * difference / expected[i];
        else if (observed[i] != 0)
            return INFINITY;
    }
    return statistic;
}

/// What the statistic exceeds about once in three million right samples (five standard deviations), by E. B.
/// Wilson and M. M. Hilferty's approximation.
inline double chi_square_limit(std::size_t cells) {
    const double freedom = static_cast<double>(cells > 1 ? cells - 1 : 1);
    const double root = 1.0 - 2.0 / (9.0 * freedom) + 5.0 * std::sqrt(2.0 / (9.0 * freedom));
    return freedom * root * root * root;
}

inline void expect_shares(std::span<const std::uint64_t> observed, std::span<const double> shares) {
    double total = 0.0;
    double sum = 0.0;
    for (const std::uint64_t count : observed) total += static_cast<double>(count);
    for (const double share : shares) sum += share;
    std::vector<double> expected;
    for (const double share : shares) expected.push_back(share / sum * total);
    EXPECT_LT(chi_square(observed, expected), chi_square_limit(observed.size()));
}

inline void expect_uniform(std::span<const std::uint64_t> observed) {
    expect_shares(observed, std::vector<double>(observed.size(), 1.0));
}

/// Whether a rate seen in so many trials is within five standard deviations of a probability.
inline void expect_rate(std::uint64_t hits, std::uint64_t trials, double probability) {
    const double mean = static_cast<double>(trials) * probability;
    const double deviation = std::sqrt(mean * (1.0 - probability));
    EXPECT_NEAR(static_cast<double>(hits), mean, 5.0 * deviation + 1.0e-9);
}

/// The message with which the call is refused; fails the test if it isn't.
template <class Refused = InvalidInput, class Call>
std::string message_of(Call call) {
    try {
        call();
    } catch (const Refused& error) {
        return error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "refused with the wrong kind of error: " << error.what();
        return error.what();
    }
    ADD_FAILURE() << "was not refused";
    return {};
}

inline void expect_mentions(const std::string& message, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        EXPECT_NE(message.find(word), std::string::npos) << '"' << message << "\" does not say " << word;
}

inline std::size_t threads_listed() {
    const std::filesystem::directory_iterator tasks{"/proc/self/task"};
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Waits until this process has no more threads than `expected` and tells how many there are. A thread that
/// was joined is still listed for a moment: the kernel wakes who joins it before it takes it off the list.
inline std::size_t threads_left(std::size_t expected) {
    std::size_t threads = threads_listed();
    for (int look = 0; look < 100'000 && threads > expected; ++look, threads = threads_listed())
        std::this_thread::yield();
    return threads;
}

/// How many threads there are before a test that should leave none behind: drivers of devices keep theirs,
/// emulators have some of their own, and a sanitizer starts one beside the first other.
inline std::size_t threads_before() {
    std::jthread{[] {}}.join();
    return threads_listed();
}

/// How many seeds to try where usually so many are: ten times as many with KNOSSOS_LONG=1; a tenth with
/// KNOSSOS_LONG=0, which is for builds that look for something else than wrong results, and take ten times as
/// long to run.
inline std::uint64_t seeds(std::uint64_t usual) {
    const char* const given = std::getenv("KNOSSOS_LONG");
    const std::string_view wish = given == nullptr ? "" : given;
    if (wish == "1") return 10 * usual;
    return wish == "0" ? (usual + 9) / 10 : usual;
}

} // namespace knossos::test
