#include <knossos/recipe/recipe.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace knossos::recipe_test {
namespace {

std::vector<std::string> problems_of(std::string_view toml, const std::vector<std::string>& overrides = {}) {
    try {
        (void)Recipe::parse(toml, "r.toml", overrides);
        return {};
    } catch (const RecipeError& error) {
        std::vector<std::string> lines;
        for (const auto& one : error.diagnostics()) lines.push_back(one.where + ": " + one.message);
        return lines;
    }
}

constexpr std::string_view small = R"(
[problem]
kind = "one-max"
length = 20
[stop]
generations = 5
)";

TEST(Recipe, EveryBuiltInOneReadsBackAsItIsWritten) {
    for (const auto& built_in : built_in_recipes()) {
        const Recipe recipe = Recipe::load(std::string{built_in.name});
        EXPECT_EQ(recipe.name(), built_in.name);
        EXPECT_FALSE(recipe.description().empty()) << built_in.name;
        const std::string whole = recipe.to_toml();
        EXPECT_EQ(Recipe::parse(whole, "again.toml").to_toml(), whole);
    }
}

TEST(Recipe, AllProblemsAreToldAtOnceInTheOrderOfTheFile) {
    const auto lines = problems_of(R"(nam = "x"
seed = -1
[problem]
kind = "one-max"
lenght = 5
[algorithm]
population = 0
[stages.select]
kind = "turnament"
[stages.recombine]
kind = "partially-matched"
probability = 1.5
[stop]
evaluations = 0.5
any = {}
)",
                                   {"stages.mutate.kind=swap"});
    const std::vector<std::string> expected{
        "r.toml:1:1: nam is not a key here; did you mean name?",
        "r.toml:2:8: seed must be a whole number in 0..9223372036854775807",
        "r.toml:5:1: problem.lenght is not a key here; did you mean length?",
        "r.toml:7:14: algorithm.population is 0; it must be a whole number in 1..2147483647",
        "r.toml:9:8: stages.select.kind is \"turnament\"; did you mean tournament?",
        ("r.toml:11:8: [stages.recombine] partially-matched works on genomes of kind permutation; genomes "
         "here are 100 bits"),
        "r.toml:12:15: stages.recombine.probability is 1.5; it must be a number in 0..1",
        "r.toml:14:15: stop.evaluations must be a whole number of at most 9007199254740992",
        "r.toml:15:7: stop.any must hold at least one stop rule",
        ("--set stages.mutate.kind=swap: [stages.mutate] swap works on genomes of kind permutation; genomes "
         "here are 100 bits"),
    };
    EXPECT_EQ(lines, expected);
}

TEST(Recipe, SaysWhatIsToBeWrittenWithoutChangingTheRun) {
    const Recipe plain = Recipe::parse(small, "r.toml");
    const Recipe recipe = Recipe::parse(small, "r.toml", {"output.files=['a.svg', 'b.png']"});
    EXPECT_EQ(recipe.output().files, (std::vector<std::string>{"a.svg", "b.png"}));
    EXPECT_EQ(recipe.output().checkpoint_every, 30.0);
    EXPECT_EQ(recipe.output().device, "cpu");
    const Recipe elsewhere = Recipe::parse(small, "r.toml", {"output.device=auto"});
    EXPECT_EQ(elsewhere.hash(), plain.hash());
    EXPECT_EQ(Recipe::parse(elsewhere.to_toml(), "r.toml").output().device, "auto");
    EXPECT_EQ(recipe.hash(), plain.hash());
    EXPECT_EQ(Recipe::parse(recipe.to_toml(), "r.toml").output().files, recipe.output().files);
    EXPECT_EQ(
        problems_of(std::string{small} +
                    "[output]\nfiles = [3]\nfile = 1\ncheckpoint_every = -1\ndevice = 2\n"),
        (std::vector<std::string>{
            "r.toml:8:10: output.files must hold the names of files, in quotes",
            "r.toml:9:1: output.file is not a key here; did you mean files?",
            "r.toml:10:20: output.checkpoint_every must be a number of seconds of at least 0",
            "r.toml:11:10: output.device must be \"cpu\", \"auto\" or the name of a device, in quotes"}));
}

