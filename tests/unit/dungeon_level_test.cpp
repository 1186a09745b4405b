#include "dungeon_reference.hpp"
#include "support.hpp"

#include <knossos/dungeon/level.hpp>

namespace knossos::dungeon::level_test {

using test::expect_mentions;
using test::message_of;

namespace {

std::string refusal_of(std::string_view text) {
    return message_of([&] { (void)parse_level(text, "cellar.txt"); });
}

} // namespace

TEST(DungeonText, IsReadBack) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = test::stream_for(seed);
        const Level level = reference::random_level(stream);
        EXPECT_EQ(parse_level(to_text(level)), level);
    }
    const std::string all = std::string{tile_letters} + "\n";
    EXPECT_EQ(to_text(parse_level(all)), all);
}

TEST(DungeonText, LineEndsAreNoMatter) {
    const Level level = parse_level("E.\n.X\n");
    EXPECT_EQ(parse_level("E.\r\n.X\r\n"), level);
    EXPECT_EQ(parse_level("E.\n.X"), level);
    EXPECT_EQ(parse_level("E.\n.X\n\n\n"), level);
}

TEST(DungeonText, SaysWhatIsWrongAndWhere) {
    expect_mentions(refusal_of("E..\n.E.\n..X"), {"cellar.txt:2:2", "second entrance", "(0, 0)", "only one"});
    expect_mentions(refusal_of("E.X\nX.."), {"cellar.txt:2:1", "second exit", "(2, 0)"});
    expect_mentions(refusal_of("E..\n..."), {"cellar.txt", "no exit", "'X'"});
    expect_mentions(refusal_of("...\n..X"), {"no entrance", "'E'"});
    expect_mentions(refusal_of("E.?\n..X"), {"cellar.txt:1:3", "'?'", "every cell"});
    expect_mentions(refusal_of("E. X"), {"1:3", "free"});
    expect_mentions(refusal_of("E.\x1b[31mX"), {"1:3", "byte 0x1B", "# rock"});
    expect_mentions(refusal_of("E..\n..\n..X"), {"cellar.txt:2:3", "2 cells", "the first one 3"});
    expect_mentions(refusal_of("E..\n....\n..X"), {"cellar.txt:2:4", "4 cells"});
    expect_mentions(refusal_of(""), {"not a single row"});
    expect_mentions(refusal_of("\nE.X"), {"first row is empty"});
}

TEST(DungeonText, LimitsHold) {
    const std::string widest = "E" + std::string(254, '.') + "X\n";
    EXPECT_EQ(parse_level(widest).width, 256U);
    expect_mentions(refusal_of("." + widest), {"1:257", "257 cells", "at most 256"});
    std::string tall = "EX\n";
    for (int row = 1; row < 256; ++row) tall += "..\n";
    EXPECT_EQ(parse_level(tall).height, 256U);
    expect_mentions(refusal_of(tall + "..\n"), {"cellar.txt:257:1", "more than 256 rows"});
}

TEST(DungeonText, IsToldFromOtherLevels) {
    EXPECT_TRUE(looks_like_level("E.k\n+.X\n"));
    EXPECT_TRUE(looks_like_level("Em\r\n.X"));
    EXPECT_FALSE(looks_like_level("E..\n..X\n")); // a maze as well
    EXPECT_FALSE(looks_like_level("{\"dungeon\":{}}"));
    EXPECT_FALSE(looks_like_level("E.k?X"));
    EXPECT_FALSE(looks_like_level(""));
}

TEST(DungeonLevel, WhatCantBeOneIsRefused) {
    Level level = parse_level("E.X");
    EXPECT_NO_THROW(check(level));
    level.cells[1] = Tile::exit;
    expect_mentions(message_of([&] { check(level); }), {"2 cells that are the exit"});
    level.cells.pop_back();
    expect_mentions(message_of([&] { check(level); }), {"3 × 1 with 2 cells"});
    level.width = 0;
    expect_mentions(message_of([&] { check(level); }), {"0 × 1", "1..256"});
}

} // namespace knossos::dungeon::level_test
