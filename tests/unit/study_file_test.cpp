#include <knossos/study/study.hpp>

#include <gtest/gtest.h>

#include <string>

namespace knossos::study::file_test {
namespace {

std::string complaint(std::string_view toml) {
    try {
        (void)Study::parse(toml, "study.toml");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "no complaint";
}

TEST(StudyFile, MultipliesRecipesAndGrid) {
    const Study study = Study::parse(R"(
name = "sizes"
runs = 7
seed = 100
budget = 5000
recipes = ["pmx-queens", "duel-queens"]
[grid]
problem.n = [6, 8, 10]
)",
                                     "study.toml");
    EXPECT_EQ(study.name, "sizes");
    EXPECT_EQ(study.runs, 7U);
    ASSERT_EQ(study.configurations.size(), 6U);
    const Configuration& last = study.configurations.back();
    EXPECT_EQ(last.label, "duel-queens n=10");
    EXPECT_EQ(last.recipe.seed(), 100U);
    EXPECT_EQ(size_of_problem(last.recipe), 10.0);
    EXPECT_EQ(last.recipe.stop().limit(StopKind::evaluations), 5000.0);
    const std::vector<std::pair<std::string, std::string>> varied{{"recipe", "duel-queens"},
                                                                  {"problem.n", "10"}};
    EXPECT_EQ(last.varied, varied);
}

TEST(StudyFile, TakesTextsOfSeveralLines) {
    const Study study = Study::parse(R"(
recipes = ["maze-direct"]
[set]
problem.width = 3
problem.height = 2
problem.locks = """
.#?
??.
"""
)",
                                     "study.toml");
    ASSERT_EQ(study.configurations.size(), 1U);
    EXPECT_EQ(
        std::get<std::string>(study.configurations.front().recipe.choice("problem")->values.at("locks")),
        ".#?\n??.\n");
}

TEST(StudyFile, ListsConfigurationsOneByOne) {
    const Study study = Study::parse(R"(
[set]
problem.n = 10
[[configuration]]
name = "mild"
recipe = "pmx-queens"
set = { stages.mutate.probability = 0.1 }
[[configuration]]
recipe = "pmx-queens"
set = { stages.select.kind = "roulette", stages.select.scaling = "windowed" }
)",
                                     "my-study.toml");
    EXPECT_EQ(study.name, "my-study");
    ASSERT_EQ(study.configurations.size(), 2U);
    EXPECT_EQ(study.configurations[0].label, "mild");
    EXPECT_EQ(study.configurations[1].label, "pmx-queens select=roulette scaling=windowed");
    EXPECT_EQ(size_of_problem(study.configurations[1].recipe), 10.0);
}

TEST(StudyFile, TheCommandLineWins) {
    StudyChanges changes;
    changes.runs = 3;
    changes.seed = 9;
    changes.budget = 777;
    changes.overrides = {"problem.n=12"};
    const Study study = Study::parse("recipes = [\"pmx-queens\"]\nruns = 50\nbudget = 5", "s.toml", changes);
    EXPECT_EQ(study.runs, 3U);
    EXPECT_EQ(study.configurations[0].recipe.seed(), 9U);
    EXPECT_EQ(study.configurations[0].recipe.stop().limit(StopKind::evaluations), 777.0);
    EXPECT_EQ(size_of_problem(study.configurations[0].recipe), 12.0);
}

TEST(StudyFile, PairedIsTrueOrFalse) {
    EXPECT_FALSE(Study::parse("recipes = [\"pmx-queens\"]", "s.toml").paired);
    EXPECT_TRUE(Study::parse("paired = true\nrecipes = [\"pmx-queens\"]", "s.toml").paired);
    EXPECT_NE(
        complaint("recipes = [\"pmx-queens\"]\npaired = 1").find("study.toml:2:10: paired must be true"),
        std::string::npos);
    EXPECT_NE(complaint("recipes = [\"pmx-queens\"]\npaired = true\nseed = 9007199254740990")
                  .find("study.toml:3:8: seed is 9007199254740990; with 100 paired runs"),
              std::string::npos);
}

TEST(StudyFile, SaysWhatIsWrongAndWhere) {
    EXPECT_NE(complaint("recipes = [\"pmx-quens\"]")
                  .find("study.toml:1:12: there is no recipe 'pmx-quens'; did "
                        "you mean pmx-queens?"),
              std::string::npos)
        << complaint("recipes = [\"pmx-quens\"]");
    EXPECT_NE(complaint("recipes = [\"pmx-queens\"]\n[grid]\n").find("the grid is empty"), std::string::npos);
    EXPECT_NE(complaint("recipes = [\"pmx-queens\"]\n[grid]\nproblem.n = []").find("grid.problem.n is empty"),
              std::string::npos);
    EXPECT_NE(complaint("recipes = []").find("at least one"), std::string::npos);
    EXPECT_NE(complaint("").find("has nothing to run"), std::string::npos);
    EXPECT_NE(complaint("recipes = [\"pmx-queens\"]\nruns = 0").find("study.toml:2:8: runs must be"),
              std::string::npos);
    EXPECT_NE(complaint("recipes = [\"pmx-queens\"]\nrecipe = 1").find("did you mean recipes?"),
              std::string::npos);
    EXPECT_NE(complaint("recipes = [").find("study.toml:1:"), std::string::npos);
}

TEST(StudyFile, ABadValueIsNamedWithItsKey) {
    const std::string text =
        complaint("recipes = [\"pmx-queens\"]\n[grid]\nstages.mutate.probability = [0.1, 1.5]");
    EXPECT_NE(text.find("study.toml:3:"), std::string::npos) << text;
    EXPECT_NE(text.find("stages.mutate.probability = 1.5"), std::string::npos) << text;
    const std::string unknown = complaint("recipes = [\"pmx-queens\"]\n[set]\nproblem.size = 8");
    EXPECT_NE(unknown.find("problem.size is not a key here"), std::string::npos) << unknown;
}

TEST(StudyFile, RefusesTheSameConfigurationTwice) {
    const std::string text = complaint("[[configuration]]\nname = \"a\"\nrecipe = \"pmx-queens\"\n"
                                       "[[configuration]]\nname = \"b\"\nrecipe = \"pmx-queens\"");
    EXPECT_NE(text.find("a and b are the same configuration"), std::string::npos) << text;
}

TEST(StudyFile, RefusesRunsThatMightNeverEnd) {
    const std::string text = complaint("recipes = [\"pmx-queens\"]\n[set]\nstop = 1");
    EXPECT_NE(text, "no complaint");
}

} // namespace
} // namespace knossos::study::file_test
