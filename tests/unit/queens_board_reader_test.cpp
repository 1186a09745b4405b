#include "sanitized.hpp"
#include "support.hpp"

#include <knossos/queens/view/board_files.hpp>
#include <knossos/queens/view/board_reader.hpp>

#include <gtest/gtest.h>

namespace knossos::queens::board_reader_test {
namespace {

std::string refusal_of(std::string_view text) {
    try {
        (void)parse_board(text, "b");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "none";
}

TEST(BoardReader, ReadsWhatIsWritten) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Stream stream = test::stream_for(seed);
        const std::uint32_t size = seed == 0 ? 1 : seed % 4 == 0 ? 8 : 2 + stream.below(40);
        std::vector<std::uint32_t> columns(size);
        for (auto& column : columns) column = stream.below(size);
        const Board board = queens::from_columns(columns);
        for (const std::string_view format : {"rows", "csv", "json", "fen", "ascii"}) {
            if (format == "fen" && size != 8) continue;
            const auto read = parse_board(render_board(board, format));
            ASSERT_TRUE(read.has_value()) << format;
            EXPECT_EQ(queens::to_columns(*read), columns) << format;
        }
    }
}

TEST(BoardReader, ReadsBoardsOfAnyNumberOfQueens) {
    const Board board{.size = 5, .queens = {{0, 1}, {0, 3}, {4, 4}}};
    EXPECT_EQ(parse_board(render_board(board, "json")), board);
    EXPECT_EQ(parse_board("8/8/8/8/8/8/8/Q6Q w - - 0 1")->queens.size(), 2U);
}

TEST(BoardReader, ReadsResultsOfRuns) {
    const Board board = queens::from_columns(std::vector<std::uint32_t>{1, 3, 0, 2});
    EXPECT_EQ(parse_board(R"({"seed":1,"result":{"genome":[1,3,0,2],"board":[1,3,0,2]}})"), board);
    EXPECT_EQ(parse_board("[1, 3, 0, 2]"), board);
    EXPECT_EQ(parse_board(" 1 3\n0 2\n"), board);
}

TEST(BoardReader, ReadsEverySquareOfTextFiles) {
    // Beyond what a terminal shows, and with attacks, which are marked.
    const Board large{.size = 200, .queens = {{0, 199}, {0, 3}, {77, 4}, {199, 0}}};
    EXPECT_EQ(parse_board(render_board(large, "ascii"))->queens.size(), 4U);
    EXPECT_EQ(parse_board(render_board(large, "ascii"))->size, 200U);
    // As a terminal shows it.
    const Board board = queens::from_columns(std::vector<std::uint32_t>{1, 3, 0, 2, 2});
    EXPECT_EQ(parse_board(board_text(board)), board);
    EXPECT_EQ(refusal_of(".Q\n...\n"),
              "b: line 2 has 3 squares, but there are 2 rows of them; a board is as wide as high");
    EXPECT_THROW((void)render_board({.size = 1'001, .queens = {}}, "ascii"), InvalidInput);
}

TEST(BoardReader, LeavesLevelsToOthers) {
    EXPECT_FALSE(parse_board("").has_value());
    EXPECT_FALSE(parse_board("E..\n#.#\n..X\n").has_value());
    EXPECT_FALSE(parse_board(R"({"cells":["..",".#"]})").has_value());
    EXPECT_FALSE(parse_board("0,1,0\n0,0,0\n").has_value());
    EXPECT_FALSE(parse_board("010\n000\n").has_value());
    EXPECT_FALSE(parse_board("{broken").has_value());
}

TEST(BoardReader, RefusesObjectsWithMoreNamesThanAnybodyGives) {
    const auto named = [](int count) {
        std::string text = "{\"board\": [0, 1]";
        // Each is compared with all before it, which takes a minute under sanitizers: there they are all
        // alike.
        for (int i = 1; i < count; ++i)
            text += ", \"n" + std::to_string(test::is_sanitized ? 1 : i) + "\": {}";
        return text + "}";
    };
    EXPECT_EQ(parse_board(named(10'000))->size, 2U);
    EXPECT_NE(refusal_of(named(10'001)).find("more than 10000 names"), std::string::npos);
}

TEST(BoardReader, SaysWhatIsWrongAndWhere) {
    test::expect_mentions(refusal_of("0 1 9 2"), {"b: row 2", "column 9", "0 to 3"});
    test::expect_mentions(refusal_of("row,column\n0,1\n1,x\n"), {"line 3", "'1,x'"});
    test::expect_mentions(refusal_of("row,column\n0,1\n7,1\n"), {"row 7", "off the board"});
    test::expect_mentions(refusal_of("row,column\n0,1\n0,1\n"), {"two queens", "row 0, column 1"});
    test::expect_mentions(refusal_of("row,column\n"), {"no queen"});
    test::expect_mentions(refusal_of("7/8/8/8/8/8/8/Q7"), {"rank 8 has 7 squares"});
    test::expect_mentions(refusal_of(R"({"size":9,"columns":[0,1,2]})"), {"size is 9", "3 rows"});
    test::expect_mentions(refusal_of(R"({"size":3,"squares":[[0,3]]})"), {"[0,3]", "3 rows"});
    test::expect_mentions(refusal_of(R"({"board":[0,-1]})"), {"row 1", "-1"});
    test::expect_mentions(refusal_of(R"({"result":{"genome":[0],"board":[0,1]}})"), {"genome has 1 gene,"});
    test::expect_mentions(refusal_of(R"({"columns":[]})"), {"no rows"});
    test::expect_mentions(refusal_of(R"({"size":4294967294,"squares":[[0,3]]})"), {"size", "1..1000000"});
}

} // namespace
} // namespace knossos::queens::board_reader_test
