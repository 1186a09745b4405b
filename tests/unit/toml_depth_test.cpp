#include <knossos/core/toml_depth.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <string>

namespace knossos::toml_depth_test {
namespace {

std::string chain(std::size_t parts) {
    std::string key = "a";
    for (std::size_t i = 1; i < parts; ++i) key += ".a";
    return key;
}

TEST(TomlDepth, CountsThePartsOfKeys) {
    EXPECT_EQ(most_key_parts(""), 1U);
    EXPECT_EQ(most_key_parts("a = 1"), 1U);
    EXPECT_EQ(most_key_parts("a.b.c = 1\nd.e = 2"), 3U);
    EXPECT_EQ(most_key_parts("[a.b]\n\"x.y\".z = { p.q.r.s = 1 }"), 4U);
    EXPECT_EQ(most_key_parts(chain(1000) + " = 1"), 1000U);
    EXPECT_EQ(most_key_parts("[[" + chain(70) + "]]"), 70U);
}

TEST(TomlDepth, IsNotFooledByStringsNumbersAndComments) {
    EXPECT_EQ(most_key_parts("a = [1.5, 2.5, 3.5, 4.5]"), 2U);
    EXPECT_EQ(most_key_parts("a = \"x.x.x.x \\\" .x\""), 1U);
    EXPECT_EQ(most_key_parts("a = '''x.\nx.x.x'''\n"), 1U);
    EXPECT_EQ(most_key_parts("# x.x.x.x.x\na = 'x.x.x'"), 1U);
    EXPECT_EQ(most_key_parts("a = \"never closed . . . .\nb.c = 1"), 2U);
}

TEST(TomlDepth, DeepRecipesAreRefused) {
    for (const std::string& text : {chain(100'000) + " = 1", "[" + chain(100'000) + "]"})
        EXPECT_THROW((void)Recipe::parse(text, "deep.toml"), RecipeError);
    EXPECT_THROW((void)Recipe::load("pmx-queens", {chain(100'000) + "=1"}), RecipeError);
    EXPECT_THROW((void)Recipe::load("pmx-queens", {"problem.n={" + chain(100'000) + "=1}"}), RecipeError);
}

} // namespace
} // namespace knossos::toml_depth_test
