#include "render_support.hpp"
#include "tilemap/compression.hpp"

#include <knossos/core/files.hpp>
#include <knossos/tilemap/files.hpp>
#include <knossos/tilemap/meanings.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace knossos::tilemap::tile_map_test {

using test::expect_mentions;
using test::Folder;
using test::message_of;

namespace {

constexpr std::initializer_list<Encoding> encodings{Encoding::csv, Encoding::base64, Encoding::zlib,
                                                    Encoding::gzip, Encoding::zstd};

std::string random_text(Stream& stream) {
    constexpr std::array parts{"a", "Rock", "<", "&amp;", "\"", "'", "ü", " ", "]]>", "\n", "0", "="};
    std::string text = "t"; // an empty one is no text at all
    for (std::uint64_t i = stream.below(6); i > 0; --i) text += parts[stream.below(parts.size())];
    return text + "."; // editors may trim blanks at the end
}

std::vector<Property> random_properties(Stream& stream) {
    std::vector<Property> properties;
    for (std::uint64_t i = stream.below(4); i > 0; --i) {
        const std::array<Value, 4> values{stream.below(2) == 1,
                                          static_cast<std::int64_t>(stream.below(1000)) - 500,
                                          static_cast<double>(stream.below(1000)) / 7.0, random_text(stream)};
        properties.push_back({fmt::format("p{}", i), values[stream.below(4)]});
    }
    return properties;
}

Object random_object(Stream& stream, const Layer& layer) {
    Object object{.name = random_text(stream),
                  .kind = random_text(stream),
                  .place = {static_cast<double>(stream.below(layer.width * layer.tile_width)),
                            static_cast<double>(stream.below(layer.height)) + 0.5},
                  .properties = random_properties(stream)};
    const std::uint64_t shape = stream.below(4);
    if (shape == 0) object.is_point = true;
    if (shape == 1) object.line = {object.place, {3.0, 4.5}, {-1.0, 7.0}};
    if (shape < 2) return object;
    object.width = 16.0;
    object.height = 24.0;
    object.tile = shape == 3 ? 2 : 0;
    return object;
}

TileMap random_map(std::uint64_t seed) {
    Stream stream = test::stream_for(seed);
    TileMap map{.properties = random_properties(stream)};
    const auto side = [&] { return 1 + static_cast<std::uint32_t>(stream.below(40)); };
    const std::uint32_t width = side();
    const std::uint32_t height = side();
    for (std::uint64_t i = 1 + stream.below(3); i > 0; --i) {
        Layer layer{.name = random_text(stream),
                    .width = width,
                    .height = height,
                    .tile_width = 16,
                    .tile_height = 8};
        for (std::size_t cell = 0; cell < std::size_t{width} * height; ++cell)
            layer.tiles.push_back(static_cast<std::uint32_t>(stream.below(20)));
        layer.tiles.front() = 1; // so that nothing is cut off an infinite map
        layer.tiles.back() = 1;
        map.layers.push_back(std::move(layer));
    }
    for (std::uint32_t first = 1; first < 20; first += 10) {
        Tileset set{.name = random_text(stream),
                    .first = first,
                    .count = 10,
                    .columns = 5,
                    .tile_width = 16,
                    .tile_height = 8,
                    .image = "a.png"};
        for (std::uint32_t id = 0; id < 10; id += 1 + static_cast<std::uint32_t>(stream.below(4)))
            set.tiles.push_back({id, random_text(stream), random_properties(stream), stream.below(2) == 1});
        map.tilesets.push_back(std::move(set));
    }
    for (std::uint64_t i = stream.below(3); i > 0; --i) {
        ObjectLayer layer{.name = random_text(stream)};
        for (std::uint64_t j = stream.below(5); j > 0; --j)
            layer.objects.push_back(random_object(stream, map.layers.front()));
        map.object_layers.push_back(std::move(layer));
    }
    return map;
}

const Vocabulary vocabulary{.meanings = {{"rock", {"wall"}}, {"floor", {}}, {"door", {"gate"}}},
                            .rock = 0,
                            .floor = 1,
                            .layer = "cave"};

// One row of tiles, on a map with one tileset.
TileMap row(std::vector<std::uint32_t> tiles, std::vector<Tile> known = {}) {
    const auto width = static_cast<std::uint32_t>(tiles.size());
    return {.tilesets = {{.name = "stones", .first = 1, .count = 100, .tiles = std::move(known)}},
            .layers = {{.name = "cave", .width = width, .height = 1, .tiles = std::move(tiles)}}};
}

std::vector<std::uint8_t> meant(const TileMap& map, std::string_view legend = {}) {
    return meanings_of(map, map.layers.front(), vocabulary,
                       legend.empty() ? Legend{} : parse_legend(legend, vocabulary), "map");
}

using Cells = std::vector<std::uint8_t>;

std::string tmx_with(std::string_view data, std::string_view width = "2") {
    return fmt::format(
        "<map width=\"{}\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\n<layer name=\"a\">\n{}"
        "</layer></map>",
        width, data);
}

} // namespace

