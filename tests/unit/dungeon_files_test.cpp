#include "dungeon_reference.hpp"
#include "render_support.hpp"

#include <knossos/core/files.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_files.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/maze/view/level.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/tilemap/files.hpp>
#include <knossos/tilemap/objects.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace knossos::dungeon::files_test {

using test::expect_mentions;
using test::Folder;
using test::message_of;

namespace {

const Level cellar = parse_level("#######\n"
                                 "#E.k+X#\n"
                                 "#.r.#R#\n"
                                 "#m$>..#\n"
                                 "#######\n");

ArtefactPtr artefact_of_level(const Level& level) { return read_artefact(level_json(level), "level.json"); }

// Writes an artefact as a file with what belongs to it, and reads it as anybody's.
ArtefactPtr through(const Artefact& artefact, const render::Format& format, const Folder& folder,
                    bool side_tileset) {
    render::FormatOptions options;
    options.switches["side_tileset"] = side_tileset;
    options.switches["keep_pockets"] = true;
    const auto path = folder / ("level." + format.extensions.front());
    // Not by way of write_artefact, which waits for the disk.
    for (const render::NamedBytes& file : artefact.files(format.name, options, "level"))
        std::ofstream{file.name.empty() ? path : folder / file.name, std::ios::binary} << file.bytes;
    return read_artefact(read_file(path), path);
}

const tilemap::Object& object_of(const tilemap::TileMap& map, std::string_view kind) {
    for (const auto& layer : map.object_layers)
        for (const auto& object : layer.objects)
            if (object.kind == kind || object.name == kind) return object;
    throw InvalidInput{"there is no such object"};
}

tilemap::Value property(const std::vector<tilemap::Property>& properties, std::string_view name) {
    const auto* value = tilemap::find_property(properties, name);
    return value == nullptr ? tilemap::Value{"missing"} : *value;
}

tilemap::TileMap drawn_by_somebody(std::vector<std::uint32_t> tiles, std::uint32_t width) {
    tilemap::TileMap map;
    const auto height = static_cast<std::uint32_t>(tiles.size() / width);
    map.layers = {{.name = "ground", .width = width, .height = height, .tiles = std::move(tiles)}};
    return map;
}

} // namespace

TEST(DungeonFiles, ALevelSurvivesEveryFormatThatCanHoldIt) {
    const Folder folder;
    const std::set<std::string> pictures{"svg", "unicode", "pdf", "zip"};
    const std::uint64_t seeds = test::seeds(40);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Stream stream = test::stream_for(seed);
        Level level = reference::random_level(stream);
        // As text these begin with a '<', and are no XML.
        if (seed % 4 == 0 && level.cells[0] != Tile::entrance && level.cells[0] != Tile::exit)
            level.cells[0] = Tile::one_way_west;
        const ArtefactPtr artefact = artefact_of_level(level);
        for (const render::Format& format : level_formats()) {
            // Rows without a letter of their own are anybody's.
            if (pictures.contains(format.name) ||
                (format.name == "ascii" && !looks_like_level(to_text(level))))
                continue;
            const ArtefactPtr again = through(*artefact, format, folder, seed % 2 == 0);
            EXPECT_EQ(again->json(), artefact->json()) << format.name << "\n" << to_text(level);
        }
    }
}

TEST(DungeonFiles, TextMayBeginWithAOneWayToTheLeft) {
    for (const char* text : {"<.E#\n.X..\n", "<\nE\nX\n"})
        EXPECT_EQ(to_text(read_level_file(text, "level.txt")), text);
    EXPECT_EQ(tilemap::map_format("\n<?xml version='1.0'?><map/>", "level"), tilemap::MapFormat::tmx);
    EXPECT_EQ(tilemap::map_format("<map/>", "level.txt"), tilemap::MapFormat::tmx);
    EXPECT_EQ(tilemap::map_format("<!-- a map --><map/>", "level.txt"), tilemap::MapFormat::tmx);
    EXPECT_EQ(tilemap::map_format("<nothing of ours", "level.tmx"), tilemap::MapFormat::tmx);
}

TEST(DungeonFiles, AreMazesForWhoeverWantsOne) {
    const std::string ground = maze::to_text(maze::parse_level_file(to_text(cellar), "cellar.txt"));
    EXPECT_EQ(maze::to_text(maze::parse_level_file(level_json(cellar), "cellar.json")), ground);
    const std::string result = R"({"result":)" + level_json(cellar) + "}";
    EXPECT_EQ(maze::to_text(maze::parse_level_file(result, "cellar.json")), ground);
    expect_mentions(message_of([] { (void)maze::parse_level_file(R"({"rows":[1]})", "cellar.json"); }),
                    {"cellar.json", "cells"});
    // Those who take what a file is get the dungeon.
    EXPECT_NE(read_artefact(level_json(cellar), "cellar.json")->json().find("unlosable"), std::string::npos);
}

