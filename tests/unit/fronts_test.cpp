// Non-dominated sorting, crowding and fronts against their definitions.
#include "run_support.hpp"

#include <knossos/core/fronts.hpp>
#include <knossos/core/ranking.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace knossos::fronts_test {
namespace {

using test::infinity;
using test::stream_for;

// By everybody with everybody, as the definitions say it.
struct Twin {
    const Points& points;

    [[nodiscard]] double violation(std::size_t i) const {
        return points.violations.empty() ? 0.0 : points.violations[i];
    }
    [[nodiscard]] bool dominates(std::size_t a, std::size_t b) const {
        if (violation(a) != violation(b)) return violation(a) < violation(b);
        if (violation(a) > 0.0) return false;
        bool is_better = false;
        for (std::size_t o = 0; o < points.objectives; ++o) {
            if (points.of(o)[a] > points.of(o)[b]) return false;
            is_better = is_better || points.of(o)[a] < points.of(o)[b];
        }
        return is_better;
    }
    [[nodiscard]] std::vector<std::uint32_t> ranks() const {
        constexpr std::uint32_t none = ~0U;
        std::vector<std::uint32_t> rank(points.size(), none);
        for (std::uint32_t front = 0; std::ranges::count(rank, none) > 0; ++front) {
            std::vector<std::size_t> members;
            for (std::size_t i = 0; i < rank.size(); ++i) {
                if (rank[i] != none) continue;
                bool is_beaten = false;
                for (std::size_t j = 0; j < rank.size() && !is_beaten; ++j)
                    is_beaten = rank[j] == none && dominates(j, i);
                if (!is_beaten) members.push_back(i);
            }
            for (const std::size_t i : members) rank[i] = front;
        }
        return rank;
    }
    [[nodiscard]] std::vector<double> distances(const std::vector<std::uint32_t>& ranks) const {
        std::vector<double> distance(ranks.size());
        for (std::uint32_t front = 0; front <= *std::ranges::max_element(ranks); ++front)
            for (std::size_t o = 0; o < points.objectives; ++o) {
                std::vector<std::size_t> members;
                for (std::size_t i = 0; i < ranks.size(); ++i)
                    if (ranks[i] == front) members.push_back(i);
                const auto values = points.of(o);
                std::ranges::stable_sort(members, {}, [&](std::size_t i) { return values[i]; });
                distance[members.front()] = distance[members.back()] = infinity;
                const double range = values[members.back()] - values[members.front()];
                if (!(range > 0.0) || !std::isfinite(range)) continue;
                for (std::size_t i = 1; i + 1 < members.size(); ++i)
                    distance[members[i]] += (values[members[i + 1]] - values[members[i - 1]]) / range;
            }
        return distance;
    }
};

void expect_like_the_twin(const Points& points) {
    const Fronts fronts = sort_into_fronts(points);
    const Twin twin{points};
    const auto ranks = twin.ranks();
    ASSERT_EQ(fronts.ranks, ranks);
    ASSERT_EQ(fronts.distances, twin.distances(ranks));
}

enum class Shape { coarse, fine, chain, one_front, with_infinities };

Points random_points(Stream& stream, std::size_t count, std::size_t objectives, Shape shape) {
    Points points{.objectives = objectives};
    for (std::size_t o = 0; o < objectives; ++o)
        for (std::size_t i = 0; i < count; ++i) {
            double value = 0.0;
            switch (shape) {
            case Shape::coarse:
                value = stream.below(4) - 1.0;
                break; // many equals
            case Shape::fine:
                value = stream.real() - 0.5;
                break;
            case Shape::chain:
                value = static_cast<double>(i * 7 % count);
                break; // a front each
            case Shape::one_front:
                value = o + 1 < objectives ? stream.real() : 0.0;
                if (o + 1 == objectives)
                    for (std::size_t p = 0; p < o; ++p) value -= points.values[p * count + i];
                break;
            case Shape::with_infinities:
                value = stream.below(3) == 0 ? (stream.below(2) == 0 ? infinity : -infinity)
                                             : static_cast<double>(stream.below(5));
                break;
            }
            points.values.push_back(value == 0.0 && stream.below(2) == 0 ? -0.0 : value);
        }
    return points;
}

TEST(Fronts, AreThoseOfTheDefinition) {
    constexpr std::array shapes{Shape::coarse, Shape::fine, Shape::chain, Shape::one_front,
                                Shape::with_infinities};
    for (std::uint64_t seed = 0; seed < test::seeds(300); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Stream stream = stream_for(seed, 1);
        const std::size_t objectives = 2 + seed % 4;
        Points points = random_points(stream, 1 + stream.below(seed % 10 == 0 ? 150 : 40), objectives,
                                      shapes[seed / 4 % shapes.size()]);
        expect_like_the_twin(points);
        for (std::size_t i = 0; i < points.size(); ++i)
            points.violations.push_back(stream.below(2) == 0 ? 0.0 : stream.below(4) / 3.0);
        expect_like_the_twin(points);
        points.violations.assign(points.size(), 2.0);
        expect_like_the_twin(points);
        if (HasFatalFailure()) return;
    }
}

TEST(Fronts, OfNobodyAndOfOneAreNoTrouble) {
    EXPECT_TRUE(sort_into_fronts({.objectives = 2}).ranks.empty());
    const Fronts one = sort_into_fronts({.objectives = 3, .values = {1.0, 2.0, infinity}});
    EXPECT_EQ(one.ranks, std::vector<std::uint32_t>{0});
    EXPECT_EQ(one.distances, std::vector<double>{infinity});
}

// What stands in a front, as the definitions say it: everybody is compared with everybody.
struct Entry {
    std::vector<double> record{};
    int number = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
};

Entered enter_plainly(const Schema& schema, std::vector<Entry>& front, const Entry& entry, std::size_t most) {
    for (const Entry& other : front)
        if (same_objectives(schema, other.record, entry.record) ||
            dominates(schema, other.record, entry.record))
            return {};
    const auto dominated = std::erase_if(
        front, [&](const Entry& other) { return dominates(schema, entry.record, other.record); });
    const auto place = std::ranges::find_if(front, [&](const Entry& other) {
        return better(schema.objective(), schema.quality(entry.record), schema.quality(other.record));
    });
    const auto index = static_cast<std::size_t>(place - front.begin());
    front.insert(place, entry);
    if (front.size() <= most) return {true, true};
    Points points{.objectives = schema.objectives().size()};
    for (const std::size_t o : schema.objectives())
        for (const Entry& one : front)
            points.values.push_back(lower_is_better(schema.columns()[o], one.record[o]));
    const auto distance = Twin{points}.distances(std::vector<std::uint32_t>(front.size()));
    std::size_t leaving = front.size() < 2 ? 0 : 1;
    for (std::size_t i = leaving; i < front.size(); ++i)
        if (distance[i] < distance[leaving]) leaving = i;
    front.erase(front.begin() + static_cast<std::ptrdiff_t>(leaving));
    return {leaving != index, dominated > 0};
}

TEST(Fronts, LetInAndOutWhoTheDefinitionSays) {
    const std::array schemas{Schema{record(minimise("a"), maximise("b"))},
                             Schema{record(maximise("a"), minimise("b"), must_hold("x"))},
                             Schema{record(maximise("a"), minimise("b"), maximise("c"))},
                             Schema{record(must_hold("x"), minimise("a"), minimise("b"),
                                           descriptor("d", 0, 9), maximise("c"), minimise("e"))}};
    for (std::uint64_t seed = 0; seed < test::seeds(240); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Schema& schema = schemas[seed % schemas.size()];
        Stream stream = stream_for(seed, 2);
        const std::size_t most = 1 + stream.below(12);
        const bool is_coarse = stream.below(2) == 0;
        std::vector<Entry> kept;
        std::vector<Entry> expected;
        Front<Entry> front{schema, kept, most};
        for (int i = 0; i < 80; ++i) {
            Entry entry{.number = i};
            for (const Column& column : schema.columns()) {
                double value = is_coarse ? stream.below(5) : stream.real();
                if (column.role == Role::violation)
                    value = std::max(0.0, std::floor(4.0 - i / 10.0) * stream.below(2));
                entry.record.push_back(value);
            }
            const Entered plainly = enter_plainly(schema, expected, entry, most);
            const std::vector<double> its_record = entry.record;
            const Entered entered = front.enter(its_record, [&] { return entry; });
            ASSERT_EQ(entered.is_in, plainly.is_in);
            ASSERT_EQ(entered.is_progress, plainly.is_progress);
            ASSERT_EQ(kept, expected);
        }
        // One after the other, each from what is there, is the same.
        std::vector<Entry> one_by_one;
        for (const Entry& entry : expected) enter_front(schema, one_by_one, entry, most);
        ASSERT_EQ(one_by_one, expected);
    }
}

} // namespace
} // namespace knossos::fronts_test