TEST(TileMaps, SurviveBothNotationsOfTiledInEveryEncoding) {
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
        const TileMap map = random_map(seed);
        for (const Encoding encoding : encodings)
            for (const bool infinite : {false, true}) {
                const TiledOptions options{.encoding = encoding, .infinite = infinite};
                ASSERT_EQ(read_tmx(to_tmx(map, options), "map"), map) << seed << ' ' << int(encoding);
                ASSERT_EQ(read_tmj(to_tmj(map, options), "map"), map) << seed << ' ' << int(encoding);
            }
    }
}

TEST(TileMaps, SurviveLdtkWithWhatItCanHold) {
    TileMap map = row({0, 1, 2, 1}, {{.id = 0, .kind = "rock"}, {.id = 1, .kind = "door"}});
    map.tilesets.front() = {.name = "cave", .count = 2, .layer = "cave", .tiles = map.tilesets.front().tiles};
    map.properties = {{"path", std::int64_t{7}}, {"share", 0.25}, {"text", "a \"b\""}, {"fine", true}};
    map.object_layers = {{.name = "things",
                          .objects = {{.name = "key 1",
                                       .kind = "key",
                                       .place = {32.0, 0.0},
                                       .width = 32.0,
                                       .height = 32.0,
                                       .properties = {{"number", std::int64_t{1}}}},
                                      {.kind = "way",
                                       .place = {0.0, 0.0},
                                       .width = 32.0,
                                       .height = 32.0,
                                       .line = {{16.0, 16.0}, {112.0, 16.0}}}}}};
    EXPECT_EQ(read_ldtk(to_ldtk(map, "my level"), "map"), map);
}

TEST(TileMaps, LdtkProjectsHaveWhatTheirVersionAsksFor) {
    const auto project =
        nlohmann::json::parse(to_ldtk(row({1, 0}, {{.id = 0, .kind = "rock"}}), "1st level"));
    EXPECT_EQ(project["jsonVersion"], "1.5.3");
    EXPECT_EQ(project["levels"][0]["identifier"], "_1st_level");
    const auto has = [](const nlohmann::json& object, std::initializer_list<const char*> keys) {
        for (const char* key : keys) EXPECT_TRUE(object.contains(key)) << key;
    };
    has(project, {"bgColor",
                  "defs",
                  "externalLevels",
                  "iid",
                  "toc",
                  "worlds",
                  "appBuildId",
                  "backupLimit",
                  "customCommands",
                  "defaultEntityHeight",
                  "defaultGridSize",
                  "defaultPivotX",
                  "dummyWorldIid",
                  "exportLevelBg",
                  "flags",
                  "identifierStyle",
                  "imageExportMode",
                  "levelNamePattern",
                  "nextUid",
                  "simplifiedExport"});
    has(project["defs"]["layers"][0],
        {"displayOpacity", "intGridValuesGroups", "parallaxScaling", "autoRuleGroups", "renderInWorldView",
         "useAsyncRender", "uiFilterTags", "requiredTags", "excludedTags", "canSelectWhenInactive"});
    has(project["levels"][0]["layerInstances"][0],
        {"__cHei", "__gridSize", "__opacity", "__pxTotalOffsetX", "autoLayerTiles", "layerDefUid", "levelId",
         "optionalRules", "seed", "visible"});
    // Whatever is numbered is numbered once.
    std::set<int> uids;
    for (const auto& layer : project["defs"]["layers"])
        EXPECT_TRUE(uids.insert(layer["uid"].get<int>()).second);
    EXPECT_TRUE(uids.insert(project["levels"][0]["uid"].get<int>()).second);
    EXPECT_GT(project["nextUid"], *uids.rbegin());
}

