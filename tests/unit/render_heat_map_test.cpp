#include <knossos/render/contact_sheet.hpp>
#include <knossos/render/heat_map.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace knossos::render::heat_map_test {
namespace {

// Filled below the diagonal, the more the farther to the right.
HeatMap half_full(std::size_t bins) {
    const auto high = static_cast<double>(bins);
    HeatMap map{.title = "half",
                .value_name = "worth",
                .x = {.name = "path", .low = 0.0, .high = high, .bins = bins},
                .y = {.name = "open", .low = 0.0, .high = high, .bins = bins}};
    for (std::size_t y = 0; y < bins; ++y)
        for (std::size_t x = 0; x < bins; ++x)
            map.values.push_back(y <= x ? static_cast<double>(x) : std::numeric_limits<double>::quiet_NaN());
    return map;
}

std::size_t columns_of(const std::string& line) {
    return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

TEST(HeatMapText, FitsTheTerminalWhateverItsSize) {
    for (const std::size_t bins : {1U, 2U, 7U, 60U, 131U, 1000U})
        for (const std::uint32_t columns : {40U, 80U, 200U}) {
            std::istringstream text{heat_map_text(half_full(bins), {.columns = columns})};
            std::size_t lines = 0;
            for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(columns_of(line), columns);
            EXPECT_LE(lines, 25U);
        }
}

TEST(HeatMapText, IsPlainWhereItHasToBe) {
    const std::string text = heat_map_text(half_full(30), {.unicode = false});
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; }));
    EXPECT_NE(text.find("path"), std::string::npos);
    EXPECT_NE(text.find("worth: 0 .:+*# 29"), std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_NE(heat_map_text(half_full(30), {.colours = ColourDepth::full}).find("▀"), std::string::npos);
}

TEST(HeatMapText, SaysNothingOfAnEmptyMap) {
    HeatMap map = half_full(5);
    std::ranges::fill(map.values, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(heat_map_text(map).find("worth"), std::string::npos);
    EXPECT_FALSE(to_svg(heat_map_picture(map)).empty());
}

TEST(HeatMapPicture, TellsTheNumbersOfEachCellWhereThereAreFew) {
    const std::string svg = to_svg(heat_map_picture(half_full(10)));
    EXPECT_NE(svg.find("path 9..10, open 0..1: worth 9"), std::string::npos);
    const std::string large = to_svg(heat_map_picture(half_full(200)));
    EXPECT_EQ(large.find("worth 9<"), std::string::npos) << "thousands of rectangles would make it large";
    EXPECT_LT(large.size(), 200'000U);
}

TEST(HeatMapPicture, HasRoomForItsNumbersAndNoneBetweenWholeOnes) {
    HeatMap map = half_full(1);
    map.x = {.name = "path", .low = 38.0, .high = 39.0, .bins = 1};
    const Picture picture = heat_map_picture(map);
    double widest = 0.0;
    std::size_t strokes = 0;
    for (const Shape& shape : picture.shapes) {
        if (const auto* cell = std::get_if<Rectangle>(&shape)) widest = std::max(widest, cell->width);
        strokes += std::holds_alternative<Stroke>(shape) ? 1U : 0U;
    }
    EXPECT_GE(widest, 200.0);
    EXPECT_EQ(strokes, 6U) << "the sides, 38 and 39, 0 and 1, and the one value of the legend";
}

TEST(HeatMapPicture, ColoursByCividis) {
    const HeatMap map = half_full(10);
    const Pixels pixels = rasterise(heat_map_picture(map));
    // The cell of the highest value is as yellow as the end of the scale, its empty counterpart is ground.
    bool has_end = false;
    for (std::uint32_t y = 0; y < pixels.height && !has_end; ++y)
        for (std::uint32_t x = 0; x < pixels.width && !has_end; ++x)
            has_end = pixels.at(x, y) == cividis(1.0);
    EXPECT_TRUE(has_end);
    EXPECT_EQ(pixels.at(0, 0), light.ground);
}

TEST(ContactSheet, HoldsEveryPictureAtItsPlace) {
    Picture tile{.width = 10, .height = 5, .ground = rgb(0x112233)};
    tile.shapes.emplace_back(Disc{.centre = {5.0, 2.5}, .radius = 2.0, .colour = rgb(0xFF0000)});
    const std::vector<SheetItem> items(7, SheetItem{.picture = tile, .caption = "one"});
    const Picture sheet = contact_sheet(items, {.title = "seven", .columns = 3, .side = 40});
    const auto discs = std::ranges::count_if(
        sheet.shapes, [](const Shape& shape) { return std::holds_alternative<Disc>(shape); });
    EXPECT_EQ(discs, 7);
    for (const Shape& shape : sheet.shapes)
        if (const auto* disc = std::get_if<Disc>(&shape)) {
            EXPECT_EQ(disc->radius, 8.0) << "four times as large";
            EXPECT_LT(disc->centre.x, sheet.width);
            EXPECT_LT(disc->centre.y, sheet.height);
        }
    EXPECT_GT(contact_sheet(items, {.columns = 7}).width, contact_sheet(items, {.columns = 2}).width);
    EXPECT_GT(contact_sheet({}, {}).width, 0U);
}

} // namespace
} // namespace knossos::render::heat_map_test
