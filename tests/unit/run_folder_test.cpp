#include "support.hpp"

#include <knossos/classic/one_max.hpp>
#include <knossos/core/error.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/run/checkpoint.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace knossos::run_folder_test {
namespace {

namespace fs = std::filesystem;
using test::expect_mentions;
using test::message_of;

class Scratch : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "knossos-folder-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        path_ = pattern;
    }
    void TearDown() override { fs::remove_all(path_); }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

std::vector<std::byte> some_bytes(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 37);
    return bytes;
}

Recipe small_recipe() {
    return Recipe::parse("[problem]\nkind = \"one-max\"\nlength = 40\n[algorithm]\npopulation = 10\n"
                         "[stop]\ngenerations = 50\n",
                         "r.toml");
}

Run small_run(const Recipe& recipe) { return {recipe.problem(), recipe.settings()}; }

// --- checkpoints -------------------------------------------------------------

TEST(Checkpoint, ComesBackAsItWasWritten) {
    for (const std::size_t size : {0U, 1U, 7U, 8U, 1000U}) {
        const auto snapshot = some_bytes(size);
        EXPECT_EQ(unpack_checkpoint(pack_checkpoint(snapshot, 5), 5), snapshot);
    }
}

TEST(Checkpoint, IsRefusedWhenTruncatedOrDamagedAnywhere) {
    const auto whole = pack_checkpoint(some_bytes(60), 5);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_THROW((void)unpack_checkpoint(std::span{whole}.first(i), 5), InvalidInput) << i;
        auto damaged = whole;
        damaged[i] ^= std::byte{0x10};
        EXPECT_THROW((void)unpack_checkpoint(damaged, 5), InvalidInput) << i;
    }
}

TEST(Checkpoint, OfAnotherRecipeIsRefused) {
    EXPECT_THROW((void)unpack_checkpoint(pack_checkpoint(some_bytes(9), 5), 6), InvalidInput);
}

using CheckpointFiles = Scratch;

TEST_F(CheckpointFiles, TheLastTwoAreKeptTheNewestFirst) {
    for (const std::size_t size : {10U, 20U, 30U}) write_checkpoint(path(), some_bytes(size), 5);
    const auto files = checkpoint_files(path());
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(read_checkpoint(files[0], 5), some_bytes(30));
    EXPECT_EQ(read_checkpoint(files[1], 5), some_bytes(20));
    write_file(files[0], "junk");
    expect_mentions(message_of([&] { (void)read_checkpoint(files[0], 5); }),
                    {files[0].string(), "not a Knossos"});
}

// --- folders -----------------------------------------------------------------

using Folder = Scratch;

TEST_F(Folder, IsLockedByOneAtATime) {
    const RunFolder folder = RunFolder::create(path() / "run", small_recipe());
    {
        const FolderLock lock = folder.claim();
        EXPECT_THROW((void)folder.claim(), InvalidInput);
    }
    EXPECT_NO_THROW((void)folder.claim());
}

TEST_F(Folder, IsSweptOfWhatAKilledWriterLeft) {
    const RunFolder folder = RunFolder::create(path() / "run", small_recipe());
    for (const char* name : {"trace.csv.4711.tmp", "notes.tmp", "x.y.tmp"})
        write_file(folder.path() / name, "");
    (void)folder.claim();
    EXPECT_FALSE(fs::exists(folder.path() / "trace.csv.4711.tmp"));
    EXPECT_TRUE(fs::exists(folder.path() / "notes.tmp"));
    EXPECT_TRUE(fs::exists(folder.path() / "x.y.tmp"));
}

TEST_F(Folder, WithNothingButLeftoversCanBeUsed) {
    write_file(path() / "recipe.toml.4711.tmp", "half a recipe");
    EXPECT_NO_THROW((void)RunFolder::create(path(), small_recipe()));
    EXPECT_THROW((void)RunFolder::create(path(), small_recipe()), InvalidInput);
}

