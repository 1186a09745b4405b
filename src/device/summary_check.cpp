#include "device/summary_check.hpp"

#include "device/each_of.hpp"

#include <knossos/core/random.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace knossos::device {

namespace {

constexpr auto least_value = std::numeric_limits<std::int32_t>::min();
constexpr auto largest_value = std::numeric_limits<std::int32_t>::max();

Stream stream_of_number(std::uint32_t slot) { return Streams{2024}.at(Purpose::study, 0, slot); }

// Children of islands, as `evaluate_all` leaves them.
struct Children {
    std::size_t islands;
    std::size_t population;
    std::size_t children; // of each island
    std::size_t groups;   // likewise
    std::vector<std::int32_t> fitness{};
    std::vector<std::uint32_t> parents{};
    std::vector<std::int32_t> values{};
    std::vector<std::uint8_t> evaluated{};

    [[nodiscard]] std::size_t all_parents() const { return children + children % 2; }

    // Squares are small enough to be added up, but for one child of each group, who is above or below all.
    void draw() {
        constexpr std::int32_t range = 1 << 22U;
        Stream stream = stream_of_number(narrow(children));
        const auto value = [&] { return static_cast<std::int32_t>(stream.below(2 * range)) - range; };
        fitness.resize(islands * population);
        parents.resize(islands * all_parents());
        values.resize(islands * children);
        evaluated.resize(values.size());
        for (auto& one : fitness) one = value();
        for (auto& one : parents) one = stream.below(narrow(population));
        for (auto& one : values) one = value();
        for (auto& one : evaluated) one = stream.below(8) != 0 ? 1 : 0;
        for (std::size_t island = 0; island < islands; ++island)
            for (std::size_t group = 0; group < groups; ++group) {
                const std::size_t child = group * summary_group + group % summary_group;
                if (child < children)
                    values[island * children + child] = group % 2 == 0 ? largest_value : least_value;
            }
    }

