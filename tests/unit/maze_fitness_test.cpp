#include "maze_reference.hpp"
#include "support.hpp"

#include <knossos/maze/fitness.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace knossos::maze::fitness_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(MazeFitness, TheFiveFunctionsReadTheirMeasures) {
    FitnessValues values{.exit_path = 12,
                         .exit_members = 2,
                         .reconvergence = 30,
                         .isolated_reconvergence = 20,
                         .culs_de_sac = 5,
                         .cul_de_sac_length = 44};
    EXPECT_EQ(fitness_value(FitnessFunction::exit_path, 0, values), 12.0);
    EXPECT_EQ(fitness_value(FitnessFunction::reconvergence, 0, values), 30.0);
    EXPECT_EQ(fitness_value(FitnessFunction::isolated_reconvergence, 2, values), 20.0);
    EXPECT_EQ(fitness_value(FitnessFunction::culs_de_sac, 1, values), 5.0);
    EXPECT_EQ(fitness_value(FitnessFunction::cul_de_sac_length, 0, values), 44.0);
    EXPECT_EQ(fitness_value(FitnessFunction::exit_path, 3, values), 0.0); // k is not met
    values.exit_path = -1;
    EXPECT_EQ(fitness_value(FitnessFunction::culs_de_sac, 0, values), 0.0);
    for (const std::string_view name : fitness_function_names)
        EXPECT_EQ(to_string(parse_fitness_function(name)), name);
    test::expect_mentions(test::message_of([] { parse_fitness_function("exit"); }), {"'exit'", "exit-path"});
}

TEST(MazeFitness, WishesAreReadAsWritten) {
    const auto one = [](std::string_view text) { return parse_terms(text).at(0); };
    EXPECT_EQ(one("path 60..70"), (Term{Measure::exit_path, Aim::range, 60, 70}));
    EXPECT_EQ(one("culs-de-sac 5..9"), (Term{Measure::culs_de_sac, Aim::range, 5, 9}));
    EXPECT_EQ(one("density 0.3..0.4"), (Term{Measure::wall_density, Aim::range, 0.3, 0.4}));
    EXPECT_EQ(one("exit_path 60"), (Term{Measure::exit_path, Aim::range, 60, 60}));
    EXPECT_EQ(one("path 60.."), (Term{Measure::exit_path, Aim::range, 60, infinity}));
    EXPECT_EQ(one("path ..60"), (Term{Measure::exit_path, Aim::range, -infinity, 60}));
    EXPECT_EQ(one("  maximise loops  "), (Term{Measure::loops, Aim::maximise}));
    EXPECT_EQ(one("pockets min weight 2.5"),
              (Term{.measure = Measure::pockets, .aim = Aim::minimise, .weight = 2.5}));
    const std::vector<Term> several =
        parse_terms("path 60..70, minimise pocket_cells;\n loops 1..3 weight 4\n");
    ASSERT_EQ(several.size(), 3U);
    EXPECT_EQ(several[2], (Term{Measure::loops, Aim::range, 1, 3, 4}));
    for (const Term& term : several) EXPECT_EQ(parse_terms(to_text(term)).at(0), term);
}