TEST(TileMaps, MirroredAndTurnedTilesAreTheSameTile) {
    const std::string csv = tmx_with("<data encoding=\"csv\">2147483650, 3758096387</data>");
    EXPECT_EQ(read_tmx(csv, "map").layers[0].tiles, (std::vector<std::uint32_t>{2, 3}));
    const std::string elements = tmx_with("<data><tile gid=\"1073741825\"/><tile/></data>");
    EXPECT_EQ(read_tmx(elements, "map").layers[0].tiles, (std::vector<std::uint32_t>{1, 0}));
}

TEST(TileMaps, InfiniteOnesAreCutToTheirTiles) {
    const TileMap map = read_tmx(
        "<map width=\"9\" height=\"9\" tilewidth=\"8\" tileheight=\"8\" infinite=\"1\"><layer name=\"a\">"
        "<data encoding=\"csv\"><chunk x=\"-2\" y=\"4\" width=\"2\" height=\"2\">0,5,0,0</chunk>"
        "<chunk x=\"0\" y=\"4\" width=\"2\" height=\"2\">0,0,6,0</chunk></data></layer>"
        "<objectgroup><object x=\"4\" y=\"44\"><point/></object></objectgroup></map>",
        "map");
    const Layer& layer = map.layers[0];
    EXPECT_EQ(layer.width, 2U);
    EXPECT_EQ(layer.tiles, (std::vector<std::uint32_t>{5, 0, 0, 6}));
    EXPECT_EQ(cell_of(map.object_layers[0].objects[0], layer), (std::pair{1U, 1U}));
}

TEST(TileMaps, LayersInGroupsAreFound) {
    const TileMap map = read_tmj(R"({"width":1,"height":1,"tilewidth":8,"tileheight":8,"layers":[
        {"type":"group","layers":[{"type":"imagelayer"},{"type":"tilelayer","name":"in","data":[4]}]}]})",
                                 "map");
    EXPECT_EQ(map.layers[0].name, "in");
}

TEST(TileMaps, CompressedDataThatUnpacksToMoreIsRefused) {
    const std::string much(5'000'000, '\0');
    for (const Encoding encoding : {Encoding::zlib, Encoding::gzip, Encoding::zstd}) {
        const std::string bomb = to_base64(compressed(much, encoding));
        const char* const name = encoding == Encoding::zlib   ? "zlib"
                                 : encoding == Encoding::gzip ? "gzip"
                                                              : "zstd";
        const std::string map =
            tmx_with(fmt::format("<data encoding=\"base64\" compression=\"{}\">{}</data>", name, bomb));
        expect_mentions(message_of([&] { read_tmx(map, "map"); }), {"map: ", "8 bytes"});
    }
    const std::string huge = tmx_with("<data encoding=\"csv\">1</data>", "4294967295");
    expect_mentions(message_of([&] { read_tmx(huge, "map"); }), {"4294967295 × 1", "4096"});
}

