#include <knossos/queens/view/board_files.hpp>

#include "render_support.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sys/stat.h>

namespace knossos::queens::board_view_test {

using namespace render;

using test::columns_of;
using test::expect_mentions;
using test::Folder;
using test::lines_of;
using test::message_of;
using test::XmlCheck;

namespace {

queens::Board solution(std::uint32_t size) {
    return queens::from_columns(queens::solve(size, Streams{1, 2}).columns);
}

queens::Board diagonal(std::uint32_t size) {
    std::vector<std::uint32_t> columns(size);
    for (std::uint32_t i = 0; i < size; ++i) columns[i] = i;
    return queens::from_columns(columns);
}

queens::Board random_board(std::uint32_t size, std::uint64_t seed) {
    Stream stream = test::stream_for(seed);
    std::vector<std::uint32_t> columns(size);
    for (auto& column : columns) column = static_cast<std::uint32_t>(stream.below(size));
    return queens::from_columns(columns);
}

std::size_t count_of(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

} // namespace

TEST(BoardPicture, PngHasTheThemeColoursAtItsSquares) {
    for (const Theme& theme : {light, dark}) {
        const std::uint32_t cell = 20;
        const queens::Board board = solution(8);
        const Pixels pixels =
            rasterise(board_picture(board, {.theme = theme, .cell = cell, .coordinates = false}));
        const std::uint32_t margin = (pixels.width - 8 * cell) / 2;
        ASSERT_EQ(pixels.width, pixels.height);
        EXPECT_EQ(pixels.at(0, 0), theme.ground);
        const std::vector<std::uint32_t> columns = queens::to_columns(board);
        for (std::uint32_t row = 0; row < 8; ++row)
            for (std::uint32_t column = 0; column < 8; ++column) {
                const std::uint32_t x = margin + column * cell;
                const std::uint32_t y = margin + (7 - row) * cell;
                const Colour square = (row + column) % 2 == 0 ? theme.floor_shade : theme.floor;
                EXPECT_EQ(pixels.at(x + 1, y + 1), square);
                const Colour middle = pixels.at(x + cell / 2, y + cell / 2 + 1);
                EXPECT_EQ(middle, columns[row] == column ? theme.ink : square);
            }
    }
}

TEST(BoardPicture, SolvedIsFramedInOlive) {
    const std::string frame = hex(light.olive);
    EXPECT_NE(to_svg(board_picture(solution(8))).find(frame), std::string::npos);
    EXPECT_EQ(to_svg(board_picture(diagonal(8))).find(frame), std::string::npos);
}

TEST(BoardPicture, EveryAttackedQueenHasARing) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const queens::Board board = random_board(12, seed);
        const Picture picture = board_picture(board);
        const auto rings = std::ranges::count_if(
            picture.shapes, [](const Shape& shape) { return std::holds_alternative<Ring>(shape); });
        EXPECT_EQ(rings, std::ranges::count(queens::attacked(board), true));
    }
}

TEST(BoardPicture, SvgIsWellFormedForEverySize) {
    for (const std::uint32_t size : {1U, 2U, 3U, 4U, 8U, 27U, 100U, 200U, 201U, 1000U}) {
        EXPECT_EQ(XmlCheck::problem(to_svg(board_picture(random_board(size, 3)))), "") << size;
        EXPECT_EQ(XmlCheck::problem(to_svg(board_picture({.size = size, .queens = {}}))), "") << size;
    }
}

