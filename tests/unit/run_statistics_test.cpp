// Moments of the fitness, in one island and over several.
#include "run_support.hpp"

#include <knossos/run/status.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

// However many there are and wherever it stands: values are looked at several at once.
TEST(Moments, SeeTheOneThatIsNotWholeAndTheEndsOfTheRange) {
    Stream stream = stream_for(3);
    for (std::size_t size = 1; size <= 40; ++size) {
        std::vector<double> values = random_values(stream, 100, -50.0);
        values.resize(size, 7.0);
        std::int64_t sum = 0;
        std::int64_t squares = 0;
        for (const double value : values) {
            sum += static_cast<std::int64_t>(value);
            squares += static_cast<std::int64_t>(value * value);
        }
        const Moments all = moments(values, whole);
        ASSERT_EQ(all.whole, 1U);
        EXPECT_EQ(static_cast<std::int64_t>(all.sum), sum);
        EXPECT_EQ(static_cast<std::int64_t>(all.sum_of_squares), squares);
        EXPECT_EQ(all.best.fitness, *std::ranges::min_element(values));
        EXPECT_EQ(all.worst.fitness, *std::ranges::max_element(values));
        for (std::size_t at = 0; at < size; ++at)
            for (const double other : {0.5, -1e-300, 3e9 + 0.25, std::numeric_limits<double>::infinity()}) {
                std::vector<double> changed = values;
                changed[at] = other;
                const Moments seen = moments(changed, whole);
                EXPECT_EQ(seen.whole, 0U) << other << " at " << at << " of " << size;
                EXPECT_EQ(seen.best.fitness, *std::ranges::min_element(changed));
                EXPECT_EQ(seen.worst.fitness, *std::ranges::max_element(changed));
            }
        std::vector<double> ends = values;
        ends.back() = -1e6;
        EXPECT_EQ(moments(ends, whole).best.fitness, -1e6);
        ends.back() = 1e6;
        EXPECT_EQ(moments(ends, whole).worst.fitness, 1e6);
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
