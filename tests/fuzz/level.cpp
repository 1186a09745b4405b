// Every level reader, chosen by the first byte, takes any bytes or refuses them with InvalidInput; what it
// takes can be measured, and is the same when written and read again.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_reader.hpp>

#include <algorithm>
#include <tuple>

using namespace knossos;
using maze::LevelSource;

namespace {

// What a format can hold that has one sign for a cell: no rock where one comes in and goes out, and
// checkpoints in reading order.
maze::Level plain(maze::Level level) {
    level.grid.set_rock(level.entrance, false);
    level.grid.set_rock(level.exit, false);
    std::ranges::sort(level.checkpoints, {}, [](maze::Cell cell) { return std::pair{cell.y, cell.x}; });
    return level;
}

void write_and_read(const maze::Level& level) {
    maze::LevelOptions options;
    options.keep_pockets = true;
    for (const auto& [kind, name, is_plain] :
         {std::tuple{LevelSource::ascii, "ascii", true}, std::tuple{LevelSource::csv, "csv", true},
          std::tuple{LevelSource::json, "json", false}, std::tuple{LevelSource::tmj, "tmj", false},
          std::tuple{LevelSource::png, "png", true}}) {
        const auto files = maze::render_level(level, name, options, "level");
        try {
            const maze::Level again = maze::parse_level_as(kind, files.front().bytes, "again");
            const bool same = is_plain ? plain(again) == plain(level) : again == level;
            if (!same) std::fprintf(stderr, "%s:\n%s", name, maze::to_text(again).c_str());
            fuzz::require(same, "a level is the same when written and read again");
        } catch (const Error& error) {
            std::fprintf(stderr, "%s: %s\n", name, error.what());
            fuzz::require(false, "a level that was written can be read");
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto kind = static_cast<LevelSource>(data[0] % 5);
    const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
    try {
        const maze::Level level = maze::parse_level_as(kind, bytes, "fuzz");
        // A picture of some hundred bytes may hold millions of cells.
        if (level.grid.width() * level.grid.height() > 4096 || !fuzz::is_one_in(16, bytes)) return 0;
        (void)maze::measure(level);
        if (fuzz::is_one_in(256, bytes)) write_and_read(level);
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