TEST(DungeonFiles, SoDoesAMaze) {
    const Folder folder;
    const std::set<std::string> pictures{"svg", "unicode", "pdf", "zip"};
    const std::uint64_t seeds = test::seeds(20);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Stream stream = test::stream_for(seed);
        const std::uint32_t width = 2 + stream.below(12);
        const std::uint32_t height = 2 + stream.below(9);
        maze::Level level{.grid = maze::Grid{width, height}, .exit = {width - 1, height - 1}};
        for (std::size_t i = 1; i + 1 < level.grid.area(); ++i)
            level.grid.set_rock(level.grid.cell(i), stream.chance(0.3));
        level.checkpoints = {{width - 1, 0}};
        level.grid.set_rock(level.checkpoints.front(), false);
        const ArtefactPtr artefact = read_artefact(maze::level_json(level), "level.json");
        for (const render::Format& format : maze::level_formats()) {
            if (pictures.contains(format.name)) continue;
            const ArtefactPtr again = through(*artefact, format, folder, seed % 2 == 0);
            EXPECT_EQ(again->json(), artefact->json()) << format.name << "\n" << maze::level_ascii(level);
        }
    }
}

TEST(DungeonMap, HoldsThingsVerdictsAndWalks) {
    for (const tilemap::TileMap& map : {level_map(cellar, "tiles"), level_grid_map(cellar)}) {
        EXPECT_EQ(map.layers.front().name, "dungeon");
        const auto& door = object_of(map, "red_door");
        EXPECT_EQ(property(door.properties, "opened_by"), tilemap::Value{"red_key"});
        EXPECT_EQ(property(door.properties, "colour"), tilemap::Value{"red"});
        EXPECT_EQ(property(object_of(map, "one_way_east").properties, "direction"), tilemap::Value{"east"});
        EXPECT_EQ(property(map.properties, "solvable"), tilemap::Value{true});
        EXPECT_EQ(property(map.properties, "unlosable"), tilemap::Value{Judge{}.judge(cellar).unlosable});
        Judge judge;
        EXPECT_EQ(property(map.properties, "walkthrough"),
                  tilemap::Value{moves_of(cellar, judge.solution(cellar))});
        EXPECT_EQ(property(map.properties, "walkthrough_events"),
                  tilemap::Value{walk_events(cellar, judge.solution(cellar))});
        EXPECT_EQ(object_of(map, "solution").line.front(), (tilemap::Point{48.0, 48.0}));
    }
}

// What the JSON schema of LDtk 1.5.3 requires of each type, as published beside its documentation.
constexpr std::array ldtk_root{"bgColor",
                               "defs",
                               "externalLevels",
                               "iid",
                               "jsonVersion",
                               "levels",
                               "toc",
                               "worlds",
                               "appBuildId",
                               "backupLimit",
                               "backupOnSave",
                               "customCommands",
                               "defaultEntityHeight",
                               "defaultEntityWidth",
                               "defaultGridSize",
                               "defaultLevelBgColor",
                               "defaultPivotX",
                               "defaultPivotY",
                               "dummyWorldIid",
                               "exportLevelBg",
                               "exportTiled",
                               "flags",
                               "identifierStyle",
                               "imageExportMode",
                               "levelNamePattern",
                               "minifyJson",
                               "nextUid",
                               "simplifiedExport"};
constexpr std::array ldtk_definitions{"entities", "enums",       "externalEnums",
                                      "layers",   "levelFields", "tilesets"};
constexpr std::array ldtk_level{
    "__bgColor", "__neighbours", "fieldInstances",   "identifier", "iid",    "pxHei",
    "pxWid",     "uid",          "worldDepth",       "worldX",     "worldY", "__smartColor",
    "bgPivotX",  "bgPivotY",     "useAutoIdentifier"};
constexpr std::array ldtk_layer{"__cHei",         "__cWid",           "__gridSize",       "__identifier",
                                "__opacity",      "__pxTotalOffsetX", "__pxTotalOffsetY", "__type",
                                "autoLayerTiles", "entityInstances",  "gridTiles",        "iid",
                                "intGridCsv",     "layerDefUid",      "levelId",          "pxOffsetX",
                                "pxOffsetY",      "visible",          "optionalRules",    "seed"};