TEST(Recipe, OverridesWinOverTheFileAndNeedNoQuotes) {
    const Recipe recipe =
        Recipe::parse(small, "r.toml", {"problem.length=33", "stages.mutate.kind=point", "seed=7"});
    EXPECT_EQ(recipe.seed(), 7U);
    EXPECT_EQ(std::get<std::int64_t>(recipe.choice("problem")->values.at("length")), 33);
    EXPECT_EQ(recipe.choice("stages.mutate")->kind, "point");
}

TEST(Recipe, AnOverrideThatIsNoneIsNamed) {
    EXPECT_EQ(problems_of(small, {"problem.length"}),
              std::vector<std::string>{
                  "--set problem.length: must look like key.path=value, such as problem.n=64"});
    EXPECT_EQ(problems_of(small, {"problem.length=much"}),
              std::vector<std::string>{"--set problem.length=much: problem.length is \"much\"; it must be a "
                                       "whole number in 1..4294967295"});
}

TEST(Recipe, AnOptionalStageCanBeTakenAway) {
    const Recipe whole = Recipe::load("memetic-queens");
    ASSERT_NE(whole.choice("stages.improve"), nullptr);
    for (const std::string none : {"stages.improve=none", "stages.improve=\"none\""}) {
        const Recipe less = Recipe::load("memetic-queens", {none});
        EXPECT_EQ(less.choice("stages.improve"), nullptr);
        EXPECT_FALSE(less.settings().improve.has_value());
        EXPECT_EQ(Recipe::parse(less.to_toml(), "again").to_toml(), less.to_toml());
    }
    EXPECT_EQ(Recipe::load("roulette-queens", {"stages.operations=none"}).choice("stages.operations"),
              nullptr);
    EXPECT_EQ(problems_of(small, {"stages.improve=none"}), std::vector<std::string>{});
    // In the order in which they are given.
    const auto again = Recipe::load("memetic-queens", {"stages.improve=none", "stages.improve.kind=descent"});
    EXPECT_EQ(again.choice("stages.improve")->kind, "descent");
}

TEST(Recipe, WhatEveryRunNeedsCanNotBeTakenAway) {
    for (const std::string path : {"problem", "algorithm", "stages.select", "stages.recombine",
                                   "stages.replace", "islands", "restart"}) {
        EXPECT_EQ(
            problems_of(small, {path + "=none"}),
            std::vector<std::string>{fmt::format("--set {0}=none: {0} can't be none, only "
                                                 "stages.operations, stages.improve, start, evaluator can",
                                                 path)})
            << path;
    }
    EXPECT_NE(problems_of(small, {"stages.mutate=none"}).at(0).find("stages.mutate.probability=0"),
              std::string::npos);
}

TEST(Recipe, AStageThatTheAlgorithmDoesNotUseIsRefused) {
    const auto lines = problems_of(std::string{small} + "[algorithm]\nkind = \"mu-plus-lambda\"\n"
                                                        "[stages.replace]\nkind = \"plus\"\n");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(
        lines[0].starts_with("r.toml:9:1: stages.replace is not used by the algorithm mu-plus-lambda"))
        << lines[0];
}

