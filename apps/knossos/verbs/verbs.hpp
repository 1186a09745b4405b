#pragma once

#include "common_options.hpp"
#include "verbs/dungeon_command.hpp"
#include "verbs/maze_command.hpp"
#include "verbs/queens_command.hpp"

#include <array>
#include <memory>

/// The verbs of domains that have one of their own. For the main file only, as command_line.hpp.
namespace knossos::app {

/// How to read somebody's map.
inline void add_map_options(CLI::App& app, tilemap::MapChoice& choice) {
    app.add_option(
           "--tiles", choice.tiles,
           "What the tiles of a map are, as numbered in its layer (0 is none): 'rock=1,2,5..8; floor=3'")
        ->type_name("NAME=TILES");
    app.add_option("--layer", choice.layer, "The layer of a map")->type_name("NAME");
    app.add_option("--level", choice.level, "The level of an LDtk project")->type_name("NAME");
}

inline void add_queens(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<QueensOptions>();
    auto* queens = app.add_subcommand("queens", "Place n queens that don't attack each other");
    queens->footer(fmt::format("Examples:\n  {0} queens 8\n  {0} queens 8 --all\n  {0} queens 8 --place "
                               "a1,c2 -o board.svg\n  {0} queens 1000000 --json > million.json",
                               registry.program()));
    queens->add_option("n", options->size, "Rows and columns of the board")->required();
    queens->add_option("--place", options->place, "Squares of queens that are placed already, such as a1,c5")
        ->type_name("SQUARES");
    queens->add_option("--place-file", options->place_file, "A file of such squares")->type_name("FILE");
    queens->add_flag("--all", options->all, "Collect every solution");
    add_common_options(*queens, *options);
    queens->callback([&chosen, &registry, options] {
        chosen = [&registry, options] { return solve_queens(*options, registry); };
    });
}

// What holds cells of a level, whatever else it is.
inline void add_level_options(CLI::App& verb, LevelOptions& options) {
    verb.add_option("--locks", options.locks,
                    "A level file that must hold; in text ? is free, and all else stays as it is there")
        ->type_name("FILE");
    verb.add_option("--start", options.start,
                    "Begin with this level: any file that 'measure' reads, and text in which ? is free")
        ->type_name("FILE");
    verb.add_option("--keep", options.keep, "The share of its cells that stay as they are, such as 0.8")
        ->check(share())
        ->type_name("SHARE");
    add_map_options(verb, options.map);
    verb.add_option("--symmetry", options.symmetry,
                    "none, left-right, top-bottom, both, rotation or quarter-rotation")
        ->type_name("NAME");
}

inline void add_maze(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<MazeOptions>();
    auto* maze = app.add_subcommand("maze", "Evolve maze-like levels");
    maze->footer(
        fmt::format("Examples:\n  {0} maze --size 30x30 --seed 7 -o level.tmj -o level.png\n  {0} "
                    "maze --goal 'path 60..70, culs-de-sac 5..9'\n  {0} maze --count 20 --different "
                    "-o level.json\n  {0} maze --goal 'maximise path, maximise culs-de-sac' --front -d "
                    "trade-off\n  {0} maze measure level.json",
                    registry.program()));
    maze->add_option(
            "--representation", options->representation,
            "direct, chromatic, positive, negative or automaton; the best for the purpose if not given")
        ->type_name("NAME");
    maze->add_option("--size", options->size, "Columns and rows (20x20 if not given)")->type_name("WxH");
    maze->add_option("--fitness", options->fitness,
                     "exit-path, reconvergence, isolated-reconvergence, culs-de-sac or cul-de-sac-length")
        ->type_name("NAME");
    maze->add_option("--goal", options->goal,
                     "Wishes instead: 'path 60..70, culs-de-sac 5..9, minimise pockets'")
        ->type_name("WISHES");
    maze->add_option("-k", options->mandatory,
                     "Checkpoints each of which must lie on some shortest way to the exit")
        ->check(whole_number(0, 64))
        ->type_name("COUNT");
    maze->add_option("--entrance", options->entrance, "Where one comes in (0,0 if not given)")
        ->type_name("X,Y");
    maze->add_option("--exit", options->exit, "Where one goes out (the last cell if not given)")
        ->type_name("X,Y");
    maze->add_option("--checkpoints", options->checkpoints,
                     "Cells that -k and the reconvergences look at: '3,4 10,12', or auto:4 for four laid out "
                     "evenly")
        ->type_name("CELLS");
    maze->add_flag("--evolve-checkpoints", options->evolve_checkpoints, "Mutation moves the checkpoints");
    maze->add_option("--style", options->style,
                     "What it begins as: sparse, cave, halls, labyrinth or keep (sparse if not given)")
        ->type_name("NAME");
    add_level_options(*maze, *options);
    maze->add_option("--count", options->count, "Number of mazes")
        ->check(whole_number(1, 100000))
        ->type_name("COUNT");
    maze->add_flag("--different", options->different,
                   "They differ, as cells and in what they are like to walk in");
    maze->add_option("--apart", options->apart,
                     "Any two of them differ in at least this share of their cells (0.25 if not given)")
        ->check(share())
        ->type_name("SHARE");
    maze->add_option("--apart-under", options->apart_under,
                     "symmetry: also from what the others are when mirrored and turned")
        ->type_name("NAME");
    maze->add_flag("--keep-pockets", options->keep_pockets, "Files keep what nobody can reach open");
    maze->add_flag("--distances", options->distances, "Pictures show the distance from the entrance");
    maze->add_flag("--culs-de-sac", options->culs_de_sac, "Pictures mark culs-de-sac");
    maze->add_option("--set", options->overrides, "Override a key of the recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    maze->add_option("-d,--folder", options->folder, "Keep everything of the run in this new folder")
        ->type_name("FOLDER");
    add_front_option(*maze, *options);
    add_common_options(*maze, *options);
    const auto measured = std::make_shared<MeasureOptions>();
    auto* measure = maze->add_subcommand("measure", "Print the measures of a level, whoever drew it");
    measure->footer(
        fmt::format("Examples:\n  {0} maze measure level.json\n  {0} maze measure level.json --pairs\n  {0} "
                    "maze measure level.json --members C2 -o ways.svg\n  {0} maze measure own.tmx --tiles "
                    "'rock=1,2,5..8; floor=3' --layer ground",
                    registry.program()));
    measure
        ->add_option("file", measured->file, "ASCII, CSV, JSON, PNG, a Tiled map (TMX, TMJ) or LDtk project")
        ->required();
    add_map_options(*measure, measured->map);
    measure->add_option("--goal", measured->goal, "Also say whether wishes hold: 'path 60..70, loops 2..'")
        ->type_name("WISHES");
    measure->add_flag("--pairs", measured->pairs,
                      "Also where the shortest ways over each two checkpoints meet");
    auto* members = measure
                        ->add_option("--members", measured->member,
                                     "Also which checkpoints lie on shortest ways to each cell; with a "
                                     "checkpoint such as C2, where the ways over it lead")
                        ->expected(0, 1)
                        ->type_name("[CHECKPOINT]");
    measure->add_option("-o,--output", measured->outputs, "Write the level to a file; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    measure->add_flag("--json", measured->json, "Print one JSON object");
    measure->add_flag("--ascii", measured->ascii, "Plain characters and no colours");
    maze->callback([&chosen, &registry, options, measured, measure, members] {
        measured->members = members->count() > 0;
        chosen = [=, &registry] {
            return measure->parsed() ? measure_level(*measured) : evolve_maze(*options, registry);
        };
    });
}

inline void add_dungeon(CLI::App& app, Action& chosen, const Registry& registry) {
    const auto options = std::make_shared<DungeonOptions>();
    auto* dungeon = app.add_subcommand("dungeon", "Evolve dungeons that nobody gets stuck in");
    dungeon->footer(fmt::format(
        "Examples:\n  {0} dungeon --style cave --seed 7 -o level.txt -o level.png\n  {0} dungeon --size "
        "24x16 --place 'keys 2, doors 2, red 1, monsters 3..6'\n  {0} dungeon --goal 'solution 40..70' "
        "--count 20 --different -o a.json\n  {0} dungeon measure level.txt",
        registry.program()));
    dungeon->add_option("--representation", options->representation, "tiles or rooms (tiles if not given)")
        ->type_name("NAME");
    dungeon->add_option("--style", options->style, "cave, halls, labyrinth or keep (halls if not given)")
        ->type_name("NAME");
    dungeon->add_option("--size", options->size, "Columns and rows (16x12 if not given)")->type_name("WxH");
    add_level_options(*dungeon, *options);
    dungeon
        ->add_option("--place", options->place,
                     "What is in it: 'keys 2, doors 2, red 1, treasure 5, monsters 3..6, checkpoints 2, "
                     "one-ways 1'")
        ->type_name("THINGS");
    dungeon->add_option("--goal", options->goal, "Wishes: 'solution 40..70, key_depth 2.., minimise lost'")
        ->type_name("WISHES");
    dungeon->add_flag("--losable", options->losable, "It may be possible to get stuck");
    dungeon->add_option("--count", options->count, "Number of dungeons")
        ->check(whole_number(1, 100000))
        ->type_name("COUNT");
    dungeon->add_flag("--different", options->different, "They differ, cell by cell");
    dungeon
        ->add_option("--apart", options->apart,
                     "Any two of them differ in at least this share of their cells (0.25 if not given)")
        ->check(share())
        ->type_name("SHARE");
    dungeon->add_flag("--no-solution", options->no_solution, "Pictures don't show the solution");
    dungeon->add_option("--set", options->overrides, "Override a key of the recipe; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    dungeon->add_option("-d,--folder", options->folder, "Keep everything of the run in this new folder")
        ->type_name("FOLDER");
    add_front_option(*dungeon, *options);
    add_common_options(*dungeon, *options);
    const auto measured = std::make_shared<DungeonMeasureOptions>();
    auto* measure = dungeon->add_subcommand("measure", "Judge a dungeon, whoever drew it");
    measure->footer(fmt::format(
        "Examples:\n  {0} dungeon measure level.txt\n  {0} dungeon measure level.json "
        "--goal 'solution 40..70' -o level.svg\n  {0} dungeon measure own.tmx --tiles 'rock=1,2,5..8; "
        "floor=3; door=9'",
        registry.program()));
    measure->add_option("file", measured->file, "Text, JSON, a map of Tiled or LDtk, or a PNG of ours")
        ->required();
    add_map_options(*measure, measured->map);
    measure->add_option("--goal", measured->goal, "Wishes: whether it meets them")->type_name("WISHES");
    measure->add_option("-o,--output", measured->outputs, "Write the dungeon to a file; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    measure->add_flag("--no-solution", measured->no_solution, "Pictures don't show the solution");
    measure->add_flag("--json", measured->json, "Print one JSON object");
    measure->add_flag("--ascii", measured->ascii, "Plain characters and no colours");
    dungeon->callback([&chosen, &registry, options, measured, measure] {
        chosen = [=, &registry] {
            return measure->parsed() ? measure_dungeon(*measured, registry)
                                     : evolve_dungeon(*options, registry);
        };
    });
}

constexpr std::array domain_verbs{add_queens, add_maze, add_dungeon};

constexpr std::array domain_examples{"queens 8", "maze --size 30x20 -o level.tmj",
                                     "dungeon --style keep -o level.png"};

} // namespace knossos::app
