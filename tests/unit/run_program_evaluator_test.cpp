#include "run_support.hpp"

#include <knossos/recipe/program_evaluator.hpp>
#include <knossos/recipe/recipe.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

namespace knossos::run_program_evaluator_test {
namespace {

using test::expect_mentions;
using test::expect_same;
using test::message_of;

// Counts the ones of a line such as {"genome":[0,1,1]}.
constexpr std::string_view count_ones = R"(perl -ne '$| = 1; print tr/1//, "\n"')";

std::string recipe_text(std::string_view program, std::string_view more = "", std::string_view problem = "") {
    return fmt::format("[problem]\nkind = \"genomes\"\nlength = 40\n{}\n[algorithm]\npopulation = 20\n"
                       "[evaluator]\nprogram = '''{}'''\n{}\n[stop]\ngenerations = 8\n",
                       problem, program, more);
}

Result run(const std::string& text, unsigned threads = 1) {
    const Recipe recipe = Recipe::parse(text, "r.toml");
    Settings settings = recipe.settings();
    settings.threads = threads;
    return evolve(recipe.problem(), settings);
}

std::string failure_of(const std::string& text) {
    try {
        Recipe::parse(text, "r.toml").require_program();
        run(text);
        return "no failure";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(ProgramEvaluator, EvaluatesAsTheProblemWouldItself) {
    const Recipe recipe = Recipe::parse(recipe_text(count_ones), "r.toml");
    const Result own = evolve(test::Maximised{}, recipe.settings());
    for (const unsigned threads : {1U, 4U}) expect_same(own, run(recipe_text(count_ones), threads));
}

TEST(ProgramEvaluator, TakesObjectsAndBothObjectives) {
    const std::string object = R"(perl -ne '$| = 1; print "{\"note\": \"x\", \"fitness\": ", tr/1//, "}\n"')";
    expect_same(run(recipe_text(count_ones)), run(recipe_text(object)));
    EXPECT_LT(run(recipe_text(count_ones, "objective = \"minimise\"")).fitness, 15.0);
}

// As a list, and as an object whose other values don't matter.
constexpr std::string_view record =
    R"(record = "maximise ones 0..40, minimise zeros 0..40, must-hold few 5")";
constexpr std::string_view as_list =
    R"(perl -ne '$| = 1; s/"genome"//; $o = tr/1//; print "[$o, ", 40 - $o, ", ", $o > 30 ? $o - 30 : 0, "]\n"')";
constexpr std::string_view as_object =
    R"(perl -ne '$| = 1; s/"genome"//; $o = tr/1//; print "{\"few\": ", $o > 30 ? $o - 30 : 0, ", \"note\": 7, \"zeros\": ", 40 - $o, ", \"ones\": $o}\n"')";

TEST(ProgramEvaluator, AnswersWithRecords) {
    const Result result = run(recipe_text(std::string{as_list}, std::string{record}));
    EXPECT_EQ(result.merit_name, "hypervolume");
    ASSERT_EQ(result.record.size(), 3U);
    EXPECT_EQ(result.record[0] + result.record[1], 40.0);
    EXPECT_EQ(result.violation, 0.0);
    expect_same(result, run(recipe_text(std::string{as_object}, std::string{record}), 4));
}

TEST(ProgramEvaluator, RecordsThatCanNotBeReadAreNamed) {
    const auto answer = [](std::string_view says) {
        return failure_of(recipe_text(fmt::format("sh -c \"while read x; do echo '{}'; done\"", says),
                                      std::string{record}));
    };
    expect_mentions(answer("[1, 2]"), {"answered 2 values", "3 columns", "maximise ones"});
    expect_mentions(answer("{}"), {"left out 'ones'"});
    expect_mentions(answer("[1, NaN, 0]"), {"answered that 'zeros' is not a number"});
    expect_mentions(answer("5"), {"answered '5'", "\"zeros\": 0.5", "3 numbers"});
    expect_mentions(answer("[1, 2, true]"), {"an object such as"});
    expect_mentions(answer("[1, 2, -3]"), {"violation 'few'", "-3"});
    const auto columns = [](std::string_view text) {
        return failure_of(recipe_text("cat", fmt::format("record = \"{}\"", text)));
    };
    expect_mentions(columns("maximize ones"), {"evaluator.record is 'maximize ones'", "'maximize' is not"});
    expect_mentions(columns("maximise"), {"a name is missing"});
    expect_mentions(columns("maximise a, "), {"a column is empty"});
    expect_mentions(columns("maximise a b"), {"'b' is not a range"});
    expect_mentions(columns("maximise a 0..x"), {"'x' is not a number"});
    expect_mentions(columns("maximise a 5..1"), {"5..1"});
    expect_mentions(columns("maximise a 0..1 more"), {"'more' is too much"});
    expect_mentions(columns("maximise a, minimise a"), {"two columns", "'a'"});
    expect_mentions(columns("descriptor a 0..1"), {"neither an objective nor a violation"});
    expect_mentions(columns("descriptor a"), {"the range is missing"});
    expect_mentions(columns("must-hold a -1"), {"scale"});
    expect_mentions(columns("guide must-hold a"), {"maximise or minimise"});
    expect_mentions(columns("maximise a.b"), {"'a.b' is no name"});
}

TEST(ProgramEvaluator, IsToldWhatAGenomeStandsFor) {
    const std::string text = fmt::format(
        "[problem]\nkind = \"queens\"\nn = 6\n[algorithm]\npopulation = 10\n[evaluator]\nprogram = '''{}'''\n"
        "[stop]\ngenerations = 1\n",
        R"(perl -ne '$| = 1; print /"genome":\[[0-5,]+\],"board":\[[0-5,]+\]/ ? 1 : 0, "\n"')");
    EXPECT_EQ(run(text).fitness, 1.0);
}

TEST(ProgramEvaluator, FailuresNameTheProgramAndWhatItDid) {
    expect_mentions(failure_of(recipe_text("sh -c 'exit 3'")), {"the evaluator 'sh -c ", "exit code 3"});
    expect_mentions(failure_of(recipe_text("sh -c 'kill -9 $$'")), {"signal 9"});
    expect_mentions(failure_of(recipe_text("sh -c 'read x; echo hello; read x'")),
                    {"individual 0 in generation 0 of island 0: the evaluator", "answered 'hello'",
                     "a number", "fitness"});
    expect_mentions(
        failure_of(recipe_text("sh -c 'read a; echo 1; read b; echo 2; read c; echo 3; read d; echo x'")),
        {"individual 3 in generation 0 of island 0: the evaluator", "answered 'x'"});
    expect_mentions(failure_of(recipe_text("sh -c 'read x; echo NaN; read x'")),
                    {"answered that 'fitness' is not a number: 'NaN'"});
    expect_mentions(failure_of(recipe_text("sh -c 'read x; echo; read x'")), {"answered ''"});
    expect_mentions(failure_of(recipe_text("sh -c 'read x; echo [1, 2]; read x'")), {"answered '[1, 2]'"});
    expect_mentions(
        failure_of(recipe_text("sh -c 'while :; do read x; sleep 1000; done'", "evaluation_seconds = 0.2")),
        {"no answer within 0.2 s"});
    expect_mentions(
        failure_of(recipe_text("sh -c 'exec >&-; read x; read x; sleep 1000'", "evaluation_seconds = 0.2")),
        {"the evaluator 'sh -c "});
    expect_mentions(failure_of(recipe_text("yes nothing-but-this")), {"evaluator 'yes nothing-but-this'"});
    // An answer too many would be taken for the next one's. Both come in one write.
    expect_mentions(failure_of(recipe_text("sh -c 'while read x; do seq 2; done'")),
                    {"said more than it was asked"});
}

TEST(ProgramEvaluator, BadOnesAreRefusedBeforeAnythingRuns) {
    expect_mentions(failure_of(recipe_text("./there-is-none.py")),
                    {"evaluator.program is './there-is-none.py'", "no such file"});
    expect_mentions(failure_of(recipe_text("there-is-none")), {"no such command", "./there-is-none"});
    expect_mentions(failure_of(recipe_text("/etc/passwd")), {"chmod +x"});
    expect_mentions(failure_of(recipe_text("/tmp")), {"no file that can be run"});
    expect_mentions(failure_of(recipe_text("")), {"evaluator.program is empty"});
    expect_mentions(failure_of(recipe_text("sh -c 'x")), {"quote is not closed"});
    expect_mentions(failure_of("[problem]\nkind = \"genomes\"\n[stop]\ngenerations = 1\n"),
                    {"no fitness of its own", "evaluator.program"});
    // Its target is not that of the program.
    expect_mentions(
        failure_of("[problem]\nkind = \"queens\"\n[evaluator]\nprogram = \"cat\"\n[stop]\nsolved = "
                   "true\ngenerations = 1\n"),
        {"r.toml:6:10: [stop] stop.solved", "leave it out"});
    // Written in short, and added to.
    expect_mentions(message_of<RecipeError>([] {
                        Recipe::parse("[problem]\nkind = \"genomes\"\n[stop]\ngenerations = 1\n", "r.toml",
                                      {"evaluator=cat", "evaluator.record=maximise"});
                    }),
                    {"--set evaluator.record=maximise", "a name is missing"});
}

TEST(ProgramEvaluator, PoliciesDealWithProgramsThatDie) {
    // Answers twice and dies.
    const std::string twice = R"(sh -c 'for i in 1 2; do read x; echo $i; done')";
    EXPECT_GT(run(recipe_text(twice, "on_failure = \"worst\"")).failures, 0U);
    // A new process answers: never two failures in a row.
    const Result retried = run(recipe_text(twice, "on_failure = \"retry\""));
    EXPECT_GT(retried.failures, 0U);
    EXPECT_EQ(retried.generations, 8U);
    // Whatever other threads' processes are about to do.
    for (int again = 0; again < 5; ++again)
        EXPECT_EQ(run(recipe_text(twice, "on_failure = \"retry\""), 3).generations, 8U);
}

TEST(ProgramEvaluator, IsPartOfWhatARecipeIs) {
    const Recipe one = Recipe::parse(recipe_text("cat"), "r.toml");
    const Recipe other = Recipe::parse(recipe_text("cat -u"), "r.toml");
    EXPECT_NE(one.hash(), other.hash());
    EXPECT_EQ(Recipe::parse(one.to_toml(), "again").hash(), one.hash());
    EXPECT_EQ(Recipe::parse(recipe_text("cat"), "r.toml", {"problem.kind=one-max", "evaluator=none"})
                  .choice("evaluator"),
              nullptr);
}

TEST(Recipe, FieldsThatCameLaterAreNoPartOfItWhereTheyChangeNothing) {
    const auto identity = [](const std::string& more) {
        return Recipe::parse(recipe_text("cat", more), "r.toml").identity();
    };
    EXPECT_FALSE(identity("").contains("evaluator.record"));
    EXPECT_FALSE(identity("record = \"\"").contains("evaluator.record"));
    EXPECT_TRUE(identity("record = \"maximise a\"").contains("evaluator.record"));
    EXPECT_TRUE(identity("").contains("evaluator.objective"));
}

TEST(ProgramEvaluator, MayBeNamedInOneLine) {
    const std::string rest = "[problem]\nkind = \"genomes\"\nlength = 40\n[algorithm]\npopulation = 20\n"
                             "[stop]\ngenerations = 8\n";
    const Recipe spelt = Recipe::parse(recipe_text("cat -u"), "r.toml");
    const Recipe brief = Recipe::parse("evaluator = \"cat -u\"\n" + rest, "r.toml");
    EXPECT_EQ(brief.identity(), spelt.identity());
    EXPECT_EQ(Recipe::parse(rest, "r.toml", {"evaluator=cat -u"}).identity(), spelt.identity());
    // What is set beside it leaves it there.
    const std::string worst = "evaluator.on_failure=worst";
    EXPECT_EQ(Recipe::parse("evaluator = \"cat -u\"\n" + rest, "r.toml", {worst}).identity(),
              Recipe::parse(recipe_text("cat -u"), "r.toml", {worst}).identity());
    expect_mentions(failure_of("evaluator = \"'cat\"\n" + rest), {"r.toml:1:13", "a quote is not closed"});
    expect_mentions(failure_of("evaluator = 3\n" + rest), {"r.toml:1:13", "evaluator must be"});
}

// Who only reads a recipe need not have its program.
TEST(ProgramEvaluator, IsLookedForOnlyWhereItIsUsed) {
    const Recipe recipe = Recipe::parse(recipe_text("./there-is-none.py"), "r.toml");
    EXPECT_EQ(recipe.problem().space(), Space::bits(40));
    EXPECT_THROW(recipe.require_program(), InvalidInput);
}

TEST(ProgramEvaluator, CommandLinesHaveWords) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(command_words("./score.py"), (Words{"./score.py"}));
    EXPECT_EQ(command_words("  a  b\tc "), (Words{"a", "b", "c"}));
    EXPECT_EQ(command_words(R"(sh -c 'a "b" c' "d 'e'" f"g h"i '')"),
              (Words{"sh", "-c", R"(a "b" c)", "d 'e'", "fg hi", ""}));
}

} // namespace
} // namespace knossos::run_program_evaluator_test
