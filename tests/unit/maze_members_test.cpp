#include "maze_reference.hpp"
#include "support.hpp"

#include <knossos/maze/view/level.hpp>
#include <knossos/maze/view/level_members.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace knossos::maze::members_test {
namespace {

using Json = nlohmann::json;

// The level of docs/mazes.md: the ways over its two checkpoints meet in (4, 4).
const Level level = parse_level("E..#...\n.#.#.#.\nC#.C.#.\n.#.#.##\n.....#X\n");

TEST(Members, PairsComeWithTheirWitnesses) {
    const Survey surveyed = survey(level);
    EXPECT_EQ(pairs_text(surveyed, 80), "  pair         prc    iprc  witnesses\n"
                                        "  C1 C2          8       8  4,4\n");
    EXPECT_EQ(Json::parse(pairs_json(surveyed)),
              Json::parse(R"([{"pair":["C1","C2"],"prc":8,"iprc":8,"witnesses":[[4,4]]}])"));
    const Survey lonely = survey(parse_level("EC.\n..X\n"));
    EXPECT_EQ(pairs_text(lonely, 80), "  no pair of checkpoints\n");
    EXPECT_EQ(pairs_json(lonely), "[]");
    EXPECT_EQ(pairs_text(survey(parse_level("E.C\n##.\nC.X\n")), 80),
              "  pair         prc    iprc  witnesses\n"
              "  C1 C2          6       6  0,2\n");
}

TEST(Members, EachCellHasALetterForItsSet) {
    EXPECT_EQ(members_text(level, survey(level), 80), "  ...#bbb\n"
                                                      "  .#.#b#b\n"
                                                      "  a#.bb#b\n"
                                                      "  a#.#b##\n"
                                                      "  aaaac#?\n"
                                                      "\n"
                                                      "  .        7 cells  no members\n"
                                                      "  a        6 cells  C1\n"
                                                      "  b        9 cells  C2\n"
                                                      "  c         1 cell  C1 C2\n");
    EXPECT_NE(members_text(level, survey(level), 8).find("7 columns don't fit here; --json"),
              std::string::npos);
}

TEST(Members, OfEveryCellAsTheDefinitionSays) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Stream stream = test::stream_for(seed);
        const Level one = reference::random_level(stream, 14, seed % 2 == 0);
        const Survey surveyed = survey(one);
        const Json rows = Json::parse(members_json(surveyed));
        ASSERT_EQ(rows.size(), one.grid.height());
        for (std::size_t i = 0; i < one.grid.area(); ++i) {
            const Json& cell = rows[i / one.grid.width()][i % one.grid.width()];
            ASSERT_EQ(cell.is_null(), surveyed.distance[i] < 0);
            Json expected = Json::array();
            for (std::size_t c = 0; c < one.checkpoints.size(); ++c)
                if ((surveyed.members[i] >> c & 1U) != 0) expected.push_back("C" + std::to_string(c + 1));
            ASSERT_EQ(cell, cell.is_null() ? Json() : expected);
        }
        // No line is too long, whatever there is to tell.
        for (const std::string& text : {members_text(one, surveyed, 60), pairs_text(surveyed, 60)}) {
            std::istringstream lines{text};
            for (std::string line; std::getline(lines, line);) ASSERT_LE(line.size(), 60U) << line;
        }
    }
}

TEST(Members, AreDrawnWhereWaysOverACheckpointLead) {
    const render::TerminalOptions plain{.unicode = false};
    const std::string text = level_text(level, plain, {.members = 0});
    EXPECT_NE(text.find("##1 ##"), std::string::npos) << text;
    EXPECT_NE(text.find("##**##"), std::string::npos) << text;
    const render::Picture picture = level_picture(level, {.members = 1});
    EXPECT_NE(picture.description.find("where shortest ways over checkpoint C2 lead"), std::string::npos);
    EXPECT_NE(render::to_svg(picture), render::to_svg(level_picture(level, {.members = 0})));
    test::expect_mentions(test::message_of([&] { (void)level_picture(level, {.members = 2}); }),
                          {"there is no checkpoint C3; there are C1..C2"});
    test::expect_mentions(
        test::message_of([&] { (void)level_text(parse_level("E.\n.X\n"), {}, {.members = 0}); }),
        {"the level has none"});
}

TEST(Members, ACaptionCountsCheckpointsOnOneWay) {
    // No shortest way passes both.
    const Level fork = parse_level("E.C\n.#.\nC.X\n");
    EXPECT_EQ(level_caption(fork, measure(fork)),
              "3 × 3, exit path 4, 1 cul-de-sac, 1 of 2 checkpoints on one shortest way");
}

} // namespace
} // namespace knossos::maze::members_test
