#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_reader.hpp>

#include <knossos/core/files.hpp>

#include "render/cell_shapes.hpp"
#include "render_support.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace knossos::maze::level_view_test {

using namespace render;

using test::columns_of;
using test::expect_mentions;
using test::Folder;
using test::lines_of;
using test::message_of;
using test::XmlCheck;

namespace {

Cell random_cell(Stream& stream, const Grid& grid) {
    return {static_cast<std::uint32_t>(stream.below(grid.width())),
            static_cast<std::uint32_t>(stream.below(grid.height()))};
}

// Any size, any rock, places anywhere: also on rock and on each other.
Level random_level(std::uint64_t seed, bool walls = false, std::uint32_t largest = 24) {
    Stream stream = test::stream_for(seed);
    const auto side = [&] { return 1 + static_cast<std::uint32_t>(stream.below(largest)); };
    const std::uint32_t width = side();
    Level level{.grid = Grid{width, side()}};
    Grid& grid = level.grid;
    if (walls) grid.add_walls();
    const std::uint64_t density = stream.below(60);
    for (std::size_t i = 0; i < grid.area(); ++i) {
        const Cell cell = grid.cell(i);
        // Chromatic mazes with locked cells have both.
        if (!walls || seed % 2 == 1) grid.set_rock(cell, stream.below(100) < density / (walls ? 2 : 1));
        if (walls && cell.x + 1 < grid.width()) grid.set_wall_east(cell, stream.below(100) < density);
        if (walls && cell.y + 1 < grid.height()) grid.set_wall_south(cell, stream.below(100) < density);
    }
    level.entrance = random_cell(stream, grid);
    level.exit = random_cell(stream, grid);
    grid.set_rock(level.entrance, false);
    grid.set_rock(level.exit, false);
    for (std::uint64_t i = stream.below(8); i > 0; --i) {
        const Cell cell = random_cell(stream, grid);
        if (std::ranges::find(level.checkpoints, cell) == level.checkpoints.end())
            level.checkpoints.push_back(cell);
    }
    return level;
}

Level drawn(std::string_view text) { return maze::parse_level(text); }

std::string main_file(const Level& level, std::string_view format, const LevelOptions& options = {}) {
    return render_level(level, format, options).front().bytes;
}

// Small pictures: what matters here is what is in the files.
LevelOptions keeping() { return {.cell = 5, .keep_pockets = true}; }

LevelSource source_of(std::string_view format) {
    return format == "png"     ? LevelSource::png
           : format == "tmj"   ? LevelSource::tmj
           : format == "tmx"   ? LevelSource::tmx
           : format == "ldtk"  ? LevelSource::ldtk
           : format == "json"  ? LevelSource::json
           : format == "ascii" ? LevelSource::ascii
                               : LevelSource::csv;
}

Level in_reading_order(Level level) {
    std::ranges::sort(level.checkpoints, {}, [&](Cell cell) { return level.grid.index(cell); });
    return level;
}

constexpr std::string_view cross = "E.#..\n"
                                   "#...#\n"
                                   "..#.X\n";

} // namespace

TEST(LevelShapes, RockBorderEnclosesExactlyTheOpenCells) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Level level = random_level(seed);
        const Grid& grid = level.grid;
        const CellLayout layout{grid.width(), grid.height(), 4.0, {2.0, 2.0}};
        std::vector<bool> open(grid.area());
        for (std::size_t i = 0; i < open.size(); ++i) open[i] = !grid.is_rock(grid.cell(i));
        const Picture picture{
            .width = 4 * grid.width() + 4,
            .height = 4 * grid.height() + 4,
            .ground = light.rock,
            .shapes = {Fill{rock_border(open, layout, 0.0), light.floor, FillRule::even_odd}}};
        const Pixels pixels = rasterise(picture);
        for (std::size_t i = 0; i < open.size(); ++i) {
            const Cell cell = grid.cell(i);
            for (const std::uint32_t inset : {0U, 3U})
                ASSERT_EQ(pixels.at(2 + 4 * cell.x + inset, 2 + 4 * cell.y + inset),
                          open[i] ? light.floor : light.rock)
                    << "seed " << seed;
        }
    }
}