TEST(MazeFitness, WishesThatMakeNoSenseAreRefusedWithLineAndColumn) {
    const auto refuse = [](std::string_view text, std::initializer_list<std::string_view> words) {
        test::expect_mentions(test::message_of([&] { parse_terms(text, "goal"); }), words);
    };
    refuse("", {"goal:1:1", "path 60..70"});
    refuse("paths 60", {"goal:1:1", "'paths' is not a measure; did you mean path?"});
    refuse("path 60, culs-de-sax 3..4", {"goal:1:10", "did you mean culs_de_sac?"});
    refuse("beauty 60", {"goal:1:1", "'beauty' is not a measure; there are exit_path (path)"});
    refuse("minimise", {"goal:1:9", "a measure is missing, as in 'minimise pockets'"});
    refuse("path 60...70", {"goal:1:6", "'60...70' has too many dots", "60..70"});
    refuse("density 30",
           {"goal:1:9", "wall_density is a share, which lies in 0..1; 30 does not (30 % is 0.3)"});
    refuse("density 0.2..1.5", {"goal:1:9", "1.5"});
    refuse("density -0.1..", {"goal:1:9", "-0.1"});
    refuse("path -5", {"goal:1:6", "exit_path is never below 0, so never -5"});
    refuse("path 60.5", {"goal:1:6", "exit_path is a whole number, so never 60.5"});
    refuse("members 65..", {"goal:1:9", "at most 64"});
    refuse("path", {"goal:1:5", "missing"});
    refuse("path 70..60", {"goal:1:6", "empty", "70"});
    refuse("path sixty", {"goal:1:6", "'sixty'"});
    refuse("path 60..7o", {"goal:1:6", "'7o'"});
    refuse("path ..", {"goal:1:6", "no bound"});
    refuse("path 60\nloops 1..2 heavy", {"goal:2:12", "'heavy'", "weight"});
    refuse("path 60 weight", {"goal:1:15", "missing"});
    refuse("path 60 weight -1", {"goal:1:16", "-1", "positive"});
    refuse("path 60 weight nan", {"goal:1:16", "the weight is 'nan'; it must be a positive number"});
    refuse("path 60, , density inf", {"goal:1:20", "'inf'"});
}

TEST(MazeFitness, RangesCostTheirDistanceRelativeToTheBound) {
    Measures measures;
    measures.exit_path = 54;
    measures.wall_density = 0.45;
    const Fitness fitness{.terms = parse_terms("path 60..70, density 0.3..0.4 weight 2, maximise loops")};
    measures.loops = 3;
    const Score score = fitness.score(measures);
    EXPECT_DOUBLE_EQ(score.terms[0].contribution, -6.0 / 70.0);
    EXPECT_NEAR(score.terms[1].contribution, -0.1, 1e-12);
    EXPECT_EQ(score.terms[2].contribution, 3.0);
    EXPECT_EQ(score.total, 3.0);
    EXPECT_FALSE(score.met());
    EXPECT_FALSE(fitness.target().has_value());
    measures.exit_path = 60;
    measures.wall_density = 0.3;
    EXPECT_TRUE(fitness.score(measures).met());
    EXPECT_EQ(fitness.score(measures).violation, 0.0);
}

// What the search sees of a maze.
Quality quality_of(const Fitness& fitness, const Measures& measures) {
    const Schema schema{fitness.columns(400)};
    std::vector<double> values(schema.size());
    fitness.evaluate(measures, Record{values.data(), 1});
    return schema.quality(values);
}

TEST(MazeFitness, WishesBecomeColumnsOfARecord) {
    const auto text = [](std::string_view wishes, Several several = Several::weighted_sum) {
        return Schema{Fitness{.terms = parse_terms(wishes), .several = several}.columns(400)}.to_text();
    };
    EXPECT_EQ(Schema{Fitness{}.columns(400)}.to_text(), "maximise exit-path");
    EXPECT_EQ(text("path 60..70"), "must hold way to the exit, must hold exit_path 60..70");
    EXPECT_EQ(text("path 60..70, maximise loops"),
              "maximise loops, must hold way to the exit, must hold exit_path 60..70");
    EXPECT_EQ(text("path 60, path 60"),
              "must hold way to the exit, must hold exit_path 60, must hold exit_path 60 2");
    EXPECT_EQ(text("maximise loops, minimise pockets"), "maximise weighted sum, must hold way to the exit");
    EXPECT_EQ(text("maximise loops, minimise pockets", Several::pareto),
              "maximise loops, minimise pockets, must hold way to the exit");
}

