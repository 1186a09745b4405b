#include "support.hpp"

#include <knossos/levels/drawing.hpp>
#include <knossos/levels/ground.hpp>
#include <knossos/levels/symmetry.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace knossos::levels::drawing_test {
namespace {

std::string refusal_of(std::string_view text) {
    return test::message_of([&] { parse_drawing(text, "attic.txt", 64); });
}

TEST(LevelDrawing, ReadsCellsAndPlaces) {
    const Drawing drawing = parse_drawing("E.?C\r\n# kX\n\n", "attic.txt", 64);
    EXPECT_EQ(drawing.width, 4U);
    EXPECT_EQ(drawing.height, 2U);
    EXPECT_EQ(drawing.cells, "E.?C#?kX"); // a blank is free, too
    EXPECT_EQ(drawing.entrance, (Cell{0, 0}));
    EXPECT_EQ(drawing.exit, (Cell{3, 1}));
    EXPECT_EQ(drawing.checkpoints, (std::vector<Cell>{{3, 0}}));
    EXPECT_EQ(drawing.place_of(6), "2:3");
}

TEST(LevelDrawing, LinesAboveSayWhatOneCharacterCant) {
    const Drawing drawing = parse_drawing("exit: 0,0\ncheckpoints: 1,1 0,0\nE.C\n##.\n", "attic.txt", 64);
    EXPECT_EQ(drawing.entrance, (Cell{0, 0}));
    EXPECT_EQ(drawing.exit, (Cell{0, 0}));
    EXPECT_EQ(drawing.checkpoints, (std::vector<Cell>{{1, 1}, {0, 0}, {2, 0}}));
    EXPECT_EQ(drawing.place_of(4), "4:2");
}

TEST(LevelDrawing, WhatIsWrittenReadsAsItWas) {
    Stream stream = test::stream_for(3, 20);
    for (int round = 0; round < 300; ++round) {
        const std::uint32_t width = 1 + stream.below(6);
        const std::uint32_t height = 1 + stream.below(6);
        const auto any_cell = [&] {
            const std::uint32_t x = stream.below(width);
            return Cell{x, stream.below(height)};
        };
        Drawing drawing{.width = width, .height = height};
        for (std::uint32_t i = 0; i < width * height; ++i) drawing.cells += stream.below(3) == 0 ? '#' : '.';
        drawing.entrance = any_cell();
        drawing.exit = any_cell();
        for (std::uint32_t i = stream.below(4); i > 0; --i)
            if (const Cell cell = any_cell(); std::ranges::count(drawing.checkpoints, cell) == 0)
                drawing.checkpoints.push_back(cell);
        const std::string text = to_text(drawing);
        const Drawing read = parse_known(text, "attic.txt", 64);
        EXPECT_EQ(read.entrance, drawing.entrance) << text;
        EXPECT_EQ(read.exit, drawing.exit) << text;
        EXPECT_EQ(read.checkpoints, drawing.checkpoints) << text;
        for (std::size_t i = 0; i < drawing.cells.size(); ++i)
            EXPECT_EQ(read.cells[i] == '#', drawing.cells[i] == '#') << text;
    }
}

TEST(LevelDrawing, SaysWhatIsWrongAndWhere) {
    using test::expect_mentions;
    expect_mentions(refusal_of("E.\n.x\n"), {"attic.txt:2:2", "'x'", "no longer", "checkpoints: x,y"});
    expect_mentions(refusal_of("E.\n.e\n"), {"attic.txt:2:2", "'e'", "no longer"});
    expect_mentions(refusal_of("E.\n.c\n"), {"attic.txt:2:2", "'c'", "no longer"});
    expect_mentions(refusal_of("exist: 1,1\nE.\n.."), {"attic.txt:1:1", "'exist'", "did you mean 'exit'"});
    expect_mentions(refusal_of("exit: 1,1\nexit: 0,1\nE.\n.."), {"attic.txt:2:1", "second line"});
    expect_mentions(refusal_of("exit: 1,1 0,1\nE.\n.."), {"attic.txt:1:6", "2 cells"});
    expect_mentions(refusal_of("exit: here\nE.\n.."), {"attic.txt:1:6", "'here'", "x,y"});
    expect_mentions(refusal_of("exit: 2,1\nE.\n.."), {"attic.txt:1:1", "2,1", "0..1"});
    expect_mentions(refusal_of("exit: 0,1\nE.\n.X"), {"attic.txt:3:2", "second exit", "(0, 1)"});
    expect_mentions(refusal_of("checkpoints: 0,1 0,1\nE.\n.."), {"attic.txt:1:1", "twice"});
    expect_mentions(refusal_of("entrance 0 0\nE.\n.."), {"attic.txt:1:9", "no colon", "write entrance: 0,0"});
    expect_mentions(refusal_of("checkpoint 3,4 5,6\nE."), {"attic.txt:1:11", "write checkpoints: 3,4 5,6"});
    expect_mentions(refusal_of("exit\nE."), {"attic.txt:1:5", "write exit: 0,0"});
    expect_mentions(refusal_of("checkpoints: 0,1\n"), {"attic.txt:2:1", "not a single row"});
}

TEST(LevelSymmetry, ImagesAreRuledByTheFirstOfThem) {
    for (const Symmetry symmetry : {Symmetry::left_right, Symmetry::top_bottom, Symmetry::both,
                                    Symmetry::rotation, Symmetry::quarter_rotation}) {
        const std::uint32_t width = symmetry == Symmetry::quarter_rotation ? 5 : 7;
        const auto all = rulers(symmetry, width, 5);
        for (std::uint32_t i = 0; i < all.size(); ++i)
            for (const Cell image : images(symmetry, width, 5, {i % width, i / width})) {
                EXPECT_EQ(all[image.y * width + image.x], all[i]) << to_string(symmetry);
                EXPECT_LE(all[i], image.y * width + image.x) << to_string(symmetry);
            }
    }
    EXPECT_TRUE(rulers(Symmetry::none, 4, 4).empty());
}

TEST(LevelGround, HangsTogetherAndEveryCellCanBeJoinedToIt) {
    for (const Style style : {Style::cave, Style::halls, Style::labyrinth, Style::keep})
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            Stream stream = test::stream_for(seed, 9);
            const std::uint32_t width = 1 + stream.below(seed % 4 == 0 ? 90 : 40);
            const std::uint32_t height = 2 + stream.below(seed % 4 == 0 ? 80 : 40);
            Ground ground = make_ground(stream, style, width, height);
            join_to_ground(ground, width - 1, height - 1);
            std::vector<std::size_t> queue{ground.area() - 1};
            std::vector<bool> seen(ground.area());
            seen.back() = true;
            for (std::size_t at = 0; at < queue.size(); ++at) {
                const std::uint32_t x = ground.x_of(queue[at]);
                const std::uint32_t y = ground.y_of(queue[at]);
                const auto visit = [&](std::uint32_t to_x, std::uint32_t to_y) {
                    if (to_x >= width || to_y >= height) return; // those below 0 are huge
                    const std::size_t to = std::size_t{to_y} * width + to_x;
                    if (seen[to] || ground.open[to] == 0) return;
                    seen[to] = true;
                    queue.push_back(to);
                };
                visit(x - 1, y);
                visit(x + 1, y);
                visit(x, y - 1);
                visit(x, y + 1);
            }
            EXPECT_EQ(queue.size(), static_cast<std::size_t>(std::ranges::count(ground.open, 1)))
                << static_cast<int>(style) << " " << width << " × " << height;
            EXPECT_GE(queue.size(), 2U);
        }
}