constexpr std::array ldtk_layer_definition{"__type",
                                           "displayOpacity",
                                           "gridSize",
                                           "identifier",
                                           "intGridValues",
                                           "intGridValuesGroups",
                                           "parallaxFactorX",
                                           "parallaxFactorY",
                                           "parallaxScaling",
                                           "pxOffsetX",
                                           "pxOffsetY",
                                           "uid",
                                           "autoRuleGroups",
                                           "canSelectWhenInactive",
                                           "excludedTags",
                                           "guideGridHei",
                                           "guideGridWid",
                                           "hideFieldsWhenInactive",
                                           "hideInList",
                                           "inactiveOpacity",
                                           "renderInWorldView",
                                           "requiredTags",
                                           "tilePivotX",
                                           "tilePivotY",
                                           "type",
                                           "uiFilterTags",
                                           "useAsyncRender"};
constexpr std::array ldtk_cell_definition{"color", "groupUid", "value"};
constexpr std::array ldtk_entity{"__grid", "__identifier", "__pivot",        "__smartColor",
                                 "__tags", "defUid",       "fieldInstances", "height",
                                 "iid",    "px",           "width"};
constexpr std::array ldtk_entity_definition{
    "color",          "height",     "identifier",      "nineSliceBorders", "pivotX",      "pivotY",
    "tileRenderMode", "uid",        "width",           "allowOutOfBounds", "exportToToc", "fieldDefs",
    "fillOpacity",    "hollow",     "keepAspectRatio", "limitBehavior",    "limitScope",  "lineOpacity",
    "maxCount",       "renderMode", "resizableX",      "resizableY",       "showName",    "tags",
    "tileOpacity"};
constexpr std::array ldtk_field{"__identifier", "__type", "__value", "defUid", "realEditorValues"};
constexpr std::array ldtk_field_definition{"__type",
                                           "canBeNull",
                                           "identifier",
                                           "isArray",
                                           "type",
                                           "uid",
                                           "allowOutOfLevelRef",
                                           "allowedRefTags",
                                           "allowedRefs",
                                           "autoChainRef",
                                           "editorAlwaysShow",
                                           "editorCutLongValues",
                                           "editorDisplayMode",
                                           "editorDisplayPos",
                                           "editorDisplayScale",
                                           "editorLinkStyle",
                                           "editorShowInWorld",
                                           "exportToToc",
                                           "searchable",
                                           "symmetricalRef",
                                           "useForSmartColor"};
constexpr std::array ldtk_point{"cx", "cy"};

template <std::size_t Count>
void expect_keys(const nlohmann::json& objects, const std::array<const char*, Count>& keys,
                 std::string_view what) {
    EXPECT_FALSE(objects.empty()) << what;
    for (const auto& object : objects)
        for (const char* const key : keys) EXPECT_TRUE(object.contains(key)) << what << " without " << key;
}

TEST(DungeonMap, IsAProjectOfLdtkWithAllThatItsVersionRequires) {
    const auto project = nlohmann::json::parse(tilemap::to_ldtk(level_grid_map(cellar), "cellar"));
    const auto fields = [](const nlohmann::json& instances) {
        expect_keys(instances, ldtk_field, "a field");
        for (const auto& one : instances)
            if (one["__type"] == "Array<Point>") expect_keys(one["__value"], ldtk_point, "a point");
    };
    expect_keys(nlohmann::json::array({project}), ldtk_root, "the project");
    const auto& definitions = project["defs"];
    expect_keys(nlohmann::json::array({definitions}), ldtk_definitions, "the definitions");
    expect_keys(definitions["levelFields"], ldtk_field_definition, "the definition of a field");
    expect_keys(definitions["layers"], ldtk_layer_definition, "the definition of a layer");
    std::size_t kinds_of_cells = 0;
    for (const auto& layer : definitions["layers"]) {
        kinds_of_cells += layer["intGridValues"].size();
        if (layer["type"] == "IntGrid")
            expect_keys(layer["intGridValues"], ldtk_cell_definition, "a kind of cell");
    }
    EXPECT_GT(kinds_of_cells, 0U);
    expect_keys(definitions["entities"], ldtk_entity_definition, "the definition of an entity");
    for (const auto& entity : definitions["entities"])
        if (!entity["fieldDefs"].empty())
            expect_keys(entity["fieldDefs"], ldtk_field_definition, "the definition of a field");
    expect_keys(project["levels"], ldtk_level, "the level");
    const auto& level = project["levels"][0];
    fields(level["fieldInstances"]);
    expect_keys(level["layerInstances"], ldtk_layer, "a layer");
    std::size_t entities = 0;
    for (const auto& layer : level["layerInstances"]) {
        if (layer["__type"] != "Entities") continue;
        expect_keys(layer["entityInstances"], ldtk_entity, "an entity");
        for (const auto& entity : layer["entityInstances"]) {
            ++entities;
            if (!entity["fieldInstances"].empty()) fields(entity["fieldInstances"]);
        }
    }
    EXPECT_GT(entities, 3U);
}