// The file that the saver writes first is a pipe without a reader, as slow as a disk can get.
TEST_F(Folder, IsSavedWithoutKeepingTheRunWaiting) {
    const Recipe recipe = small_recipe();
    const RunFolder folder = RunFolder::create(path() / "run", recipe);
    const fs::path pipe = folder.path() / fmt::format("checkpoint.next.bin.{}.tmp", getpid());
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    knossos::Run run = small_run(recipe);
    BackgroundSaver saver{folder};
    EXPECT_TRUE(saver.save(run));
    for (int i = 0; i < 10; ++i) {
        run.step();
        EXPECT_FALSE(saver.save(run)) << "the first save can't be over";
    }
    const int reader = open(pipe.c_str(), O_RDONLY);
    ASSERT_GE(reader, 0);
    std::array<char, 65536> buffer{};
    while (read(reader, buffer.data(), buffer.size()) > 0) {
    }
    close(reader);
    // Pipes can't be flushed to a disk: what goes wrong in the background reaches whoever waits for it.
    EXPECT_THROW(saver.wait(), InputOutputError);
    EXPECT_TRUE(saver.save(run));
    saver.wait();
    std::string remark;
    EXPECT_EQ(folder.resume(recipe.settings(), remark).status().statistics.generation, 10U);
}

TEST_F(Folder, HoldsARunThatCanBeVerifiedOnceItIsOver) {
    const Recipe recipe = small_recipe();
    const RunFolder folder = RunFolder::create(path() / "run", recipe);
    expect_mentions(message_of([&] { (void)verify(folder, 1); }), {"holds no result yet", "knossos resume"});
    knossos::Run run = small_run(recipe);
    run.finish();
    folder.finish(run);
    EXPECT_TRUE(folder.is_finished());
    const RunFolder opened = RunFolder::open(folder.path());
    EXPECT_EQ(opened.recipe().to_toml(), recipe.to_toml());
    EXPECT_EQ(verify(opened, 2), std::nullopt);
    opened.reopen();
    EXPECT_FALSE(opened.is_finished());
}

TEST_F(Folder, WhoseResultWasTamperedWithIsFoundOut) {
    const Recipe recipe = small_recipe();
    const RunFolder folder = RunFolder::create(path() / "run", recipe);
    knossos::Run run = small_run(recipe);
    run.finish();
    folder.finish(run);
    std::string result = read_file(folder.path() / "result.json");
    const std::string digest = "\"digest\":\"";
    const std::size_t place = result.find(digest) + digest.size();
    result[place] = result[place] == '0' ? '1' : '0';
    write_file(folder.path() / "result.json", result);
    const auto differences = verify(folder, 1);
    ASSERT_TRUE(differences.has_value());
    expect_mentions(*differences, {"digest: recorded", "now"});
    EXPECT_EQ(differences->find("evaluations"), std::string::npos) << *differences;
}

// Wall time ends a run somewhere; its folder says where, so that it can be repeated.
TEST_F(Folder, OfARunThatTimeEndedRepeatsItToTheSameGeneration) {
    const Recipe recipe = Recipe::parse("[problem]\nkind = \"one-max\"\nlength = 40\n[algorithm]\n"
                                        "population = 10\n[stop]\nseconds = 0.000001\n",
                                        "r.toml");
    const RunFolder folder = RunFolder::create(path() / "run", recipe);
    knossos::Run run = small_run(recipe);
    run.finish();
    ASSERT_NE(run.result().stopped_by.find("seconds"), std::string::npos);
    folder.finish(run);
    const RunFolder opened = RunFolder::open(folder.path());
    expect_mentions(opened.recipe().to_toml(), {fmt::format("generations = {}", run.result().generations)});
    EXPECT_EQ(opened.recipe().to_toml().find("seconds = "), std::string::npos);
    EXPECT_EQ(verify(opened, 1), std::nullopt);
}

TEST_F(Folder, IsInUseWhileItIsClaimed) {
    const RunFolder folder = RunFolder::create(path() / "run", small_recipe());
    EXPECT_FALSE(folder.is_in_use());
    const FolderLock lock = folder.claim();
    EXPECT_TRUE(folder.is_in_use());
}

