#include <knossos/core/files.hpp>
#include <knossos/core/random.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_map.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/tilemap/files.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

// Writes mazes as Tiled maps into a folder, in every encoding, each beside a table of what its cells are (0
// open, 1 rock) and the level itself, for tests/tiled/run; or says whether a map that Tiled wrote still is
// that level.

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
void write_encodings(const std::filesystem::path& folder, const std::string& tiles,
                     const maze::Level& level) {
    using tilemap::Encoding;
    const tilemap::TileMap map = maze::level_map(level, tiles);
    for (const auto& [name, encoding] :
         {std::pair{"csv", Encoding::csv}, std::pair{"base64", Encoding::base64},
          std::pair{"zlib", Encoding::zlib}, std::pair{"gzip", Encoding::gzip},
          std::pair{"zstd", Encoding::zstd}})
        for (const bool infinite : {false, true}) {
            const std::string stem = std::string{infinite ? "infinite-" : "finite-"} + name;
            write_file(folder / (stem + ".tmx"), to_tmx(map, {.encoding = encoding, .infinite = infinite}));
            write_file(folder / (stem + ".tmj"), to_tmj(map, {.encoding = encoding, .infinite = infinite}));
            write_cells(folder, stem, level);
        }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2 && count != 3) {
        std::fputs("usage: write_maps FOLDER, or write_maps MAP LEVEL\n", stderr);
        return 2;
    }
    try {
        if (count == 3) return maze::read_level(arguments[1]) == maze::read_level(arguments[2]) ? 0 : 1;
        write_all(arguments[1], "small", random_level(1, 5, 4, false));
        write_all(arguments[1], "wide", random_level(2, 40, 17, false));
        write_encodings(arguments[1], "wide-embedded-tiles", random_level(4, 40, 17, false));
        write_all(arguments[1], "walls", random_level(3, 12, 12, true));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_maps: %s\n", error.what());
        return 3;
    }
}
