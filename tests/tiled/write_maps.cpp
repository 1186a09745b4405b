#include <knossos/core/files.hpp>
#include <knossos/core/random.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_files.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_map.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/tilemap/files.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <string>

// Writes mazes and dungeons as Tiled maps into a folder, in every encoding, each beside a table of the tiles
// of its cells, as the tileset counts them, and the level itself, for tests/tiled/run; or says whether a map
// that Tiled wrote still is that level.

namespace {

using namespace knossos;

maze::Level random_level(std::uint64_t seed, std::uint32_t width, std::uint32_t height, bool walls) {
    Stream stream = Streams{seed, 0}.at(Purpose::study, 0, 0);
    maze::Level level{.grid = maze::Grid{width, height}, .exit = {width - 1, height - 1}};
    if (walls) level.grid.add_walls();
    for (std::size_t i = 0; i < level.grid.area(); ++i) {
        const maze::Cell cell = level.grid.cell(i);
        const bool chosen = stream.below(100) < 30 && cell != level.entrance && cell != level.exit;
        if (!walls) level.grid.set_rock(cell, chosen);
        if (walls && cell.x + 1 < width) level.grid.set_wall_east(cell, chosen);
    }
    level.checkpoints = {{width / 2, height / 2}, {width - 1, 0}};
    return level;
}

void write_cells(const std::filesystem::path& folder, const std::string& stem, const maze::Level& level) {
    std::ofstream table{folder / (stem + ".cells")};
    const maze::Level drawn = maze::with_walls_as_rock(level);
    for (std::size_t i = 0; i < drawn.grid.area(); ++i)
        table << (drawn.grid.is_rock(drawn.grid.cell(i)) ? '1' : '0')
              << ((i + 1) % drawn.grid.width() == 0 ? '\n' : ',');
    maze::write_level(folder / (stem + ".json"), drawn, {.keep_pockets = true});
}

void write_all(const std::filesystem::path& folder, const std::string& name, const maze::Level& level) {
    for (const bool side : {false, true}) {
        const std::string stem = name + (side ? "-side" : "-embedded");
        const maze::LevelOptions options{.keep_pockets = true, .side_tileset = side};
        for (const char* extension : {".tmj", ".tmx"})
            maze::write_level(folder / (stem + extension), level, options);
        write_cells(folder, stem, level);
    }
}

// The same map in each encoding; the picture of its tiles is beside another one.
void write_encodings(const std::filesystem::path& folder, const std::string& kind,
                     const tilemap::TileMap& map,
                     const std::function<void(const std::string& stem)>& write_beside) {
    using tilemap::Encoding;
    for (const auto& [name, encoding] :
         {std::pair{"csv", Encoding::csv}, std::pair{"base64", Encoding::base64},
          std::pair{"zlib", Encoding::zlib}, std::pair{"gzip", Encoding::gzip},
          std::pair{"zstd", Encoding::zstd}})
        for (const bool infinite : {false, true}) {
            const std::string stem = (infinite ? "infinite-" : "finite-") + kind + "-" + name;
            write_file(folder / (stem + ".tmx"), to_tmx(map, {.encoding = encoding, .infinite = infinite}));
            write_file(folder / (stem + ".tmj"), to_tmj(map, {.encoding = encoding, .infinite = infinite}));
            write_beside(stem);
        }
}

void write_mazes(const std::filesystem::path& folder) {
    write_all(folder, "small", random_level(1, 5, 4, false));
    write_all(folder, "wide", random_level(2, 40, 17, false));
    write_all(folder, "walls", random_level(3, 12, 12, true));
    const maze::Level level = random_level(4, 40, 17, false);
    write_encodings(folder, "maze", maze::level_map(level, "wide-embedded-tiles"),
                    [&](const std::string& stem) { write_cells(folder, stem, level); });
}

// Every kind of thing in rows that are wide enough for several chunks.
dungeon::Level random_dungeon(std::uint64_t seed, std::uint32_t width, std::uint32_t height) {
    Stream stream = Streams{seed, 0}.at(Purpose::study, 0, 0);
    dungeon::Level level{.width = width, .height = height};
    for (std::uint32_t i = 0; i < width * height; ++i)
        level.cells.push_back(stream.below(100) < 30 ? dungeon::Tile::rock : dungeon::Tile::floor);
    for (std::size_t kind = 2; kind < dungeon::tile_kinds; ++kind) {
        std::size_t cell = stream.below(width * height);
        while (level.cells[cell] > dungeon::Tile::floor) cell = (cell + 1) % level.cells.size();
        level.cells[cell] = static_cast<dungeon::Tile>(kind);
    }
    return level;
}

void write_dungeons(const std::filesystem::path& folder) {
    const dungeon::Level level = random_dungeon(5, 37, 18);
    const auto beside = [&](const std::string& stem) {
        std::ofstream table{folder / (stem + ".cells")};
        for (std::size_t i = 0; i < level.area(); ++i)
            table << (level.cells[i] == dungeon::Tile::rock ? '0' : '1')
                  << ((i + 1) % level.width == 0 ? '\n' : ',');
        write_file(folder / (stem + ".json"), dungeon::level_json(level));
    };
    for (const bool side : {false, true}) {
        const std::string stem = side ? "dungeon-side" : "dungeon-embedded";
        render::FormatOptions options;
        options.switches["side_tileset"] = side;
        for (const std::string format : {"tmj", "tmx"})
            render::write_files(folder / (stem + "." + format),
                                dungeon::level_files(level, format, options, stem));
        beside(stem);
    }
    write_encodings(folder, "dungeon", dungeon::level_map(level, "dungeon-embedded-tiles"), beside);
}

// As anybody's file: the map itself has to tell whether it is a maze or a dungeon.
bool is_same_level(const std::filesystem::path& map, const std::filesystem::path& level) {
    return read_artefact(read_file(map), map)->json() == read_artefact(read_file(level), level)->json();
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2 && count != 3) {
        std::fputs("usage: write_maps FOLDER, or write_maps MAP LEVEL\n", stderr);
        return 2;
    }
    try {
        if (count == 3) return is_same_level(arguments[1], arguments[2]) ? 0 : 1;
        write_mazes(arguments[1]);
        write_dungeons(arguments[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_maps: %s\n", error.what());
        return 3;
    }
}