TEST(TileMaps, MessagesSayWhatAndWhere) {
    const auto said = [](std::string_view data) {
        return message_of([&] { read_tmx(tmx_with(data), "map"); });
    };
    expect_mentions(said("<data encoding=\"csv\">1,2,3</data>"), {"3 tiles", "should be 2"});
    expect_mentions(said("<data encoding=\"csv\">1,x</data>"), {"tile 2", "no number"});
    expect_mentions(said("<data encoding=\"xxd\">1</data>"), {"'xxd'", "base64"});
    expect_mentions(said("<data encoding=\"base64\" compression=\"lzma\">1</data>"), {"'lzma'", "zstd"});
    expect_mentions(said("<data encoding=\"base64\">*</data>"), {"base64"});
    expect_mentions(said("<data encoding=\"base64\" compression=\"zlib\">AAAA</data>"), {"damaged"});
    expect_mentions(said("<data encoding=\"base64\" compression=\"zstd\">AAAA</data>"), {"damaged"});
    expect_mentions(said(""), {"map:2", "no <data>"});
    expect_mentions(said("<data>"), {"map:3", "not XML"});
    expect_mentions(message_of([] { read_tmx("<tileset/>", "map"); }), {"no <map>"});
    expect_mentions(message_of([] { read_tmx("<map width=\"a\"/>", "map"); }), {"map:1", "'a'"});
    expect_mentions(message_of([] {
                        read_tmx("<map width=\"1\" height=\"1\" tilewidth=\"1\" tileheight=\"1\" "
                                 "orientation=\"hexagonal\"/>",
                                 "map");
                    }),
                    {"hexagonal", "orthogonal"});
    expect_mentions(message_of([] {
                        read_tmx("<map width=\"1\" height=\"1\" tilewidth=\"4294967295\" tileheight=\"1\"/>",
                                 "map");
                    }),
                    {"4294967295 × 1 pixels", "65536"});
    expect_mentions(
        message_of([] { read_ldtk(R"({"levels":[{"identifier":"A"},{"identifier":"B"}]})", "p"); }),
        {"2 levels", "A, B", "--level A"});
    expect_mentions(message_of([] { read_ldtk(R"({"levels":[{"identifier":"A"}]})", "p", {}, "C"); }),
                    {"'C'", "is A"});
    expect_mentions(message_of([] { read_ldtk(R"({"levels":[{"identifier":"A"}]})", "p"); }), {"no IntGrid"});
    const auto with_layer = [](std::string_view layer) {
        return message_of([&] {
            read_ldtk(fmt::format(R"({{"levels":[{{"identifier":"A","layerInstances":[{}]}}]}})", layer),
                      "p");
        });
    };
    expect_mentions(
        with_layer(R"({"__type":"IntGrid","__cWid":1,"__cHei":1,"__gridSize":0,"intGridCsv":[0]})"),
        {"p: cells of 0 pixels"});
    for (const auto* const place : {"\"x\"", "[1e9,5]", "[1]", "null"})
        expect_mentions(
            with_layer(fmt::format(
                R"({{"__type":"Entities","entityInstances":[{{"__identifier":"Exit","px":{}}}]}})", place)),
            {"p: entity Exit: \"px\" is ", "expected two numbers"});
}

TEST(TileMaps, TilesetsAreReadFromTheFolderOfTheMapAndNowhereElse) {
    const Folder folder;
    std::filesystem::create_directories(folder / "maps/sets");
    const Tileset set{.name = "stones",
                      .count = 3,
                      .columns = 3,
                      .tile_width = 8,
                      .tile_height = 8,
                      .tiles = {{.id = 2, .kind = "rock"}}};
    for (const auto* place : {"maps/a.tsx", "maps/sets/b.tsx", "outside.tsx"})
        write_file(folder / place, to_tsx(set));
    write_file(folder / "maps/c.tsj", to_tsj(set));
    write_file(folder / "maps/secret.txt", "password");
    std::filesystem::create_symlink("../outside.tsx", folder / "maps/link.tsx");
    const auto read = [&](const std::string& source, bool json) {
        TileMap map = row({1});
        map.tilesets.front() = set;
        map.tilesets.front().source = source;
        const auto files = files_beside(folder / "maps/map.tmx");
        return json ? read_tmj(to_tmj(map), "map", files).tilesets.front()
                    : read_tmx(to_tmx(map), "map", files).tilesets.front();
    };
    for (const bool json : {false, true}) {
        for (const auto* name : {"a.tsx", "sets/b.tsx", "c.tsj", "sets/../a.tsx"})
            EXPECT_EQ(read(name, json).tiles, set.tiles) << name << read(name, json).problem;
        for (const std::string& name :
             {std::string{"../outside.tsx"}, std::string{"link.tsx"}, (folder / "maps/a.tsx").string()}) {
            EXPECT_TRUE(read(name, json).tiles.empty()) << name;
            expect_mentions(read(name, json).problem, {name, "outside"});
        }
        expect_mentions(read("none.tsx", json).problem, {"none.tsx", "no such file"});
        expect_mentions(read("secret.txt", json).problem, {"secret.txt", ".tsx"});
    }
}

