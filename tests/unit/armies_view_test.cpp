#include <knossos/armies/view/board.hpp>
#include <knossos/recipe/domains.hpp>

#include "render_support.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace knossos::armies::view_test {

using namespace render;

using test::columns_of;
using test::expect_mentions;
using test::lines_of;
using test::message_of;
using test::XmlCheck;

namespace {

Board random_board(std::uint64_t seed) {
    Stream stream = test::stream_for(seed);
    Board board{.size = 2 + stream.below(40), .armies = 2 + stream.below(7), .squares = {}};
    for (std::uint32_t i = 0; i < board.size * board.size; ++i)
        board.squares.push_back(
            static_cast<std::uint8_t>(stream.below(10) == 0 ? 1 + stream.below(board.armies) : 0));
    return board;
}

const Board peaceable{.size = 3, .armies = 2, .squares = {1, 0, 0, 0, 0, 2, 0, 0, 0}};

std::string refusal_of(std::string_view board) {
    return message_of([&] { (void)parse_board(fmt::format("{{\"board\":{}}}", board), "b.json"); });
}

} // namespace

TEST(ArmiesBoardJson, IsReadBack) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Board board = random_board(seed);
        EXPECT_EQ(parse_board(board_json(board)), board);
        EXPECT_EQ(parse_board(fmt::format("{{\"seed\":1,\"result\":{}}}", board_json(board))), board);
    }
}

TEST(ArmiesBoardText, IsReadBack) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Board board = random_board(seed);
        if (army_sizes(board).back() == 0) continue; // nobody tells of an army without queens
        for (const bool unicode : {false, true})
            EXPECT_EQ(parse_board(board_text(board, {.unicode = unicode})), board) << seed;
    }
    EXPECT_FALSE(parse_board("1 0 2\n").has_value());
    EXPECT_FALSE(parse_board("...\n...\n").has_value());
    expect_mentions(message_of([] { (void)parse_board("1..\n..2\n", "b.txt"); }),
                    {"b.txt: row 1", "3 squares"});
}

TEST(ArmiesBoardJson, SaysWhatTheBoardIsLike) {
    const auto board = nlohmann::json::parse(board_json(peaceable)).at("board");
    EXPECT_EQ(board.at("size"), 3);
    EXPECT_EQ(board.at("armies"), 2);
    EXPECT_EQ(board.at("smallest"), 1);
    EXPECT_EQ(board.at("peaceable"), true);
    EXPECT_EQ(board.at("rows"), (std::vector<std::string>{"1..", "..2", "..."}));
}

TEST(ArmiesBoardJson, RowsAreEnough) {
    EXPECT_EQ(parse_board(R"({"board":{"rows":["1..","..2","..."]}})"), peaceable);
    EXPECT_EQ(parse_board(R"({"board":{"rows":["..",".."]}})")->armies, 2U);
}