TEST(BoardPicture, StaysWithinTheSideThatWasAskedFor) {
    for (const std::uint32_t size : {8U, 60U, 150U, 200U, 201U, 3000U, 30'000U}) {
        const Picture picture = board_picture(random_board(size, 1), {.coordinates = false});
        EXPECT_LE(picture.width, 1600U) << size;
        EXPECT_LE(picture.height, 1600U) << size;
    }
}

TEST(BoardPicture, DenseBoardsAreSmallFiles) {
    EXPECT_LT(to_svg(board_picture(random_board(200'000, 1))).size(), 700'000U);
}

TEST(BoardPicture, CoordinatesOnlyWhereThereIsRoom) {
    EXPECT_EQ(count_of(to_svg(board_picture(solution(8), {.cell = 20})), "<text"), 16U);
    EXPECT_EQ(count_of(to_svg(board_picture(solution(8), {.cell = 19})), "<text"), 0U);
    EXPECT_NE(to_svg(board_picture(solution(30), {.cell = 20})).find(">ad<"), std::string::npos);
}

TEST(BoardPicture, RefusesWhatCannotBeDrawn) {
    EXPECT_THROW(board_picture({}), InvalidInput);
    expect_mentions(message_of([] { board_picture(solution(100), {.cell = 1000}); }),
                    {"100", "1000", "smaller"});
}

TEST(BoardText, NeverWiderThanTheTerminal) {
    for (const std::uint32_t size :
         {1U, 4U, 8U, 26U, 27U, 38U, 39U, 40U, 41U, 77U, 78U, 79U, 80U, 81U, 500U, 123'456U})
        for (const queens::Board& board : {solution(size), random_board(size, 9)})
            for (const bool unicode : {false, true})
                for (const ColourDepth colours :
                     {ColourDepth::none, ColourDepth::palette, ColourDepth::full}) {
                    if (size > 100'000 && colours != ColourDepth::full) continue; // takes its time
                    const std::string text = board_text(board, {.colours = colours, .unicode = unicode});
                    EXPECT_TRUE(text.ends_with('\n'));
                    for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 80U) << size;
                }
}

TEST(BoardText, AsciiShowsEveryQueenOnItsSquare) {
    for (const std::uint32_t size : {4U, 8U, 26U, 30U, 40U}) {
        const queens::Board board = solution(size);
        const std::vector<std::uint32_t> columns = queens::to_columns(board);
        const std::vector<std::string> lines = lines_of(board_text(board, {.unicode = false}));
        const std::size_t indent = size <= 26 ? 3 : 0;
        for (std::uint32_t row = 0; row < size; ++row)
            EXPECT_EQ(lines[size - 1 - row].find('Q'), indent + 2 * columns[row]) << size;
        EXPECT_EQ(lines.back(), std::to_string(size) + " queens, solved");
    }
}

TEST(BoardText, AsciiIsAscii) {
    for (const std::uint32_t size : {8U, 50U, 300U})
        for (const char byte : board_text(random_board(size, 2), {.unicode = false}))
            EXPECT_LT(static_cast<unsigned char>(byte), 0x80);
}

TEST(BoardText, AttackedQueensAreMarkedWithoutColour) {
    for (const std::uint32_t size : {12U, 30U, 60U})
        for (const bool unicode : {false, true}) {
            const queens::Board board = random_board(size, 4);
            const std::string text = board_text(board, {.unicode = unicode});
            const auto attacked = static_cast<std::size_t>(std::ranges::count(queens::attacked(board), true));
            EXPECT_EQ(count_of(text, "!"), attacked + 1) << "one more in the legend";
            expect_mentions(text, {"under attack"});
        }
}

TEST(BoardText, ListsTheCollisionsOfEachQueen) {
    // Queens on a1, b2, c3 and a4: the three on the diagonal meet two each, a4 and a1 one more.
    const queens::Board board{4, {{0, 0}, {1, 1}, {2, 2}, {3, 0}}};
    expect_mentions(board_text(board, {.unicode = false}), {"8 collisions: a1 3, b2 2, c3 2, a4 1\n"});
    EXPECT_EQ(board_text(solution(8)).find("collision"), std::string::npos);
}

TEST(BoardText, ColoursOnlyWhenAllowed) {
    EXPECT_EQ(board_text(solution(8)).find('\x1b'), std::string::npos);
    EXPECT_NE(board_text(solution(8), {.colours = ColourDepth::palette}).find("\x1b[48;5;"),
              std::string::npos);
    EXPECT_NE(board_text(solution(8), {.colours = ColourDepth::full}).find("\x1b[48;2;243;234;216m"),
              std::string::npos);
}

TEST(BoardText, ConflictsAgreeWithPairwiseCounting) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const queens::Board board = random_board(9, seed);
        std::uint64_t pairs = 0;
        for (std::size_t j = 0; j < board.queens.size(); ++j)
            for (std::size_t i = 0; i < j; ++i) {
                const auto [a, b] = board.queens[i];
                const auto [c, d] = board.queens[j];
                pairs += a == c || b == d || a + b == c + d || a + d == c + b ? 1U : 0U;
            }
        EXPECT_EQ(board_conflicts(board), pairs);
    }
}

TEST(BoardFiles, FenNamesTheRanksFromTheTop) {
    const std::vector<std::uint32_t> columns{0, 4, 7, 5, 2, 6, 1, 3};
    EXPECT_EQ(board_fen(queens::from_columns(columns)), "3Q4/1Q6/6Q1/2Q5/5Q2/7Q/4Q3/Q7 w - - 0 1\n");
    expect_mentions(message_of([] { board_fen(solution(9)); }), {"8 × 8", "9 × 9"});
}

TEST(BoardFiles, RowsAndCsvCountFromZero) {
    const queens::Board board = queens::from_columns(std::vector<std::uint32_t>{1, 3, 0, 2});
    EXPECT_EQ(board_rows(board), "1 3 0 2\n");
    EXPECT_EQ(board_csv(board), "row,column\n0,1\n1,3\n2,0\n3,2\n");
    expect_mentions(message_of([] { board_rows({.size = 2, .queens = {{0, 0}, {0, 1}}}); }),
                    {"each row", "CSV"});
}

TEST(BoardFiles, JsonHoldsColumnsOrSquares) {
    const auto solved =
        nlohmann::json::parse(board_json(queens::from_columns(std::vector<std::uint32_t>{1, 3, 0, 2})));
    EXPECT_EQ(solved, nlohmann::json::parse(R"({"size":4,"columns":[1,3,0,2],"solved":true,"conflicts":0})"));
    const auto two = nlohmann::json::parse(board_json({.size = 3, .queens = {{0, 0}, {0, 1}}}));
    EXPECT_EQ(two,
              nlohmann::json::parse(
                  R"({"size":3,"squares":[[0,0],[0,1]],"solved":false,"conflicts":1,"collisions":[1,1]})"));
}

TEST(BoardFiles, EveryBoardFormatWritesAFile) {
    const Folder folder;
    for (const Format& format : board_formats()) {
        const auto path = folder / ("board." + format.extensions.front());
        write_board(path, solution(8));
        EXPECT_EQ(test::content_of(path), render_board(solution(8), format.name)) << format.name;
    }
    expect_mentions(message_of([] { render_board({.size = 1, .queens = {}}, "tmx"); }), {"tmx", "queens"});
}

TEST(BoardFiles, QueensOffTheBoardAreRefused) {
    expect_mentions(message_of([] { render_board({.size = 3, .queens = {{0, 3}}}, "json"); }),
                    {"column 3", "3 × 3"});
}

TEST(BoardFiles, FailedWritesNameThePathAndLeaveNothing) {
    const Folder folder;
    const auto missing = folder / "missing/board.svg";
    expect_mentions(message_of<InputOutputError>([&] { write_board(missing, solution(8)); }),
                    {"missing/board.svg", "no folder"});
    std::filesystem::create_directory(folder / "taken.svg");
    expect_mentions(message_of<InputOutputError>([&] { write_board(folder / "taken.svg", solution(8)); }),
                    {"taken.svg", "is a folder"});
    EXPECT_THROW(write_board(folder / "nine.fen", solution(9)), InvalidInput);
    // What is no regular file is written to, not replaced: a device without room says so.
    std::filesystem::create_symlink("/dev/full", folder / "full.rows");
    expect_mentions(message_of<InputOutputError>([&] { write_board(folder / "full.rows", solution(8)); }),
                    {"full.rows", "writing failed"});
    EXPECT_EQ(folder.files(), 2U);
}

TEST(BoardFiles, WritingReplacesTheOldFileAndKeepsLinks) {
    const Folder folder;
    write_board(folder / "real.rows", solution(4));
    std::filesystem::create_symlink("real.rows", folder / "link.rows");
    write_board(folder / "link.rows", solution(8));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.rows"));
    EXPECT_EQ(test::content_of(folder / "real.rows"), board_rows(solution(8)));
    EXPECT_EQ(folder.files(), 2U);
}

} // namespace knossos::queens::board_view_test