TEST(Meanings, ComeFromTheLegendTheClassOrAProperty) {
    const std::vector<Tile> known{{.id = 0, .kind = "Wall"},
                                  {.id = 1, .properties = {{"door", true}}},
                                  {.id = 2, .properties = {{"kind", "gate"}}},
                                  {.id = 3, .properties = {{"rock", false}}}};
    EXPECT_EQ(meant(row({1, 2, 3, 4}, known)), (Cells{0, 2, 2, 1}));
    EXPECT_EQ(meant(row({1, 2, 3, 4}, known), "floor=1; rock=2,4"), (Cells{1, 0, 2, 0}));
    EXPECT_EQ(meant(row({7, 8, 9, 3}), "rock = 7..8 ; gate = 9; floor=3"), (Cells{0, 0, 2, 1}));
}

TEST(Meanings, NothingIsTakenForFloorThatNobodyKnows) {
    expect_mentions(message_of([] { meant(row({3, 9, 4, 5})); }),
                    {"map, layer cave", "tiles 3..5, 9", "tileset stones", "--tiles 'rock=...; floor=...'",
                     "rock, floor, door"});
    expect_mentions(message_of([] { meant(row({3, 9}), "rock=3"); }), {"tile 9 ", " is;"});
    TileMap lost = row({3});
    lost.tilesets.front().problem = "stones.tsx: no such file";
    expect_mentions(message_of([&] { meant(lost); }), {"stones.tsx: no such file"});
}

TEST(Meanings, CellsWithoutATileAreWhatTheOthersAreNot) {
    EXPECT_EQ(meant(row({1, 0, 1}), "rock=1"), (Cells{0, 1, 0}));
    EXPECT_EQ(meant(row({1, 0, 1}), "floor=1"), (Cells{1, 0, 1}));
    EXPECT_EQ(meant(row({0, 0}, {{.id = 0, .kind = "rock"}})), (Cells{1, 1}));
    EXPECT_EQ(meant(row({1, 0, 2}), "floor=1; rock=2,0"), (Cells{1, 0, 0}));
    expect_mentions(message_of([] { meant(row({1, 0, 2}), "floor=1; rock=2"); }),
                    {"without a tile", "'rock=0'"});
    expect_mentions(message_of([] { meant(row({0})); }), {"without a tile"});
}

TEST(Meanings, LegendsThatMakeNoSenseAreRefused) {
    const auto said = [](std::string_view text) {
        return message_of([&] { parse_legend(text, vocabulary); });
    };
    expect_mentions(said("rock"), {"--tiles", "'rock'", "'='"});
    expect_mentions(said("rok=1"), {"'rok'", "did you mean rock?"});
    expect_mentions(said("lava=1"), {"'lava'", "it can be", "door"});
    expect_mentions(said("rock=a"), {"'a'", "number"});
    expect_mentions(said("rock=5..1"), {"'5..1'"});
    expect_mentions(said("rock=0..4294967295"), {"range"});
    expect_mentions(said("rock=1; floor=1"), {"tile 1", "rock and floor"});
    expect_mentions(said(" ; "), {"no tile"});
    expect_mentions(said("rock="), {"no tile"});
}

TEST(Meanings, LayersAreChosenByName) {
    TileMap map = row({1});
    map.layers.push_back(map.layers.front());
    map.layers.front().name = "sky";
    EXPECT_EQ(&choose_layer(map, vocabulary, "", "map"), &map.layers[1]);
    EXPECT_EQ(&choose_layer(map, vocabulary, "Sky", "map"), &map.layers[0]);
    expect_mentions(message_of([&] { choose_layer(map, vocabulary, "sea", "map"); }), {"'sea'", "sky, cave"});
    map.layers.back().name = "sea";
    expect_mentions(message_of([&] { choose_layer(map, vocabulary, "", "map"); }),
                    {"sky, sea", "--layer sky"});
    map.layers.pop_back();
    EXPECT_EQ(&choose_layer(map, vocabulary, "", "map"), &map.layers[0]);
}

} // namespace knossos::tilemap::tile_map_test
