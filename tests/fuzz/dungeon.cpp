// Dungeons as text, as JSON and in pictures of ours are read or refused with InvalidInput. What is read is
// the same when written and read again; if it is not too large to be judged, its walks can be walked and
// agree with the verdicts.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_map.hpp>

using namespace knossos;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        // Maps have fuzzers of their own, which look for dungeons, too.
        const dungeon::Level level = text.starts_with("\x89PNG") ? dungeon::read_level_file(text, "fuzz.png")
                                                                 : dungeon::parse_level_file(text, "fuzz");
        fuzz::require(dungeon::parse_level(dungeon::to_text(level)) == level,
                      "a dungeon is the same when written and read again");
        // Every small key may double the states.
        if (dungeon::counts_of(level)[static_cast<std::size_t>(dungeon::Tile::small_key)] > 8) return 0;
        dungeon::Judge judge;
        const dungeon::Judgement judgement = judge.judge(level);
        const dungeon::Walk solution = judge.solution(level);
        const dungeon::Walk losing = judge.losing_walk(level);
        fuzz::require(judgement.solvable == !solution.empty(), "what can be solved has a solution");
        fuzz::require(judgement.unlosable == losing.empty(), "what can be lost has a walk that loses it");
        (void)dungeon::events_of(level, losing);
        (void)dungeon::events_of(level, solution);
        if (!fuzz::is_one_in(16, text)) return 0;
        fuzz::require(dungeon::parse_level_json(dungeon::level_json(level)) == level, "JSON holds all of it");
        (void)dungeon::level_text(level);
        (void)dungeon::level_picture(level);
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