TEST(LevelShapes, RoundedCornersLeaveNoGapWhereRockTouchesAtACorner) {
    // Two rock cells on a diagonal: the pixel around their common corner must stay as dark as with sharp
    // ones.
    const std::vector<bool> open{false, true, true, false};
    const CellLayout layout{2, 2, 20.0, {0.0, 0.0}};
    const auto middle = [&](double radius) {
        const Picture picture{
            .width = 40,
            .height = 40,
            .ground = rgb(0),
            .shapes = {Fill{rock_border(open, layout, radius), rgb(0xFFFFFF), FillRule::even_odd}}};
        return rasterise(picture).at(19, 19);
    };
    EXPECT_EQ(middle(6.0), middle(0.0));
    EXPECT_EQ(middle(6.0), rgb(0));
}

TEST(LevelPicture, PngShowsRockAndFloorAtCellCentres) {
    for (const Theme& theme : {light, dark})
        for (const std::uint32_t cell : {1U, 2U, 4U, 12U, 13U, 40U}) {
            const Level level = drawn(cross);
            const LevelOptions options{.theme = theme, .cell = cell, .solution = false};
            const Pixels pixels = rasterise(level_picture(level, options));
            const std::uint32_t around = (pixels.width - 5 * cell) / 2;
            for (std::size_t i = 0; i < level.grid.area(); ++i) {
                const Cell at = level.grid.cell(i);
                // The doors are drawn over their cells and, where these are small, over the neighbours.
                const auto far_from = [&](Cell door) {
                    return std::max(at.x, door.x) - std::min(at.x, door.x) + std::max(at.y, door.y) -
                               std::min(at.y, door.y) >
                           (cell == 1   ? 0U
                            : cell < 12 ? 3U
                                        : 0U);
                };
                if (cell > 1 && (!far_from(level.entrance) || !far_from(level.exit))) continue;
                EXPECT_EQ(pixels.at(around + at.x * cell + cell / 2, around + at.y * cell + cell / 2),
                          level.grid.is_rock(at) ? theme.rock : theme.floor)
                    << cell << ' ' << maze::to_text(at);
            }
        }
}

TEST(LevelPicture, SvgIsWellFormedWithAndWithoutEverything) {
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        for (const bool all : {false, true}) {
            const LevelOptions options{
                .solution = all, .checkpoints = all, .culs_de_sac = all, .distances = all};
            EXPECT_EQ(XmlCheck::problem(to_svg(level_picture(random_level(seed, seed % 2 == 0), options))),
                      "")
                << seed;
        }
}

TEST(LevelPicture, DistancesCanBeReadUnderThePointer) {
    const std::string svg = to_svg(level_picture(drawn(cross), {.distances = true}));
    expect_mentions(svg, {"<title>0 steps</title>", "<title>1 step</title>", "<title>6 steps</title>"});
}

TEST(LevelPicture, CheckpointsHaveTheirNumbersAndPocketsTheirHatch) {
    const Level open = drawn("E.C\n...\nC.X\n");
    const Level pocket = drawn("E.#.\n..##\n...X\n");
    const auto strokes = [](const Picture& picture) {
        return std::ranges::count_if(
            picture.shapes, [](const Shape& shape) { return std::holds_alternative<Stroke>(shape); });
    };
    const LevelOptions bare{.solution = false, .checkpoints = false};
    const LevelOptions marked{.solution = false};
    EXPECT_EQ(strokes(level_picture(open, marked)), strokes(level_picture(open, bare)) + 2);
    EXPECT_EQ(strokes(level_picture(pocket, bare)), strokes(level_picture(open, bare)) + 1);
}

TEST(LevelPicture, SizesAreBounded) {
    Level level{.grid = Grid{1000, 700}, .exit = {999, 699}};
    const Picture picture = level_picture(level);
    EXPECT_LE(picture.width, 1600U);
    EXPECT_LE(picture.height, 1600U);
    expect_mentions(message_of([&] { level_picture(level, {.cell = 100}); }), {"1000 × 700", "smaller cell"});
    EXPECT_THROW(to_png(level_picture(level, {.cell = 30})), InvalidInput);
    level.exit = {1000, 0};
    EXPECT_THROW(level_picture(level), InvalidInput);
}

