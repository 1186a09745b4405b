#include "support.hpp"

#include <knossos/maze/possible.hpp>
#include <knossos/maze/problem.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <set>

namespace knossos::maze::possible_test {
namespace {

using test::expect_mentions;
using test::message_of;

std::string said_of(const std::string& goal, std::vector<std::string> more = {}) {
    more.push_back("problem.goal=\"" + goal + "\"");
    return message_of([&] { Recipe::load("maze-direct", more); });
}

TEST(ImpossibleWishes, AreRefusedWithTheReason) {
    expect_mentions(said_of("path 61"), {"problem.goal has 'exit_path 61', which no such maze can have",
                                         "every way from 0,0 to 19,19 has an even number of steps"});
    expect_mentions(said_of("tour 61", {"problem.checkpoints=auto:2"}),
                    {"'tour 61'", "even number of steps"});
    expect_mentions(said_of("path 61", {"problem.entrance=\"0,1\"", "problem.exit=\"19,18\""}),
                    {"has an even number of steps"});
    expect_mentions(said_of("path 60", {"problem.entrance=\"0,1\""}), {"has an odd number of steps"});
    expect_mentions(said_of("path 20..30"), {"of 20 × 20 cells it lies in 38..299"});
    expect_mentions(said_of("path 300..400"), {"38..299"});
    expect_mentions(said_of("open 500.."), {"39..400"});
    expect_mentions(said_of("density 0.95.."), {"it lies in 0..0.9025"});
    expect_mentions(said_of("squares 362"), {"0..361"});
    expect_mentions(said_of("rotation ..0.5", {"problem.symmetry=rotation"}), {"there it is always 1"});
    expect_mentions(message_of([] { Recipe::load("maze-chromatic", {"problem.goal=\"rock 30..\""}); }),
                    {"there it is always 0"});
    expect_mentions(said_of("tour ..90", {"problem.checkpoints=auto:13"}),
                    {"'tour ..90'", "up to 12 checkpoints, and there are 13"});
    expect_mentions(said_of("on-one-way 3..", {"problem.checkpoints=auto:2"}),
                    {"needs at least 3 checkpoints"});
    expect_mentions(said_of("path 10", {"problem.width=4", "problem.height=2",
                                        "problem.locks=\"\"\"\n??#?\n??#?\n\"\"\""}),
                    {"the locked rock leaves no way from the entrance to the exit"});
}

TEST(ImpossibleWishes, LeaveTheOthersAlone) {
    for (const char* const goal : {"path 60", "path 59..61", "path 38", "path 298", "density 0.9",
                                   "pockets 3..6", "maximise path, minimise density", "rotation 1"})
        EXPECT_NO_THROW(Recipe::load("maze-direct", {"problem.goal=\"" + std::string{goal} + "\""})) << goal;
}

Layout random_layout(std::uint64_t seed) {
    Stream stream = test::stream_for(seed, 4);
    Layout layout = Layout::of_size(2 + stream.below(7), 2 + stream.below(7));
    layout.entrance = {stream.below(layout.width), stream.below(layout.height)};
    if (stream.chance(0.3)) layout.symmetry = static_cast<Symmetry>(stream.below(5));
    for (std::uint32_t i = stream.below(4); i > 0; --i) {
        const Cell cell{stream.below(layout.width), stream.below(layout.height)};
        if (cell != layout.entrance && cell != layout.exit) layout.checkpoints.push_back(cell);
    }
    std::ranges::sort(layout.checkpoints);
    layout.checkpoints.erase(std::ranges::unique(layout.checkpoints).begin(), layout.checkpoints.end());
    return layout;
}

// Whatever a maze that can be walked through has must be possible.
template <class Representation>
void expect_nothing_found_is_called_impossible(bool walls) {
    std::size_t walked = 0;
    for (std::uint64_t seed = 0; seed < test::seeds(150); ++seed) {
        const Blueprint blueprint{random_layout(seed)};
        const MazeProblem<Representation> problem{Representation{blueprint}};
        Population population{problem.space(), 1};
        for (std::uint32_t i = 0; i < 8; ++i) {
            Stream stream = test::stream_for(seed, i);
            randomise(stream, population.space(), population.genome(0));
            if (std::same_as<Representation, Direct> && i > 0) { // sparser ones, which have ways
                const Bits bits = view_as<Bits>(population.space(), population.genome(0));
                for (std::size_t c = 0; c < bits.size(); ++c) bits.set(c, stream.chance(0.05 * i));
            }
            const Measures measures = measure(problem.level(population.genome(0)));
            if (measures.exit_path < 0) continue;
            ++walked;
            for (const MeasureInfo& row : measure_table()) {
                const double value = value_of(measures, row.measure);
                if (value < 0.0) continue; // no tour
                const Term term{.measure = row.measure, .aim = Aim::range, .low = value, .high = value};
                ASSERT_EQ(why_impossible(term, blueprint, walls), "")
                    << to_text(term) << "\n"
                    << to_text(problem.level(population.genome(0)));
            }
        }
    }
    EXPECT_GT(walked, test::seeds(150) / 2);
}

TEST(ImpossibleWishes, AreNeverWhatADirectMazeHas) {
    expect_nothing_found_is_called_impossible<Direct>(false);
}
TEST(ImpossibleWishes, AreNeverWhatAChromaticMazeHas) {
    expect_nothing_found_is_called_impossible<Chromatic>(true);
}

TEST(AimsInside, AreSpreadEvenlyOverTheRangesAndReadBack) {
    const std::vector<Term> terms =
        parse_terms("path 60..80, density 0.3..0.4 weight 2, loops 3, maximise culs, ends 5..");
    std::set<double> paths;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Stream stream = test::stream_for(seed);
        const std::vector<Term> aimed = aimed_inside(terms, stream);
        EXPECT_EQ(parse_terms(to_text(aimed)), aimed);
        ASSERT_TRUE(aimed[0].near && aimed[1].near);
        EXPECT_FALSE(aimed[2].near || aimed[3].near || aimed[4].near);
        EXPECT_TRUE(*aimed[0].near >= 60 && *aimed[0].near <= 80);
        EXPECT_TRUE(*aimed[1].near >= 0.3 && *aimed[1].near <= 0.4);
        paths.insert(*aimed[0].near);
    }
    EXPECT_EQ(paths.size(), 21U);
}

TEST(AimsInside, SteerTheSearchAndLeaveTheScoreAlone) {
    const Fitness fitness{.terms = parse_terms("path 60..80 near 72")};
    Measures measures;
    const auto missed = [&](std::int32_t path) {
        measures.exit_path = path;
        std::vector<double> values(fitness.columns(400).size());
        fitness.evaluate(measures, Record{values.data(), 1});
        EXPECT_EQ(values.back(), path < 60 ? 60.0 - path : 0.0);
        return values.front();
    };
    EXPECT_EQ(fitness.columns(400).front(), minimise("from the aims"));
    EXPECT_EQ(missed(72), 0.0);
    EXPECT_EQ(missed(73), 0.0);
    EXPECT_EQ(missed(50), 21.0 / 80.0);
    EXPECT_EQ(missed(60), 11.0 / 80.0);
    EXPECT_EQ(missed(80), 7.0 / 80.0);
    EXPECT_EQ(fitness.target(), 0.0);
    EXPECT_TRUE(fitness.score(measures).met());
    EXPECT_EQ(fitness.score(measures).violation, 0.0);
    const auto refused = [](std::string_view goal) { return message_of([&] { parse_terms(goal); }); };
    expect_mentions(refused("path 60..80 near 90"), {"goal:1:18", "90 is not in the range", "60..80"});
    expect_mentions(refused("path 60..80 near"), {"a number is missing after 'near'"});
    expect_mentions(refused("maximise path near 7"), {"'near' is not expected here"});
    expect_mentions(said_of("maximise path, loops 3..5 near 4"),
                    {"problem.goal has 'near'", "leaves that open"});
    expect_mentions(refused("path 60..80 near 70 near 71"), {"goal:1:21", "'near' is not expected here"});
    expect_mentions(refused("path 60..80 weight 2 weight 3"), {"goal:1:22", "'weight' is not expected here"});
}

} // namespace
} // namespace knossos::maze::possible_test
