#include <knossos/recipe/difference.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace knossos::run_difference_test {

namespace {

constexpr std::string_view small = R"(name = "small"
[problem]
kind = "one-max"
length = 40
[algorithm]
population = 20
[stages.mutate]
kind = "bit-flip"
[stop]
generations = 5
)";

std::vector<Statistics> trace_of(const Recipe& recipe) {
    Run run{recipe.problem(), recipe.settings()};
    run.finish();
    return run.result().history;
}

TEST(RecipeIdentity, LeavesOutWhatDoesNotSteerARun) {
    const Recipe recipe = Recipe::parse(small, "r.toml");
    for (const std::vector<std::string>& changes : {std::vector<std::string>{"name=other"},
                                                    {"description=what it is for"},
                                                    {"output.files=['a.svg']"},
                                                    {"stop.generations=9"},
                                                    {"problem.length=40"}})
        EXPECT_EQ(Recipe::parse(small, "r.toml", changes).identity(), recipe.identity()) << changes.front();
    EXPECT_EQ(Recipe::parse(recipe.to_toml(), "again.toml").hash(), recipe.hash());
}

TEST(RecipeIdentity, HoldsEveryValueOfEveryBuiltInRecipe) {
    for (const BuiltInRecipe& built_in : built_in_recipes()) {
        const Recipe recipe = Recipe::parse(built_in.text, built_in.name);
        const auto identity = recipe.identity();
        EXPECT_EQ(identity.at("seed"), std::to_string(recipe.seed()));
        for (const RecipeSection& section : recipe_sections()) {
            const Recipe::Choice* chosen = recipe.choice(section.path);
            if (chosen == nullptr) continue;
            for (const FieldInfo& field : section.part(chosen->kind)->fields) {
                // One that came later is left out where it changes nothing.
                const bool is_left_out =
                    field.is_later && chosen->values.at(field.name) == field.default_value;
                EXPECT_EQ(identity.contains(section.path + "." + field.name), !is_left_out)
                    << built_in.name << " " << field.name;
            }
        }
        EXPECT_FALSE(identity.contains("name"));
    }
}

TEST(RecipeIdentity, ChangesWithEveryValue) {
    const Recipe recipe = Recipe::parse(small, "r.toml");
    for (const char* change :
         {"seed=2", "problem.length=41", "algorithm.population=21", "stages.mutate.kind=point"})
        EXPECT_NE(Recipe::parse(small, "r.toml", {change}).hash(), recipe.hash()) << change;
}

TEST(FirstDifference, OfRecipesIsTheFirstValue) {
    const Recipe recipe = Recipe::parse(small, "r.toml");
    EXPECT_FALSE(first_difference(recipe, recipe));
    const auto longer = first_difference(
        recipe, Recipe::parse(small, "r.toml", {"problem.length=41", "seed=3", "stop.generations=6"}));
    ASSERT_TRUE(longer);
    EXPECT_EQ(longer->name, "problem.length");
    EXPECT_EQ(longer->first, "40");
    EXPECT_EQ(longer->second, "41");
    const auto stop = first_difference(recipe, Recipe::parse(small, "r.toml", {"stop.generations=6"}));
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->name, "stop");
    EXPECT_EQ(stop->second, "generations(6)");
}

TEST(FirstDifference, NamesWhatOnlyOneRecipeHas) {
    const Recipe recipe = Recipe::parse(small, "r.toml");
    const Recipe improved = Recipe::parse(small, "r.toml", {"stages.improve.kind=hill-climb"});
    const auto found = first_difference(recipe, improved);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->name.starts_with("stages.improve.")) << found->name;
    EXPECT_EQ(found->first, "(none)");
    const auto other_way = first_difference(improved, recipe);
    ASSERT_TRUE(other_way);
    EXPECT_EQ(other_way->name, found->name);
    EXPECT_EQ(other_way->second, "(none)");
}

TEST(FirstDifference, OfTracesIsTheFirstGenerationThatDiffers) {
    const auto trace = trace_of(Recipe::parse(small, "r.toml"));
    EXPECT_FALSE(first_difference(trace, trace));
    auto later = trace;
    for (auto& row : later) row.seconds += 1.0;
    EXPECT_FALSE(first_difference(trace, later)) << "seconds are no difference";
    for (std::size_t at = 0; at < trace.size(); ++at) {
        auto other = trace;
        for (std::size_t i = at; i < other.size(); ++i) other[i].mean += 0.5;
        const auto found = first_difference(trace, other);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->name, "mean");
        EXPECT_EQ(found->generation, trace[at].generation);
    }
    const auto found = first_difference(trace, trace_of(Recipe::parse(small, "r.toml", {"seed=9"})));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->generation, 0U);
}

TEST(FirstDifference, ComparesWhatThinnedTracesBothHave) {
    const auto trace = trace_of(Recipe::parse(small, "r.toml"));
    ASSERT_EQ(trace.size(), 6U);
    std::vector<Statistics> thinned{trace[0], trace[2], trace[5]};
    EXPECT_FALSE(first_difference(trace, thinned));
    thinned.pop_back();
    const auto shorter = first_difference(trace, thinned);
    ASSERT_TRUE(shorter);
    EXPECT_EQ(shorter->name, "generations");
    EXPECT_EQ(shorter->first, "5");
    EXPECT_EQ(shorter->second, "2");
}

} // namespace

} // namespace knossos::run_difference_test