TEST(LevelText, NeverWiderThanTheTerminal) {
    for (const std::uint32_t width : {1U, 2U, 20U, 37U, 38U, 39U, 77U, 78U, 79U, 300U})
        for (const bool unicode : {false, true})
            for (const ColourDepth colours : {ColourDepth::none, ColourDepth::full}) {
                Level level{.grid = Grid{width, 30}, .exit = {width - 1, 29}};
                level.grid.set_rock({width / 2, 3}, true);
                level.checkpoints = {{width - 1, 4}, {width / 2, 20}};
                const std::string text = level_text(level, {.colours = colours, .unicode = unicode});
                for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 80U) << width;
                for (const char byte : text) EXPECT_TRUE(unicode || static_cast<unsigned char>(byte) < 0x80);
            }
}

TEST(LevelText, ShowsRockPlacesAndTheWay) {
    EXPECT_EQ(level_text(drawn(cross), {.unicode = false}), "##############\n"
                                                            "##E ..##    ##\n"
                                                            "####......####\n"
                                                            "##    ##..X ##\n"
                                                            "##############\n"
                                                            "5 x 3, exit path 6, 3 culs-de-sac\n");
}

TEST(LevelText, LongCaptionsAreBroken) {
    Level level = drawn("E.#.\n..##\n...X\n");
    level.checkpoints = {{1, 1}};
    for (const std::string& line : lines_of(level_text(level, {.columns = 40})))
        EXPECT_LE(columns_of(line), 40U);
}

TEST(LevelFiles, EveryFormatReadsBackAsItWasWritten) {
    const std::uint64_t seeds = test::seeds(40);
    for (const std::string_view format : {"ascii", "csv", "json", "tmj", "tmx", "ldtk", "png"})
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            const Level level = random_level(seed);
            const std::string bytes = main_file(level, format, keeping());
            const Level read = parse_level_as(source_of(format), bytes);
            EXPECT_EQ(read, level) << format << ' ' << seed;
            // One column of fields looks like rows of one character.
            EXPECT_TRUE(level.grid.width() == 1 || level_source(bytes, "level") == source_of(format)) << seed;
        }
}

TEST(LevelFiles, JsonAndPngKeepWallsTheOthersTurnThemIntoRock) {
    for (const std::string_view format : {"ascii", "csv", "json", "tmj", "tmx", "ldtk", "png"})
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Level level = random_level(seed, true, 12);
            const Level read = parse_level_as(source_of(format), main_file(level, format, keeping()));
            const bool keeps = format == "json" || format == "png";
            const Level expected = keeps ? level : maze::with_walls_as_rock(level);
            EXPECT_EQ(in_reading_order(read), in_reading_order(expected)) << format << ' ' << seed;
        }
}

TEST(LevelFiles, IntGridKeepsTheCells) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Level level = random_level(seed);
        if (level.entrance == level.exit) continue;
        // A cell has one number: a checkpoint is not on rock, and not where the way begins or ends.
        std::erase_if(level.checkpoints,
                      [&](Cell cell) { return cell == level.entrance || cell == level.exit; });
        for (const Cell cell : level.checkpoints) level.grid.set_rock(cell, false);
        const Level read = parse_level_as(LevelSource::csv, level_intgrid(level));
        EXPECT_EQ(read, in_reading_order(level)) << seed;
    }
    EXPECT_EQ(level_intgrid(drawn("E.#\nC#X\n")), "2,0,1\n4,1,3\n");
}

TEST(LevelFiles, PocketsAreSealedUnlessKept) {
    const Level level = drawn("E.#.\n..##\n...X\n");
    EXPECT_EQ(main_file(level, "ascii"), "E.##\n..##\n...X\n");
    EXPECT_EQ(main_file(level, "ascii", keeping()), "E.#.\n..##\n...X\n");
    const auto json = nlohmann::json::parse(main_file(level, "json"));
    EXPECT_EQ(json["measures"]["pocket_cells"], 0);
}