// What is fine by itself and does not fit the rest is told like any other field: under its own name, at its
// own place.
TEST(Recipe, ASettingThatDoesNotFitTheOthersIsToldAtItsOwnPlace) {
    const std::string ten = std::string{small} + "[algorithm]\npopulation = 10\n"; // lines 1 to 8
    const auto told = [&](const std::string& more, const std::vector<std::string>& overrides,
                          const std::string& where, const std::string& message) {
        const auto lines = problems_of(ten + more, overrides);
        ASSERT_EQ(lines.size(), 1U) << where;
        EXPECT_EQ(lines[0], where + ": " + message);
    };
    const std::string size = "stages.select.size is 11; it must be in 1..10 (the population)";
    told("", {"stages.select.size=11"}, "--set stages.select.size=11", size);
    told("", {"stages.select={size=11}"}, "--set stages.select={size=11}", size);
    told("[stages.select]\nkind = \"tournament\"\nsize = 11\n", {}, "r.toml:11:8", size);
    told("[stages.replace]\nkind = \"tournament\"\nsize = 50\n", {}, "r.toml:11:8",
         "stages.replace.size is 50; it must be in 1..10 (the population)");
    told("", {"stages.replace.elites=10"}, "--set stages.replace.elites=10",
         "stages.replace.elites is 10; it must be in 0..9 (below the population)");
    told("[stages.replace]\nelites = 10\n", {}, "r.toml:10:10",
         "stages.replace.elites is 10; it must be in 0..9 (below the population)");
    const std::string share = "stages.select.scaling is \"share\", which is 1 − c/Σc of a minimised count c; "
                              "this problem is maximised: use \"proportional\" or \"windowed\"";
    told("[stages.select]\nkind = \"roulette\"\nscaling = \"share\"\n", {}, "r.toml:11:11", share);
    told("[stages.select]\nscaling = \"share\"\nkind = \"stochastic-universal\"\n", {}, "r.toml:10:11",
         share);
    told("[stages.operations]\nclone = 0\ncrossover = 0\nmutation = 0\n", {}, "r.toml:9:1",
         "[stages.operations] clone, crossover and mutation are all 0; at least one share must be above 0");
    told("[stages.replace]\nkind = \"crowding\"\n", {"algorithm.siblings=1"}, "r.toml:10:8",
         "[stages.replace] crowding compares the two children of a couple with their parents, so it needs "
         "siblings = 2 in the algorithm and no operation mix");
    told("offspring = 5\n[stages.replace]\nkind = \"comma\"\n", {}, "r.toml:11:8",
         "[stages.replace] comma replacement needs offspring of at least the population; offspring is 5, "
         "population is 10");
    told("kind = \"steady-state\"\ntournament = 11\n", {}, "r.toml:10:14",
         "algorithm.tournament is 11; it must be 0 or in 4..10 (two parents, two losers, at most the "
         "population)");
    told("kind = \"duel\"\n", {}, "r.toml:8:14", "algorithm.population is 10; a duel is fought by exactly 2");
    told("kind = \"annealing\"\n", {"algorithm.end=0"}, "--set algorithm.end=0",
         "algorithm.end is 0; it must be above 0");
    told("[islands]\nmigrants = 10\ncount = 2\n", {}, "r.toml:10:12",
         "islands.migrants is 10, so each island would take in 10 individuals; it must be fewer than its "
         "population of 10");
    told("[stages.recombine]\nkind = \"k-point\"\npoints = 20\n", {}, "r.toml:11:10",
         "stages.recombine.points is 20; genomes of 20 genes allow 1..19 cuts");
}

TEST(Recipe, SeveralStagesThatDoNotFitAreAllTold) {
    EXPECT_EQ(problems_of(std::string{small} + "[algorithm]\npopulation = 10\n[stages.replace]\nelites = 10\n"
                                               "[stages.select]\nsize = 11\n[stages.operations]\n"
                                               "clone = 0\ncrossover = 0\nmutation = 0\n"),
              (std::vector<std::string>{
                  "r.toml:10:10: stages.replace.elites is 10; it must be in 0..9 (below the population)",
                  "r.toml:12:8: stages.select.size is 11; it must be in 1..10 (the population)",
                  "r.toml:13:1: [stages.operations] clone, crossover and mutation are all 0; at least one "
                  "share must be above 0"}));
}

// A field that is left at its usual value stands nowhere; what made it wrong does.
TEST(Recipe, AUsualValueThatDoesNotFitIsToldAtThePopulation) {
    const std::string message = "stages.select.size is 2; it must be in 1..1 (the population)";
    EXPECT_EQ(problems_of(small, {"algorithm.population=1"}),
              std::vector<std::string>{"--set algorithm.population=1: " + message});
    EXPECT_EQ(problems_of(std::string{small} + "[algorithm]\npopulation = 1\n"),
              std::vector<std::string>{"r.toml:8:14: " + message});
}