    // What `summarise` has to say, in a plain loop.
    [[nodiscard]] std::vector<std::int64_t> summary(bool is_minimised) const {
        std::vector<std::int64_t> all;
        for (std::size_t i = 0; i < islands * groups; ++i)
            all.insert(all.end(),
                       {largest_value, least_value, 0, 0, 0, is_minimised ? largest_value : least_value, 0});
        for (std::size_t island = 0; island < islands; ++island)
            for (std::size_t i = 0; i < all_parents(); ++i) {
                const std::size_t group = island * groups + i / summary_group % groups;
                std::int64_t* const its = all.data() + group * summary_numbers;
                its[6] += fitness[island * population + parents[island * all_parents() + i]];
                if (i >= children) continue;
                const std::int64_t value = values[island * children + i];
                its[0] = std::min(its[0], value);
                its[1] = std::max(its[1], value);
                its[2] += value;
                its[3] += value * value;
                if (evaluated[island * children + i] == 0) continue;
                ++its[4];
                its[5] = is_minimised ? std::min(its[5], value) : std::max(its[5], value);
            }
        return all;
    }
};

bool summarises(const Queue& queue, Kernel& kernel, const Children& its, bool is_minimised) {
    const std::vector<std::int64_t> expected = its.summary(is_minimised);
    const Buffer values = queue.make_buffer_of(its.values);
    const Buffer evaluated = queue.make_buffer_of(its.evaluated);
    const Buffer parents = queue.make_buffer_of(its.parents);
    const Buffer fitness = queue.make_buffer_of(its.fitness);
    const Buffer out = queue.make_buffer(expected.size() * sizeof(std::int64_t));
    queue.run(kernel.with(values, evaluated, parents, fitness, narrow(its.population), narrow(its.children),
                          narrow(its.groups), out),
              its.islands * its.groups * summary_group, summary_group);
    std::vector<std::int64_t> found(expected.size());
    queue.read_into(out, std::span{found});
    return found == expected;
}

// Of most bars half of the children are better, of some everybody or nobody; then there is room for half of
// them.
bool finds_better(const Queue& queue, Kernel& kernel, const Children& its, bool is_minimised) {
    std::vector<std::int32_t> bars;
    for (std::size_t island = 0; island < its.islands; ++island)
        bars.push_back(island % 4 == 2   ? least_value
                       : island % 4 == 3 ? largest_value
                                         : its.values[island * its.children + its.children / 2]);
    using Found = std::array<std::uint32_t, 2>;
    std::vector<Found> expected;
    for (std::size_t i = 0; i < its.values.size(); ++i) {
        const std::int32_t bar = bars[i / its.children];
        const bool is_better = is_minimised ? its.values[i] < bar : its.values[i] > bar;
        if (its.evaluated[i] != 0 && is_better)
            expected.push_back({narrow(i), static_cast<std::uint32_t>(its.values[i])});
    }
    const std::size_t count = expected.size();
    const Buffer values = queue.make_buffer_of(its.values);
    const Buffer evaluated = queue.make_buffer_of(its.evaluated);
    const Buffer bars_there = queue.make_buffer_of(bars);
    for (const std::size_t room : {count, count / 2}) {
        std::vector<std::uint32_t> said(1 + 2 * count, 0);
        const Buffer out = queue.make_buffer_of(said);
        queue.run(kernel.with(values, evaluated, narrow(its.islands), narrow(its.children), bars_there,
                              narrow(room), out),
                  its.values.size());
        queue.read_into(out, std::span{said});
        if (said.front() != count) return false;
        std::vector<Found> found;
        for (std::size_t k = 0; k < count; ++k) {
            const Found one{said[1 + 2 * k], said[2 + 2 * k]};
            if (k < room) found.push_back(one);
            if (k >= room && one != Found{}) return false;
        }
        std::ranges::sort(found);
        if (!std::ranges::includes(expected, found) || (room == count && found != expected)) return false;
    }
    return true;
}

// Words of which few bits differ, all of them, none, or about a half.
std::vector<std::uint32_t> some_words(std::size_t count) {
    Stream stream = stream_of_number(1);
    std::vector<std::uint32_t> words(count);
    for (auto& word : words) {
        const std::uint32_t kind = stream.below(4);
        word = kind == 0   ? 0
               : kind == 1 ? ~std::uint32_t{0}
               : kind == 2 ? std::uint32_t{1} << stream.below(32)
                           : stream.next32();
    }
    return words;
}

std::uint32_t differing_genes(std::uint32_t one, std::uint32_t other, bool is_permutation) {
    const std::uint32_t apart = one ^ other;
    if (!is_permutation) return static_cast<std::uint32_t>(std::popcount(apart));
    std::uint32_t genes = 0;
    for (std::uint32_t shift = 0; shift < 32; shift += 8) genes += (apart >> shift & 0xFFU) != 0 ? 1U : 0U;
    return genes;
}

bool samples(const Queue& queue, Kernel& kernel, const Variation& variation) {
    constexpr std::size_t population = 52;
    constexpr std::uint32_t pairs = 8;
    constexpr std::uint64_t generation = 0x1'0000'0007;
    constexpr std::size_t most_bytes = std::size_t{1} << 22U; // of genomes: they have to be drawn
    const std::size_t words = variation.genome_bytes / sizeof(std::uint32_t);
    const std::size_t islands =
        std::clamp<std::size_t>(most_bytes / (population * variation.genome_bytes), 2, 320);
    const std::vector<std::uint32_t> rows = some_words(islands * population * words);
    std::vector<StreamKey> keys;
    std::vector<std::uint64_t> expected;
    for (std::size_t island = 0; island < islands; ++island) {
        const PhiloxKey key = Streams{island}.key(Purpose::diversity);
        keys.push_back({key[0], key[1]});
        Stream stream{key, generation, 0};
        std::uint64_t differing = 0;
        for (std::uint32_t pair = 0; pair < pairs; ++pair) {
            const std::uint32_t one = stream.below(narrow(population));
            std::uint32_t other = stream.below(narrow(population - 1));
            other += other >= one ? 1U : 0U;
            const std::uint32_t* const first = rows.data() + (island * population + one) * words;
            const std::uint32_t* const second = rows.data() + (island * population + other) * words;
            for (std::size_t word = 0; word < words; ++word)
                differing += differing_genes(first[word], second[word], variation.is_permutation);
        }
        expected.push_back(differing);
    }
    const Buffer rows_there = queue.make_buffer_of(rows);
    const Buffer keys_there = queue.make_buffer_of(keys);
    const Buffer out = queue.make_buffer(islands * sizeof(std::uint64_t));
    queue.run(kernel.with(rows_there, narrow(islands), narrow(population), pairs, narrow(generation),
                          narrow(generation >> 32U), keys_there, out),
              islands);
    std::vector<std::uint64_t> found(islands);
    queue.read_into(out, std::span{found});
    return found == expected;
}

} // namespace

std::string_view wrong_summary(const Queue& queue, const Variation& variation, Kernel& summing,
                               Kernel& finding, Kernel* sampling) {
    // One island of many groups, and many of one, as runs have them; a third pass for some of the lanes.
    constexpr std::size_t groups = most_summary_groups;
    std::array<Children, 2> both{
        Children{.islands = 1,
                 .population = 20'001,
                 .children = 2 * groups * summary_group + 4'777,
                 .groups = groups},
        Children{.islands = 40, .population = 77, .children = 2 * summary_group + 35, .groups = 1}};
    for (Children& one : both) {
        one.draw();
        if (!summarises(queue, summing, one, variation.is_minimised)) return "summarise";
        if (!finds_better(queue, finding, one, variation.is_minimised)) return "find_better";
    }
    if (sampling != nullptr && !samples(queue, *sampling, variation)) return "sample";
    return {};
}

} // namespace knossos::device