TEST(DungeonMap, SaysWhichObjectsWereLeftOut) {
    for (tilemap::TileMap map : {level_map(cellar, "tiles"), level_grid_map(cellar)}) {
        std::vector<std::string> left_out{"of another map"};
        EXPECT_EQ(level_of(map, {}, "map", &left_out), cellar);
        EXPECT_TRUE(left_out.empty());
        auto& objects = map.object_layers.front().objects;
        for (const char* const kind : {"red_kye", "lamp", "lamp"}) objects.push_back({.kind = kind});
        EXPECT_EQ(level_of(map, {}, "map", &left_out), cellar);
        EXPECT_EQ(left_out, (std::vector<std::string>{
                                "2 objects of the class lamp left out",
                                "1 object of the class red_kye left out; did you mean red key?"}));
    }
}

TEST(DungeonMap, HoldsTheShortestWalkThatLosesIt) {
    // The only small key may be spent on the wrong door.
    const Level trap = parse_level("E.k+X\n..+.#\n");
    Judge judge;
    ASSERT_TRUE(judge.judge(trap).solvable && !judge.judge(trap).unlosable);
    const auto map = level_map(trap, "tiles");
    const std::string moves = moves_of(trap, judge.losing_walk(trap));
    EXPECT_FALSE(moves.empty());
    EXPECT_EQ(property(map.properties, "losing_walk"), tilemap::Value{moves});
    EXPECT_FALSE(object_of(map, "losing_walk").line.empty());
    EXPECT_EQ(property(map.properties, "walkthrough_events"),
              tilemap::Value{"2 take small key 2,0; 3 open locked door 3,0; 4 reach exit 4,0"});
    EXPECT_EQ(property(map.properties, "losing_walk_events"),
              tilemap::Value{"2 take small key 2,0; 3 open locked door 2,1"});
    EXPECT_NE(render::to_svg(level_picture(trap)).find("Walkthrough: 2 take small key 2,0; 3 open locked"),
              std::string::npos);
}

// Maps of before, and those that somebody has taken properties out of.
TEST(DungeonMap, IsReadWithoutWalks) {
    tilemap::TileMap map = level_map(cellar, "tiles");
    map.properties.clear();
    EXPECT_EQ(level_of(map, {}, "map"), cellar);
}

TEST(DungeonMap, GivesRockAShapeAndTheSolutionTheMarksOfAPath) {
    const auto map = level_map(cellar, "tiles");
    for (const auto& tile : map.tilesets.front().tiles) EXPECT_EQ(tile.solid, tile.kind == "rock");
    const auto& solution = object_of(map, "solution");
    EXPECT_EQ(solution.kind, "area");
    EXPECT_EQ(property(solution.properties, "godot_node_type"), tilemap::Value{"path"});
}

TEST(DungeonMap, EveryTileOfTheSheetIsDrawnAndDiffers) {
    const auto set = level_tileset("t");
    const render::Pixels sheet = render::decode_png(level_tiles_png(render::light)).pixels;
    EXPECT_EQ(sheet.width, set.columns * set.tile_width);
    std::set<std::vector<std::uint8_t>> looks;
    for (std::uint32_t id = 0; id < set.count; ++id) {
        std::vector<std::uint8_t> look;
        for (std::uint32_t y = 0; y < set.tile_height; ++y)
            for (std::uint32_t x = 0; x < set.tile_width; ++x) {
                const auto colour =
                    sheet.at(id % set.columns * set.tile_width + x, id / set.columns * set.tile_height + y);
                look.insert(look.end(), {colour.red, colour.green, colour.blue});
            }
        EXPECT_TRUE(std::ranges::any_of(look, [](std::uint8_t value) { return value != 255; })) << id;
        EXPECT_TRUE(looks.insert(std::move(look)).second) << "tile " << id << " looks like another one";
    }
}

TEST(DungeonMap, TilesOfSomebodyElseAreAsTheyAreSaidToBe) {
    const auto map = drawn_by_somebody({1, 1, 1, 1, 7, 3, 9, 8, 1, 1, 1, 1}, 4);
    const Level level = level_of(map, {.tiles = "rock=1; floor=3; entrance=7; exit=8; door=9"}, "own.tmx");
    EXPECT_EQ(to_text(level), "####\nE.+X\n####\n");
    const Level other = level_of(map, {.tiles = "wall=1; key=3; start=7; goal=8; Red_Door=9"}, "own.tmx");
    EXPECT_EQ(to_text(other), "####\nEkRX\n####\n");
}