TEST(LevelFiles, JsonHasTheAgreedKeys) {
    const auto json = nlohmann::json::parse(level_json(drawn(cross)));
    EXPECT_EQ(json["cells"], (std::vector<std::string>{"..#..", "#...#", "..#.."}));
    EXPECT_EQ(json["entrance"], (std::vector<int>{0, 0}));
    EXPECT_EQ(json["exit"], (std::vector<int>{4, 2}));
    EXPECT_TRUE(json["checkpoints"].empty());
    EXPECT_EQ(json["solution"].size(), 7U);
    EXPECT_EQ(json["distances"][0], (std::vector<int>{0, 1, -1, 5, 6}));
    for (const char* key : {"exit_path", "exit_members", "reconvergence", "isolated_reconvergence",
                            "culs_de_sac", "cul_de_sac_length", "pocket_cells"})
        EXPECT_TRUE(json["measures"].contains(key)) << key;
    EXPECT_EQ(json["measures"]["exit_path"], 6);
}

TEST(LevelFiles, TiledMapsCarryWhatTheLevelIs) {
    const Level level = drawn("E.#\nC.X\n");
    const auto map = nlohmann::json::parse(main_file(level, "tmj"));
    EXPECT_EQ(map["layers"][0]["data"], (std::vector<int>{1, 1, 2, 1, 1, 1}));
    EXPECT_EQ(map["layers"][1]["objects"].size(), 3U);
    EXPECT_GE(map["layers"][2]["objects"][0]["polyline"].size(), 3U);
    EXPECT_EQ(map["tilesets"][0]["image"], "level-tiles.png");
    // Importers for game engines make bodies of rock and must not make a wall of the solution.
    EXPECT_EQ(map["tilesets"][0]["tiles"][1]["objectgroup"]["objects"][0]["width"], 32);
    EXPECT_FALSE(map["tilesets"][0]["tiles"][0].contains("objectgroup"));
    const auto& way = map["layers"][2]["objects"][0];
    EXPECT_EQ(way["name"], "solution");
    EXPECT_EQ(way["type"], "area");
    EXPECT_EQ(way["properties"][0]["name"], "godot_node_type");
    EXPECT_EQ(way["properties"][0]["value"], "path");
    const std::string tmx = main_file(level, "tmx");
    EXPECT_EQ(XmlCheck::problem(tmx), "");
    expect_mentions(
        tmx, {"name=\"exit_path\" type=\"int\" value=\"3\"", "value=\"0,1,-1;1,2,3\"", "1,1,2,\n1,1,1\n"});
}

TEST(LevelFiles, TilesetsGoBesideTheMap) {
    const Folder folder;
    write_level(folder / "a.tmj", drawn(cross), {.side_tileset = true});
    EXPECT_EQ(folder.files(), 3U);
    EXPECT_EQ(nlohmann::json::parse(test::content_of(folder / "a.tmj"))["tilesets"][0],
              nlohmann::json::parse(R"({"firstgid":1,"source":"a-tiles.tsj"})"));
    EXPECT_EQ(nlohmann::json::parse(test::content_of(folder / "a-tiles.tsj"))["tilecount"], 5);
    EXPECT_EQ(decode_png(test::content_of(folder / "a-tiles.png")).pixels.width, 160U);
    EXPECT_EQ(read_level(folder / "a.tmj"), drawn(cross));
    write_level(folder / "b.tmx", drawn(cross), {.side_tileset = true});
    EXPECT_EQ(read_level(folder / "b.tmx"), drawn(cross));
    std::filesystem::remove(folder / "b-tiles.tsx");
    expect_mentions(message_of([&] { read_level(folder / "b.tmx"); }),
                    {"b-tiles.tsx", "no such file", "--tiles"});
    EXPECT_EQ(read_level(folder / "b.tmx", {.tiles = "floor=1; rock=2"}), drawn(cross));
    write_level(folder / "b.tmx", drawn(cross), {.side_tileset = true});
    EXPECT_EQ(XmlCheck::problem(test::content_of(folder / "b-tiles.tsx")), "");
}