TEST_F(Folder, ThatIsNoneIsRefusedWithAReason) {
    const auto opening = [](const fs::path& place) {
        return message_of([&] { (void)RunFolder::open(place); });
    };
    expect_mentions(opening(path() / "nowhere"), {"nowhere", "there is no such run folder"});
    expect_mentions(opening(path()), {"is not a run folder", "no recipe.toml"});
    write_file(path() / "file", "");
    expect_mentions(opening(path() / "file"), {"file", "is not a run folder, but a file"});
    expect_mentions(message_of([&] { (void)RunFolder::create(path(), small_recipe()); }),
                    {"is not an empty folder"});
    EXPECT_FALSE(fs::exists(path() / "recipe.toml"));
}

// --- traces ------------------------------------------------------------------

TEST(Trace, ComesBackAsItWasWritten) {
    knossos::Run run = small_run(small_recipe());
    run.finish();
    const auto history = run.result().history;
    EXPECT_EQ(history.size(), 51U);
    const std::string text = trace_csv(history);
    EXPECT_EQ(trace_csv(read_trace(text, "trace.csv")), text);
}

TEST(Trace, ThatIsNoneIsRefusedWithItsLine) {
    knossos::Run run = small_run(small_recipe());
    run.finish();
    std::string text = trace_csv(run.result().history);
    expect_mentions(message_of([] { (void)read_trace("a,b\n1,2\n", "trace.csv"); }),
                    {"trace.csv:1", "the header must be"});
    const std::size_t third = text.find('\n', text.find('\n') + 1) + 1;
    text.replace(third, 1, "x");
    expect_mentions(message_of([&] { (void)read_trace(text, "trace.csv"); }),
                    {"trace.csv:3", "is not a number"});
    const std::string header =
        "generation,evaluations,best,mean,worst,deviation,diversity,best_ever,seconds,steps\n";
    EXPECT_EQ(read_trace(header + "0,1,1,1,1,0,0,1,0,7\n", "trace.csv").front().steps, 7U);
    for (const std::string steps : {"-1", "1e300", "nan"})
        expect_mentions(
            message_of([&] { (void)read_trace(header + "0,1,1,1,1,0,0,1,0," + steps + "\n", "trace.csv"); }),
            {"trace.csv:2", "steps"});
}

TEST(Trace, OfAMillionGenerationsStaysSmallAndHasItsEnds) {
    const std::uint64_t count = std::min<std::uint64_t>(1'000'000, test::seeds(1'000'000));
    const Result result = evolve(OneMax{.length = 8}, {.algorithm = MuPlusLambda{},
                                                       .population = 1,
                                                       .offspring = 1,
                                                       .stop = generations(count),
                                                       .diversity_pairs = 0});
    const std::string text = trace_csv(result.history);
    EXPECT_LT(text.size(), 50'000'000U);
    EXPECT_GT(result.history.size(), 5'000U);
    EXPECT_EQ(result.history.front().generation, 0U);
    EXPECT_EQ(result.history.back().generation, count);
}

// --- hashes ------------------------------------------------------------------

TEST(RecipeHash, IsThatOfEverythingButTheStopRules) {
    const Recipe recipe = small_recipe();
    EXPECT_EQ(recipe.with_stop(generations(7)).hash(), recipe.hash());
    const Recipe other = Recipe::parse(recipe.to_toml(), "r.toml", {"problem.length=41"});
    EXPECT_NE(other.hash(), recipe.hash());
}

TEST(Recipe, WithOneStopRuleReadsBackToo) {
    const Recipe recipe = small_recipe().with_stop(generations(7));
    EXPECT_EQ(Recipe::parse(recipe.to_toml(), "r.toml").to_toml(), recipe.to_toml());
    EXPECT_NE(recipe.to_toml().find("[stop]\ngenerations = 7\n"), std::string::npos);
}

} // namespace
} // namespace knossos::run_folder_test