TEST(DungeonMap, AnUnknownTileIsNeverFloor) {
    const auto map = drawn_by_somebody({1, 1, 1, 1, 7, 3, 9, 8, 1, 1, 1, 1}, 4);
    expect_mentions(
        message_of([&] { (void)level_of(map, {.tiles = "rock=1; entrance=7; exit=8"}, "own.tmx"); }),
        {"own.tmx", "ground", "3", "9", "--tiles"});
    expect_mentions(message_of([&] { (void)level_of(map, {.tiles = "rok=1"}, "own.tmx"); }),
                    {"rok", "did you mean rock?"});
}

TEST(DungeonMap, AClassMayBeMadeExactByAProperty) {
    tilemap::TileMap map = drawn_by_somebody({0, 0, 0, 0, 0}, 5);
    const auto add = [&](std::string_view kind, std::uint32_t x, std::vector<tilemap::Property> properties) {
        auto object = tilemap::thing_in_cell(kind, {x, 0}, 32);
        object.properties = std::move(properties);
        map.object_layers.front().objects.push_back(std::move(object));
    };
    map.object_layers = {{.name = "things"}};
    add("Entrance", 0, {});
    add("key", 1, {{"colour", "blue"}});
    add("one_way", 2, {{"direction", "east"}});
    add("door", 3, {{"colour", "blue"}});
    add("exit", 4, {});
    EXPECT_EQ(to_text(level_of(map, {.tiles = "floor=0"}, "own.tmx")), "Eb>BX\n");
    map.object_layers.front().objects[2].properties.clear();
    expect_mentions(message_of([&] { (void)level_of(map, {.tiles = "floor=0"}, "own.tmx"); }),
                    {"one_way", "direction", "north"});
}

TEST(DungeonMap, SaysWhatIsWrongAndWhere) {
    const auto refusal = [](const std::function<void(tilemap::TileMap&)>& damage) {
        auto map = level_map(cellar, "tiles");
        damage(map);
        return message_of([&] { (void)level_of(map, {}, "cellar.tmx"); });
    };
    const auto things = [](tilemap::TileMap& map) -> std::vector<tilemap::Object>& {
        return map.object_layers.front().objects;
    };
    expect_mentions(refusal([&](auto& map) {
                        things(map).push_back(things(map).front());
                        things(map).back().place = {32, 64};
                    }),
                    {"second entrance", "cell 1,2", "cell 1,1"});
    expect_mentions(refusal([&](auto& map) { things(map).erase(things(map).begin()); }), {"no entrance"});
    expect_mentions(refusal([&](auto& map) { things(map)[1].place = {0, 0}; }), {"small key", "rock", "0,0"});
    expect_mentions(refusal([&](auto& map) { things(map)[1].place = {-200, 0}; }),
                    {"small key", "off the map"});
    expect_mentions(refusal([&](auto& map) { things(map)[1].place = things(map)[2].place; }),
                    {"locked door", "small key already", "one thing"});
}

TEST(DungeonMap, TheLayersNameTellsItFromAMaze) {
    const Level plain = parse_level("E.X\n"); // nothing that a maze has not
    const auto dungeon_bytes = tilemap::to_tmx(level_map(plain, "tiles"));
    EXPECT_NE(read_artefact(dungeon_bytes, "level.tmx")->json().find("\"dungeon\""), std::string::npos);
    EXPECT_EQ(claim_of_file(dungeon_bytes, "level.tmx"), Claim::certain);
    // Somebody's layer has another name; keys and doors are a dungeon's all the same.
    auto map = level_map(cellar, "tiles");
    map.layers.front().name = "ground";
    EXPECT_EQ(claim_of_file(tilemap::to_tmj(map), "level.tmj"), Claim::likely);
    EXPECT_NE(read_artefact(tilemap::to_tmj(map), "level.tmj")->json().find("\"dungeon\""),
              std::string::npos);
    const maze::Level corridor{.grid = maze::Grid{3, 1}, .exit = {2, 0}};
    const auto maze_bytes = maze::render_level(corridor, "tmx").front().bytes;
    EXPECT_EQ(claim_of_file(maze_bytes, "level.tmx"), Claim::no);
    EXPECT_EQ(read_artefact(maze_bytes, "level.tmx")->json().find("\"dungeon\""), std::string::npos);
}

} // namespace knossos::dungeon::files_test