TEST(ArmiesBoardJson, LeavesOtherThingsToOthers) {
    for (const std::string_view text : {"", "[1,3,0,2]", "{broken", "1 3 0 2", R"({"board":[1,3,0,2]})",
                                        R"({"cells":["..",".#"]})", R"({"board":{}})", R"({"result":3})"})
        EXPECT_FALSE(parse_board(text).has_value()) << text;
}

TEST(ArmiesBoardJson, SaysWhatIsWrongAndWhere) {
    expect_mentions(refusal_of(R"({"rows":3})"), {"b.json", "rows holds 3", "2 to 64 rows"});
    expect_mentions(refusal_of(R"({"rows":["."]})"), {"rows holds 1 row;", "2 to 64 rows"});
    expect_mentions(refusal_of(R"({"rows":["..","..."]})"), {"row 2 has 3 squares", "2 rows"});
    expect_mentions(refusal_of(R"({"rows":["..",7]})"), {"row 2 is 7", "numbers of armies"});
    expect_mentions(refusal_of(R"({"rows":["1x",".."]})"), {"row 1 is '1x'", "1 to 8"});
    expect_mentions(refusal_of(R"({"rows":["19",".."]})"), {"row 1 is '19'"});
    expect_mentions(refusal_of(R"({"rows":["13",".."],"armies":2})"), {"army 3", "2 armies"});
    expect_mentions(refusal_of(R"({"rows":["12",".."],"armies":9})"), {"armies is 9", "2..8"});
    expect_mentions(refusal_of(R"({"rows":["12",".."],"armies":"two"})"),
                    {"armies is \"two\"", "whole number"});
    expect_mentions(refusal_of(R"({"rows":["12",".."],"size":4})"), {"size is 4", "2 rows"});
}

TEST(ArmiesBoardJson, AWrongBoardIsRefusedByItsOwnDomain) {
    expect_mentions(message_of([] { (void)read_artefact(R"({"board":{"rows":["1"]}})", "x.json"); }),
                    {"x.json", "2 to 64 rows"});
}

TEST(ArmiesArtefact, KnowsWhetherItIsPeaceable) {
    EXPECT_TRUE(read_artefact(board_json(peaceable), "b.json")->is_reached());
    EXPECT_FALSE(read_artefact(R"({"board":{"rows":["12",".."]}})", "b.json")->is_reached());
}

TEST(ArmiesArtefact, ResultsShowArmiesOfOneSize) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Recipe recipe =
            Recipe::load("armies", {"problem.n=7", "stop.evaluations=5", fmt::format("seed={}", seed)});
        const Result result = evolve(recipe.problem(), recipe.settings());
        const auto board = parse_board(artefact_of(recipe, result.best)->json());
        ASSERT_TRUE(board.has_value());
        for (const std::uint32_t size : army_sizes(*board)) EXPECT_EQ(size, result.fitness);
        EXPECT_TRUE(is_peaceable(*board));
    }
}

TEST(ArmiesText, CaptionsSayWhatMatters) {
    EXPECT_EQ(board_caption(peaceable), "2 armies of 1 queen each, none attacked");
    EXPECT_EQ(board_caption({2, 2, {1, 2, 0, 0}}), "2 armies of 1 queen each, 1 pair attacks each other");
    EXPECT_EQ(board_caption({2, 2, {1, 1, 0, 0}}), "2 armies of 2, 0 queens, none attacked");
}

TEST(ArmiesText, ShowsArmiesAsNumbers) {
    EXPECT_EQ(board_text(peaceable, {.unicode = false}),
              "1 . .\n. . 2\n. . .\n2 armies of 1 queen each, none attacked\n");
}

TEST(ArmiesText, FitsTheTerminal) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Board board = random_board(seed);
        for (const auto depth : {ColourDepth::none, ColourDepth::palette, ColourDepth::full}) {
            const auto lines = lines_of(board_text(board, {.colours = depth, .columns = 60}));
            ASSERT_EQ(lines.size(), board.size + 1);
            for (std::size_t i = 0; i < board.size; ++i) EXPECT_LE(columns_of(lines[i]), 60U);
        }
    }
}

TEST(ArmiesPicture, SvgIsSound) {
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        for (const std::uint32_t cell : {0U, 1U, 5U, 30U})
            EXPECT_EQ(XmlCheck::problem(to_svg(board_picture(random_board(seed), {.cell = cell}))), "");
}

TEST(ArmiesPicture, EveryArmyHasAColourOfItsOwn) {
    for (const Theme& theme : {light, dark}) {
        Board board{.size = 8, .armies = 8, .squares = std::vector<std::uint8_t>(64)};
        for (std::size_t i = 0; i < 8; ++i) board.squares[i * 9] = static_cast<std::uint8_t>(i + 1);
        // One army a picture, so that nobody is attacked and no line lies on a tile.
        std::set<std::string> colours;
        for (std::uint8_t army = 1; army <= 8; ++army) {
            Board alone = board;
            for (std::uint8_t& square : alone.squares) square = square == army ? army : 0;
            const Pixels pixels = rasterise(board_picture(alone, {.theme = theme, .cell = 20}));
            const std::uint32_t corner = 6 + 20U * (army - 1U) + 4;
            const Colour colour = pixels.at(corner, corner);
            EXPECT_TRUE(colours.insert(hex(colour)).second) << hex(colour);
            EXPECT_NE(colour, theme.floor);
            EXPECT_NE(colour, theme.floor_shade);
        }
    }
}

TEST(ArmiesPicture, TooLargeACellIsRefused) {
    expect_mentions(message_of([] { (void)board_picture(peaceable, {.cell = 20'000}); }), {"32,000"});
}

} // namespace knossos::armies::view_test
