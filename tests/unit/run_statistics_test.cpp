// Moments of the fitness, in one island and over several.
#include "run_support.hpp"

#include <knossos/run/status.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace knossos::run_statistics_test {
namespace {

using test::stream_for;

const Schema whole{record(minimise("count").in_whole_numbers())};
const Schema rounded{Objective::minimise};

Moments moments(const std::vector<double>& values, const Schema& schema) {
    Island island{Space::bits(8), values.size(), 0, 1, 0, 0};
    std::ranges::copy(values, island.current.fitness().begin());
    return moments_of(island, schema, 0);
}

// Cut into islands at random places, and added in the order of `backwards`.
Moments in_parts(const std::vector<double>& values, Stream& stream, bool backwards, const Schema& schema) {
    std::vector<Moments> parts;
    for (std::size_t begin = 0; begin < values.size();) {
        const std::size_t length = 1 + stream.below(static_cast<std::uint32_t>(values.size() - begin));
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
        parts.push_back(moments({first, first + static_cast<std::ptrdiff_t>(length)}, schema));
        begin += length;
    }
    if (backwards) std::ranges::reverse(parts);
    Moments total;
    for (const Moments& part : parts) total = merge(total, part, Objective::minimise);
    return total;
}

std::vector<double> random_values(Stream& stream, std::uint32_t below, double offset) {
    std::vector<double> values(1 + stream.below(300));
    for (double& value : values) value = static_cast<double>(stream.below(below)) + offset;
    return values;
}

TEST(Moments, OfWholeNumbersAreTheSameInAnyOrder) {
    constexpr std::uint32_t sizes[] = {3, 900, 1'000'000, 2'000'000'000};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = stream_for(seed);
        const auto values = random_values(stream, sizes[seed % 4], seed % 3 == 0 ? -500.0 : 0.0);
        const Moments straight = moments(values, whole);
        ASSERT_EQ(straight.whole, 1U);
        for (const bool backwards : {false, true}) {
            const Moments parts = in_parts(values, stream, backwards, whole);
            ASSERT_EQ(parts.mean, straight.mean);
            ASSERT_EQ(parts.squares, straight.squares);
        }
        // And right: the same sums in a wider type.
        long double sum = 0.0L;
        for (const double value : values) sum += value;
        const long double mean = sum / static_cast<long double>(values.size());
        long double squares = 0.0L;
        for (const double value : values) squares += (value - mean) * (value - mean);
        ASSERT_NEAR(straight.mean, static_cast<double>(mean), 1e-15 * std::abs(static_cast<double>(mean)));
        ASSERT_NEAR(straight.squares, static_cast<double>(squares),
                    1e-9 * (1.0 + static_cast<double>(squares)));
    }
}

TEST(Moments, OfWhatIsNotWholeAreRoundedInAFixedOrder) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Stream stream = stream_for(seed);
        auto values = random_values(stream, 1000, 0.0);
        const Moments exact = moments(values, whole);
        const Moments plain = moments(values, rounded);
        EXPECT_EQ(plain.whole, 0U);
        EXPECT_NEAR(plain.mean, exact.mean, 1e-12 * (1.0 + exact.mean));
        EXPECT_NEAR(plain.squares, exact.squares, 1e-9 * (1.0 + exact.squares));
        // A column that was said to be whole and is not, or is too large for exact sums.
        for (const double odd : {0.5, 1e10, test::infinity}) {
            values.back() = odd;
            const Moments as_said = moments(values, whole);
            const Moments as_is = moments(values, rounded);
            EXPECT_EQ(as_said.whole, 0U);
            EXPECT_EQ(as_said.mean, as_is.mean);
            EXPECT_TRUE(as_said.squares == as_is.squares || std::isnan(as_is.squares));
        }
    }
}

} // namespace
} // namespace knossos::run_statistics_test