TEST(LevelGround, OfLargeHallsAndCavesIsNoOpenField) {
    for (const Style style : {Style::cave, Style::halls})
        for (std::uint32_t seed = 0; seed < 10; ++seed) {
            Stream stream = test::stream_for(seed, 10);
            const Ground ground = make_ground(stream, style, 30 + 8 * seed, 22 + 6 * seed);
            const auto open = static_cast<double>(std::ranges::count(ground.open, 1));
            EXPECT_LT(open / static_cast<double>(ground.area()), 0.6) << static_cast<int>(style);
            // All of the level is used: no part of 15 × 12 cells is without ground, and none without rock.
            for (std::uint32_t top = 0; top + 12 <= ground.height; top += 12)
                for (std::uint32_t left = 0; left + 15 <= ground.width; left += 15) {
                    std::uint32_t here = 0;
                    for (std::uint32_t y = top; y < top + 12; ++y)
                        for (std::uint32_t x = left; x < left + 15; ++x)
                            here += ground.open[std::size_t{y} * ground.width + x];
                    EXPECT_GT(here, 0U) << static_cast<int>(style) << " at " << left << "," << top;
                    EXPECT_LT(here, 150U) << static_cast<int>(style) << " at " << left << "," << top;
                }
        }
}

TEST(LevelFiles, OfOtherKindsAreCalledWhatTheyAre) {
    const auto refusal = [](std::string_view bytes, std::string_view name) {
        return test::message_of([&] { refuse_other_files(bytes, name); });
    };
    for (const auto& [bytes, kind] :
         {std::pair{"%PDF-1.5", "is a PDF;"}, std::pair{"PK\x03\x04", "is a ZIP archive;"},
          std::pair{"\x1F\x8B\x08", "compressed by gzip"}, std::pair{"GIF89a", "is a GIF picture;"},
          std::pair{"\xFF\xD8\xFF\xE0", "is a JPEG picture;"}, std::pair{"<svg xmlns=", "is an SVG picture;"},
          std::pair{"\xE2\x96\x88", "what a terminal shows"}})
        test::expect_mentions(refusal(bytes, "attic.dat"), {"attic.dat: ", kind, "text, JSON"});
    test::expect_mentions(refusal("E.X", "attic.png"), {"attic.png: is not a PNG"});
    for (const auto& [bytes, name] : {std::pair{"E.X", "attic.txt"}, std::pair{"GB#", "attic"},
                                      std::pair{"\x89PNG\r\n", "attic.png"}, std::pair{"<..", "attic.txt"}})
        EXPECT_NO_THROW(refuse_other_files(bytes, name)) << name;
}

} // namespace
} // namespace knossos::levels::drawing_test
