#include "verbs/level_drawing.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <utility>

namespace knossos::app {

namespace {

constexpr std::size_t largest_file = 64'000'000;
constexpr std::uint32_t largest_drawing = 2047;

std::string dungeon_text(const std::string& bytes, const std::string& file, const tilemap::MapChoice& map) {
    return dungeon::to_text(dungeon::read_level_file(bytes, file, map));
}

std::string maze_text(const std::string& bytes, const std::string& file, const tilemap::MapChoice& map) {
    return maze::to_text(maze::with_walls_as_rock(maze::parse_level_file(bytes, file, map)));
}

std::string text_of(const std::string& bytes, const std::string& file, const tilemap::MapChoice& map,
                    bool is_dungeon) {
    levels::refuse_other_files(bytes, file);
    if (tilemap::map_format(bytes, file)) {
        const bool says_so = dungeon::claim_of_file(bytes, file) != Claim::no;
        return says_so || is_dungeon ? dungeon_text(bytes, file, map) : maze_text(bytes, file, map);
    }
    tilemap::check_choice(map, false, false, file);
    if (maze::level_source(bytes, file) == maze::LevelSource::ascii)
        return bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
    try {
        return dungeon_text(bytes, file, map);
    } catch (const InvalidInput&) { // then it is a maze, or its reader says what is wrong
        return maze_text(bytes, file, map);
    }
}

void require_size(const LevelOptions& options, const std::string& file, const levels::Drawing& drawing,
                  std::string_view advice) {
    if (options.size.empty() || parse_size(options.size) == std::pair{drawing.width, drawing.height}) return;
    throw InvalidInput{fmt::format("--size is {}, and {} is {}x{}; leave --size out {}", options.size, file,
                                   drawing.width, drawing.height, advice)};
}

void set_size(TypedRun& run, std::uint32_t width, std::uint32_t height, const std::string& option,
              const std::string& given) {
    run.set("width", std::to_string(width), option, given, "the width");
    run.set("height", std::to_string(height), option, given, "the height");
}

} // namespace

DrawnLevel read_drawn_level(const std::string& file, const tilemap::MapChoice& map, bool is_dungeon) {
    DrawnLevel level;
    level.text = text_of(read_file(file, largest_file), file, map, is_dungeon);
    level.drawing = levels::parse_drawing(level.text, file, largest_drawing);
    return level;
}

DrawnLevel read_locks(const LevelOptions& options, bool is_dungeon) {
    return read_drawn_level(options.locks, options.start.empty() ? options.map : tilemap::MapChoice{},
                            is_dungeon);
}

std::optional<DrawnLevel> set_level(TypedRun& run, const LevelOptions& options, bool is_dungeon) {
    if (options.start.empty() && options.locks.empty() && !options.map.empty())
        throw InvalidInput{
            "--tiles, --layer and --level say how to read a map; name it with --start or --locks"};
    if (options.start.empty() && options.keep)
        throw InvalidInput{"--keep holds cells of the level that --start names; there is none"};
    std::optional<DrawnLevel> start;
    std::optional<DrawnLevel> locks;
    if (!options.start.empty()) {
        start = read_drawn_level(options.start, options.map, is_dungeon);
        require_size(options, options.start, start->drawing, "to begin with it");
        set_size(run, start->drawing.width, start->drawing.height, "--start", options.start);
    }
    if (!options.locks.empty()) {
        locks = read_locks(options, is_dungeon);
        require_size(options, options.locks, locks->drawing, "to take its size");
        if (start &&
            (start->drawing.width != locks->drawing.width || start->drawing.height != locks->drawing.height))
            throw InvalidInput{
                fmt::format("--locks {} is {}x{}, and --start {} is {}x{}; they must be of one size",
                            options.locks, locks->drawing.width, locks->drawing.height, options.start,
                            start->drawing.width, start->drawing.height)};
        if (!start) set_size(run, locks->drawing.width, locks->drawing.height, "--locks", options.locks);
    }
    if (!options.size.empty() && !start && !locks) {
        const auto [width, height] = parse_size(options.size);
        set_size(run, width, height, "--size", options.size);
    }
    if (start) run.set("start", toml_text(start->text), "--start", options.start, "--start");
    if (options.keep) {
        const std::string keep = fmt::format("{}", *options.keep);
        run.set("keep", keep, "--keep", keep, "--keep");
    }
    if (locks) run.set("locks", toml_text(locks->text), "--locks", options.locks, "--locks");
    run.set_text("style", options.style, "--style");
    run.set_text("symmetry", options.symmetry, "--symmetry");
    return start;
}

} // namespace knossos::app
