#include "run_support.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace knossos::start_test {
namespace {

using test::expect_mentions;
using test::settings_for;

using Evolution = Run;

TEST(Start, FillsTheFirstPlacesOfEachIslandInTurn) {
    const Space space = Space::bits(30);
    Settings settings = settings_for(space);
    settings.population = 4;
    settings.islands = {.count = 3};
    settings.stop = generations(1);
    Stream stream = test::stream_for(3);
    for (std::size_t i = 0; i < 17; ++i) { // three islands have room for twelve
        Genome genome{space, std::vector<std::byte>(space.genome_bytes())};
        randomise(stream, space, genome.bytes.data());
        settings.start.push_back(std::move(genome));
    }
    for (const std::size_t given : {17U, 5U, 0U}) {
        settings.start.resize(given, settings.start.front());
        Evolution run{test::Landscape{space}, settings};
        for (const Island& island : run.islands())
            for (std::size_t slot = 0; slot < 4; ++slot) {
                const std::size_t dealt = island.index + 3 * slot;
                const bool is_given = dealt < given && std::memcmp(island.current.genome(slot),
                                                                   settings.start[dealt].bytes.data(),
                                                                   space.genome_bytes()) == 0;
                EXPECT_EQ(is_given, dealt < given);
            }
        EXPECT_EQ(run.status().statistics.evaluations, 12U);
        if (given == 0) break;
    }
    settings.start.assign(1, {Space::bits(31), std::vector<std::byte>(8)});
    EXPECT_THROW(check(test::Landscape{space}, settings), InvalidInput);
    settings.start.assign(1, {space, std::vector<std::byte>(3)});
    EXPECT_THROW(check(test::Landscape{space}, settings), InvalidInput);
}

const std::vector<std::string> small{"problem.width=8", "problem.height=8",
                                     "algorithm.axes=path 0..40 by 2, rock 0..64 by 4",
                                     "stop.evaluations=5000", "algorithm.offspring=500"};

std::vector<std::string> with(std::vector<std::string> settings, std::vector<std::string> more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

class StartOfARecipe : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("knossos-start-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                   "-" + ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
        const Recipe recipe = Recipe::load("maze-gallery", small);
        gallery_ = *evolve(recipe.problem(), recipe.settings()).gallery;
        write_file(file(), gallery_json(measured(recipe, gallery_)));
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path file() const { return folder_ / "gallery.json"; }
    [[nodiscard]] static std::string fault(const std::string& name,
                                           const std::vector<std::string>& settings) {
        try {
            (void)Recipe::load(name, settings);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    }

    std::filesystem::path folder_;
    Gallery gallery_{};
};

TEST_F(StartOfARecipe, GoesOnWhereAGalleryEnded) {
    for (const std::string& path : {file().string(), folder_.string()}) {
        const Recipe recipe = Recipe::load("maze-gallery", with(small, {"seed=5", "start.gallery=" + path}));
        EXPECT_EQ(recipe.settings().start.size(), gallery_.elites.size());
        const Result result = evolve(recipe.problem(), recipe.settings());
        EXPECT_GE(result.gallery->cell.size(), gallery_.cell.size());
        EXPECT_GE(result.history.front().coverage, gallery_.coverage) << "all of it, from the first";
    }
    // Any other algorithm on such things can begin with them, too, and with another goal.
    const Recipe other = Recipe::load(
        "maze-direct", {"problem.width=8", "problem.height=8", "start.gallery=" + file().string()});
    EXPECT_EQ(other.settings().start.size(), gallery_.elites.size());
}

TEST_F(StartOfARecipe, IsKnownByWhatItHoldsNotByWhereItLies) {
    const auto hash = [](const std::string& path) {
        return Recipe::load("maze-gallery", with(small, {"start.gallery=" + path})).hash();
    };
    const std::uint64_t first = hash(file().string());
    EXPECT_NE(first, Recipe::load("maze-gallery", small).hash());
    std::filesystem::copy_file(file(), folder_ / "copy.json");
    EXPECT_EQ(hash((folder_ / "copy.json").string()), first);
    // A recipe that is written down and read again is the same, wherever that happens.
    const Recipe recipe = Recipe::load("maze-gallery", with(small, {"start.gallery=" + file().string()}));
    EXPECT_EQ(Recipe::parse(recipe.to_toml(), "again").hash(), first);
    const Recipe other = Recipe::load("maze-gallery", with(small, {"seed=3"}));
    write_file(file(), gallery_json(measured(other, *evolve(other.problem(), other.settings()).gallery)));
    EXPECT_NE(hash(file().string()), first);
    // A gallery can be read when what its own run began with is gone.
    const Recipe heir = Recipe::load("maze-gallery", with(small, {"start.gallery=" + file().string()}));
    const std::string inherited = gallery_json(measured(heir, gallery_));
    std::filesystem::remove(file());
    EXPECT_EQ(read_gallery(inherited, "heir").elites.size(), gallery_.elites.size());
}

TEST_F(StartOfARecipe, IsRefusedWhereItDoesNotFit) {
    const std::string start = "start.gallery=" + file().string();
    const auto other = with(small, {start});
    EXPECT_EQ(fault("maze-gallery", other), "");
    expect_mentions(fault("maze-gallery", with(other, {"problem.width=9"})),
                    {"start.gallery", "problem.width", "8", "9"});
    expect_mentions(fault("maze-gallery", with(other, {"problem.width=16", "problem.height=4"})),
                    {"problem.width", "8", "16"});
    expect_mentions(fault("one-max", {start}), {"a gallery of maze", "one-max"});
    expect_mentions(fault("maze-gallery", with(small, {"start.gallery=" + (folder_ / "none.json").string()})),
                    {"none.json", "no such file"});
    expect_mentions(fault("maze-gallery", with(small, {"start.gallery="})), {"start.gallery", "no gallery"});
    write_file(folder_ / "text.json", "{\"elites\": 3}");
    expect_mentions(fault("maze-gallery", with(small, {"start.gallery=" + (folder_ / "text.json").string()})),
                    {"text.json", "is no gallery"});
    std::filesystem::create_directory(folder_ / "empty");
    expect_mentions(fault("maze-gallery", with(small, {"start.gallery=" + (folder_ / "empty").string()})),
                    {"holds no gallery.json"});
    const auto tight = with(other, {"stop.evaluations=210", "algorithm.population=10"});
    if (gallery_.elites.size() > 210)
        expect_mentions(fault("maze-gallery", tight), {"stop.evaluations", "210"});
}

} // namespace
} // namespace knossos::start_test