TEST(LevelFiles, EveryLevelFormatWrites) {
    const Folder folder;
    for (const Format& format : level_formats()) {
        const auto path = folder / ("level." + format.extensions.front());
        EXPECT_NO_THROW(write_level(path, drawn(cross))) << format.name;
    }
    expect_mentions(message_of([] { render_level(drawn(cross), "fen"); }), {"fen", "mazes"});
    EXPECT_EQ(format_of(level_formats(), "a.intgrid.csv").name, "intgrid");
    EXPECT_EQ(format_of(level_formats(), "a.csv").name, "csv");
}

TEST(LevelReader, HandDrawnPicturesAreReadByTheirSquares) {
    for (const std::uint32_t side : {1U, 3U}) {
        Picture picture{.width = 4 * side, .height = 2 * side, .ground = rgb(0xFFFFFF)};
        const auto square = [&](std::uint32_t x, std::uint32_t y, std::uint32_t colour) {
            const double s = side;
            picture.shapes.emplace_back(Rectangle{{x * s, y * s}, s, s, rgb(colour), {}});
        };
        square(0, 0, 0x00C000);
        square(1, 0, 0x101010);
        square(3, 0, 0xD02020);
        square(2, 1, 0x2030E0);
        EXPECT_EQ(parse_level_as(LevelSource::png, to_png(picture)), drawn("E#.X\n..C.\n")) << side;
    }
}

TEST(LevelReader, MapsEditedInTiledAreUnderstood) {
    // Flipped tiles, a checkpoint drawn as a point, the newer word "class".
    const Level level =
        parse_level_as(LevelSource::tmj, R"({"width":2,"height":2,"tilewidth":16,"tileheight":16,
        "tilesets":[{"firstgid":1,"tiles":[{"id":0,"type":"Floor"},
                                           {"id":1,"properties":[{"name":"rock","type":"bool","value":true}]}]}],
        "layers":[{"type":"tilelayer","data":[1,2147483650,1,1]},
                  {"type":"objectgroup","objects":[{"id":1,"class":"checkpoint","point":true,"x":20,"y":20},
                                                   {"id":2,"type":"note","x":-5,"y":0}]}]})");
    EXPECT_EQ(level.grid, maze::parse_grid(".#\n..\n"));
    EXPECT_EQ(level.checkpoints, (std::vector<Cell>{{1, 1}}));
}

TEST(LevelReader, MapsWithTilesOfTheirOwnAreReadAsTheyAreSaidToBe) {
    const Folder folder;
    const auto map = folder / "own.tmx";
    write_file(map, "<map width=\"3\" height=\"1\" tilewidth=\"8\" tileheight=\"8\"><tileset firstgid=\"1\" "
                    "name=\"stones\"/><layer name=\"sky\"><data encoding=\"csv\">9,9,9</data></layer>"
                    "<layer name=\"ground\"><data encoding=\"csv\">4,7,0</data></layer></map>");
    expect_mentions(message_of([&] { read_level(map); }), {"own.tmx", "sky, ground", "--layer"});
    expect_mentions(message_of([&] { read_level(map, {.layer = "ground"}); }),
                    {"tiles 4, 7", "stones", "--tiles"});
    EXPECT_EQ(read_level(map, {.tiles = "rock=7; floor=0,4", .layer = "ground"}).grid, parse_grid(".#.\n"));
    EXPECT_EQ(read_level(map, {.tiles = "rock=7; checkpoint=4; floor=0", .layer = "ground"}).checkpoints,
              (std::vector<Cell>{{0, 0}}));
    expect_mentions(message_of([&] { read_level(map, {.level = "a"}); }), {"--level", "LDtk"});
    write_file(folder / "a.txt", "..\n..\n");
    expect_mentions(message_of([&] { read_level(folder / "a.txt", {.tiles = "rock=1"}); }),
                    {"--tiles", "Tiled"});
}