TEST(Recipe, CountsThatNoFileCouldHoldAreRefused) {
    EXPECT_EQ(problems_of(small, {"stop.evaluations=1e300"}).size(), 1U);
    EXPECT_EQ(problems_of(small, {"stop.generations=inf"}).size(), 1U);
    const Recipe largest = Recipe::parse(small, "r.toml", {"stop.evaluations=9007199254740992"});
    EXPECT_EQ(Recipe::parse(largest.to_toml(), "r.toml").to_toml(), largest.to_toml());
}

TEST(Recipe, BadSyntaxIsToldWithItsPlace) {
    const auto lines = problems_of("[problem]\nkind = = 3\n");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].starts_with("r.toml:2:8: ")) << lines[0];
}

// --- the schema -------------------------------------------------------------

nlohmann::json schema_of(const nlohmann::json& schema, const RecipeSection& section) {
    return section.path.starts_with("stages.")
               ? schema.at("properties").at("stages").at("properties").at(section.path.substr(7))
               : schema.at("properties").at(section.path);
}

TEST(RecipeSchema, HasEveryPartWithEveryFieldItsTypeItsRangeAndItsDefault) {
    const auto schema = nlohmann::json::parse(recipe_schema());
    EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema.at("properties").at("evaluator").at("type"),
              nlohmann::json::array({"object", "string"})); // or just its program
    for (const RecipeSection& section : recipe_sections()) {
        const auto place = schema_of(schema, section);
        for (std::size_t i = 0; i < section.parts.size(); ++i) {
            const PartInfo& part = section.parts[i];
            const auto& described = section.has_kind() ? place.at("oneOf").at(i) : place;
            if (section.has_kind()) {
                EXPECT_EQ(described.at("properties").at("kind").at("const"), part.name);
            }
            EXPECT_EQ(described.at("additionalProperties"), false);
            for (const FieldInfo& field : part.fields) {
                const auto& one = described.at("properties").at(field.name);
                EXPECT_EQ(one.at("description"), field.meaning);
                EXPECT_TRUE(one.contains("default")) << part.name << '.' << field.name;
                if (field.type == FieldType::choice) {
                    EXPECT_EQ(one.at("enum"), field.choices);
                }
                if (field.type == FieldType::integer) {
                    EXPECT_EQ(one.at("type"), "integer");
                }
                if (field.type == FieldType::real) {
                    EXPECT_EQ(one.at("type"), "number");
                    EXPECT_EQ(one.value("maximum", unbounded), field.maximum);
                }
            }
        }
    }
}

TEST(Recipe, AnnealingTakesTemperaturesThatSuitTheProblem) {
    const auto start_of = [](const std::vector<std::string>& overrides) {
        const Recipe recipe = Recipe::load("maze", overrides);
        return std::get<double>(recipe.choice("algorithm")->values.at("start"));
    };
    EXPECT_EQ(start_of({}), 1.5);
    EXPECT_EQ(start_of({"problem.fitness=culs-de-sac"}), 0.5);
    EXPECT_EQ(start_of({"problem.fitness=culs-de-sac", "problem.goal=path 60..70"}), 0.02);
    EXPECT_EQ(start_of({"problem.fitness=culs-de-sac", "algorithm.start=7"}), 7.0);
}

TEST(Recipe, AnnealingCoolsOverTheEvaluationsOfTheStopRule) {
    const auto steps_of = [](const std::vector<std::string>& overrides) {
        const Recipe recipe = Recipe::load("maze", overrides);
        // What is written down is what the run uses, whatever its stop rules become.
        EXPECT_EQ(Recipe::parse(recipe.to_toml(), "again").choice("algorithm")->values,
                  recipe.choice("algorithm")->values);
        return std::get<std::int64_t>(recipe.choice("algorithm")->values.at("steps"));
    };
    EXPECT_EQ(steps_of({"stop.evaluations=5000"}), 5000);
    EXPECT_EQ(steps_of({"stop.evaluations=5000", "islands.count=4", "algorithm.population=5"}), 1250);
    EXPECT_EQ(steps_of({"stop.evaluations=5000", "algorithm.steps=77"}), 77);
}

} // namespace
} // namespace knossos::recipe_test