TEST(MazeFitness, TheRecordSaysWhatTheScoreSays) {
    const std::array goals{"path 20..30, density 0.2..0.3 weight 2, minimise pockets",
                           "path 20..30, loops 1..",
                           "maximise loops weight 3, minimise pockets, density ..0.4", "minimise density"};
    for (const std::string_view goal : goals)
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const Fitness fitness{.terms = parse_terms(goal)};
            Stream stream = test::stream_for(seed);
            const Measures measures = measure(reference::random_level(stream, 24, false));
            const Score score = fitness.score(measures);
            const Quality quality = quality_of(fitness, measures);
            if (!score.total) {
                ASSERT_NEAR(quality.fitness, score.violation, 1e-9 * (1.0 + score.violation));
                continue;
            }
            ASSERT_NEAR(quality.violation, score.violation, 1e-9 * (1.0 + score.violation));
            ASSERT_DOUBLE_EQ(quality.fitness, *score.total);
        }
}

TEST(MazeFitness, RangesAloneHaveATarget) {
    const Fitness fitness{.terms = parse_terms("path 2..3, loops 0")};
    EXPECT_EQ(fitness.target(), 0.0);
    EXPECT_EQ(quality_of(fitness, measure(parse_level("E.\n.X\n"))), Quality{}); // an open square is no loop
}

TEST(MazeFitness, UnusableMazesAreWorseThanAnyOther) {
    const Fitness fitness{.terms = parse_terms("minimise reconvergence, minimise open_cells"),
                          .mandatory = 2};
    const Measures closed = measure(parse_level("E#C\n##X\n"));
    const Measures missing = measure(parse_level("EC.\n..X\n"));
    EXPECT_GT(quality_of(fitness, closed).violation, quality_of(fitness, missing).violation);
    EXPECT_FALSE(fitness.score(missing).usable);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Stream stream = test::stream_for(seed);
        const Measures measures = measure(reference::random_level(stream, 24, false));
        const Score score = fitness.score(measures);
        ASSERT_EQ(score.usable, measures.exit_path >= 0 && measures.exit_members >= 2);
        ASSERT_EQ(quality_of(fitness, measures).violation == 0.0, score.usable);
    }
}

TEST(MazeFitness, WhatLooksAtPairsOfCheckpointsNeedsThem) {
    const auto said = [](const Fitness& fitness, std::size_t checkpoints) {
        return test::message_of([&] { fitness.require_checkpoints(checkpoints); });
    };
    for (const auto function : {FitnessFunction::reconvergence, FitnessFunction::isolated_reconvergence}) {
        test::expect_mentions(
            said({.function = function}, 0),
            {"fitness is", to_string(function), "at least 2 checkpoints", "are none", "auto:4"});
        test::expect_mentions(said({.function = function}, 1), {"is one"});
        EXPECT_NO_THROW((Fitness{.function = function}.require_checkpoints(2)));
    }
    EXPECT_NO_THROW((Fitness{.function = FitnessFunction::culs_de_sac}.require_checkpoints(0)));
    test::expect_mentions(said({.terms = parse_terms("path 9, isolated 5..8")}, 1),
                          {"goal has 'isolated_reconvergence 5..8'", "at least 2 checkpoints"});
    test::expect_mentions(said({.terms = parse_terms("maximise members")}, 0), {"at least 1 checkpoint,"});
    test::expect_mentions(said({.terms = parse_terms("members 5..")}, 4),
                          {"5 checkpoints", "are 4", "auto:5"});
    EXPECT_NO_THROW((Fitness{.terms = parse_terms("members ..2, reconvergence 0")}.require_checkpoints(0)));
}

TEST(MazeFitness, SettingsThatCanNotWorkAreRefused) {
    test::expect_mentions(test::message_of([] { Fitness{.mandatory = 3}.check(2); }),
                          {"k is 3", "2 checkpoints"});
    test::expect_mentions(
        test::message_of([] { Fitness{.terms = {{Measure::loops, Aim::range, 4, 2}}}.check(0); }),
        {"loops", "4..2", "empty"});
    test::expect_mentions(
        test::message_of([] { Fitness{.terms = {{.measure = Measure::loops, .weight = 0.0}}}.check(0); }),
        {"loops", "0", "positive"});
    test::expect_mentions(
        test::message_of([] { Fitness{.terms = {{.measure = Measure::loops, .weight = 1e9}}}.check(0); }),
        {"loops", "1000000000", "positive"});
}

} // namespace
} // namespace knossos::maze::fitness_test