TEST(LevelReader, MessagesSayWhatAndWhere) {
    const auto said = [](LevelSource kind, std::string_view bytes) {
        return message_of([&] { parse_level_as(kind, bytes, "file"); });
    };
    expect_mentions(said(LevelSource::csv, ".,.\n.,q\n"), {"file", "line 2, field 2", "'q'"});
    expect_mentions(said(LevelSource::csv, ".,.\n.\n"), {"line 2", "1 cell,", "2"});
    expect_mentions(said(LevelSource::csv, ".E,.E\n"), {"second entrance", "(0, 0)"});
    expect_mentions(said(LevelSource::csv, ".C1,.C1\n"), {"second checkpoint 1"});
    expect_mentions(said(LevelSource::csv, ""), {"no level"});
    expect_mentions(said(LevelSource::ascii, "..\n.?\n"), {"file:2:2"});
    expect_mentions(said(LevelSource::json, "{\"cells\": [\"..\", }"), {"line 1, column 18"});
    expect_mentions(said(LevelSource::json, "[]"), {"object"});
    expect_mentions(said(LevelSource::json, "{}"), {"\"cells\""});
    expect_mentions(said(LevelSource::json, R"({"cells":["..",".?"]})"), {"row 2, column 2", "'#'"});
    expect_mentions(said(LevelSource::json, R"({"cells":["..","."]})"), {"row 2", "2 characters"});
    expect_mentions(said(LevelSource::json, R"({"cells":[".."],"entrance":[0]})"), {"entrance", "[x, y]"});
    expect_mentions(said(LevelSource::json, R"({"cells":[".."],"exit":[2,0]})"), {"exit", "(2, 0)"});
    expect_mentions(said(LevelSource::json, R"({"cells":[".."],"exit":[-1,0]})"), {"exit", "-1"});
    expect_mentions(said(LevelSource::json, R"({"cells":[".."],"checkpoints":[[0,0],[0,0]]})"),
                    {"same cell"});
    expect_mentions(said(LevelSource::json, std::string(100'000, '[')), {"nested"});
    expect_mentions(said(LevelSource::tmj, "{}"), {"\"width\""});
    expect_mentions(
        said(LevelSource::tmj, R"({"width":1000000,"height":1000000,"tilewidth":1,"tileheight":1})"),
        {"1000000 × 1000000", "4096"});
    expect_mentions(
        said(LevelSource::tmj, R"({"width":1,"height":1,"tilewidth":1,"tileheight":1,"layers":[]})"),
        {"no tile layer"});
    expect_mentions(said(LevelSource::tmj, R"({"width":1,"height":1,"tilewidth":1,"tileheight":1,
        "layers":[{"type":"tilelayer","compression":"zlib","data":"eJw="}]})"),
                    {"damaged"});
    expect_mentions(said(LevelSource::png, "not a picture"), {"file", "PNG"});
    expect_mentions(message_of([] { read_level("/nowhere/level.json"); }),
                    {"/nowhere/level.json", "no such file"});
}

TEST(LevelReader, SixtyFourCheckpointsAndNoMore) {
    std::string row;
    for (int i = 0; i < 65; ++i) row += i == 0 ? ".C" : ",.C";
    expect_mentions(message_of([&] { parse_level_as(LevelSource::csv, row); }), {"64"});
    EXPECT_EQ(parse_level_as(LevelSource::csv, row.substr(0, row.rfind(','))).checkpoints.size(), 64U);
}

TEST(LevelReader, DamagedFilesAreRefusedOrReadButNeverWorse) {
    for (const std::string_view format : {"ascii", "csv", "json", "tmj", "tmx", "ldtk", "png"}) {
        const std::string bytes = main_file(random_level(5, false, 9), format);
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            Stream stream = test::stream_for(seed);
            std::string bad = bytes;
            for (std::uint64_t i = 1 + stream.below(4); i > 0; --i) {
                const std::size_t place = stream.below(static_cast<std::uint32_t>(bad.size()));
                switch (stream.below(4)) {
                case 0:
                    bad[place] = static_cast<char>(stream.below(256));
                    break;
                case 1:
                    bad.erase(place, 1 + stream.below(20));
                    break;
                case 2:
                    bad.insert(place, bad.substr(stream.below(static_cast<std::uint32_t>(bad.size())),
                                                 stream.below(30)));
                    break;
                default:
                    bad.insert(place, "9999999999");
                }
                if (bad.empty()) bad = " ";
            }
            try {
                maze::check(parse_level_as(source_of(format), bad));
            } catch (const InvalidInput&) {
            }
        }
    }
}

} // namespace knossos::maze::level_view_test
