#pragma once

#include <knossos/maze/fitness.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/render/handout.hpp>
#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>
#include <knossos/render/theme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::maze {

/// How a maze is drawn and stored. A cell size of 0 means one that suits the maze.
struct LevelOptions {
    render::Theme theme = render::light;
    std::uint32_t cell = 0;        ///< pixels a cell
    std::uint32_t max_side = 1600; ///< pixels a side, when the cell size is chosen for you
    bool solution = true;          ///< a shortest path
    bool checkpoints = true;
    bool culs_de_sac = false;
    bool distances = false; ///< colours by distance from the entrance, with their scale
    /// Where the shortest ways over this checkpoint (from 0) lead, in place of the solution.
    std::optional<std::size_t> members{};
    /// Letters of level_colours, row by row: what cells are painted with, where they have colours.
    std::vector<std::string> colours{};
    bool keep_pockets = false; ///< files hold the cells that nobody can reach as they are
    bool side_tileset = false; ///< Tiled maps refer to a tileset in a file of its own
};

/// The colours that cells of chromatic mazes have, in their order: as light as floor, so that everything else
/// stands out.
struct LevelColour {
    char letter;
    std::string_view name;
    render::Colour light; ///< in the light theme
    render::Colour dark;
};
inline constexpr std::array<LevelColour, 6> level_colours{
    {{'R', "red", render::rgb(0xE0968A), render::rgb(0x7A3A32)},
     {'O', "orange", render::rgb(0xE8B67E), render::rgb(0x7C5527)},
     {'Y', "yellow", render::rgb(0xEEDC90), render::rgb(0x6F6424)},
     {'G', "green", render::rgb(0xB7CB92), render::rgb(0x435A2C)},
     {'B', "blue", render::rgb(0x9DC0DA), render::rgb(0x2C5372)},
     {'V', "violet", render::rgb(0xC4A9CF), render::rgb(0x573F63)}}};

/// Throws InvalidInput if options.members is none of the level's checkpoints.
void check_members(const Level& level, const LevelOptions& options);

/// Draws the maze as it is: rock joined into one shape or thin walls between cells, the entrance an arch, the
/// exit a stair, checkpoints numbered, unreachable pockets hatched. Throws InvalidInput if entrance, exit or
/// checkpoints don't fit the grid, or the picture would be too large.
render::Picture level_picture(const Level& level, const LevelOptions& options = {});

/// The maze to be solved on paper; on the next page its shortest way, unless options.solution is off.
render::Handout level_handout(const Level& level, const LevelOptions& options = {});

/// The maze as text of at most terminal.columns columns, with a line of numbers below. Mazes that are too
/// wide are summarised by how much rock each part holds.
std::string level_text(const Level& level, const render::TerminalOptions& terminal = {},
                       const LevelOptions& options = {});
/// The same of a level that has been measured already.
std::string level_text(const Level& level, const Measures& measures, const render::TerminalOptions& terminal,
                       const LevelOptions& options);

/// What a caption looks at.
constexpr MeasureSet caption_measures{Measure::exit_path, Measure::culs_de_sac, Measure::on_one_way,
                                      Measure::pocket_cells};
/// "30 × 30, exit path 130, 7 culs-de-sac, 2 of 6 checkpoints on one shortest way".
std::string level_caption(const Level& level, const Measures& measures);

/// Rows of '#' and '.', with E, X and C for entrance, exit and checkpoints: what maze::parse_level reads.
/// Walls between cells become cells of rock, here and in every form below that has no walls.
std::string level_ascii(const Level& level);

/// One field a cell: '#' or '.', then E, X and C with the checkpoint's number where they apply.
std::string level_csv(const Level& level);

/// The values of an LDtk IntGrid layer, row by row: 0 open, 1 rock, 2 entrance, 3 exit, 4 checkpoint.
std::string level_intgrid(const Level& level);

/// An object with cells, entrance, exit and checkpoints; walls_east and walls_south where there are walls
/// between cells; and solution, distances and measures, unless it should be brief.
std::string level_json(const Level& level, bool brief = false);

/// The measures as one JSON object, under the keys of maze::measure_table().
std::string measures_json(const Measures& measures);

/// A score for people, a line for each term.
std::string score_text(const Score& score);

/// A score as one JSON object: total, usable, and terms with what each has to do with it.
std::string score_json(const Score& score);

/// A project of the LDtk editor with one level of this name: an IntGrid layer (0 open, 1 rock), and entities
/// for the places and the solution.
std::string level_ldtk(const Level& level, std::string_view name);
/// The picture of the tileset that maps for Tiled use: floor, rock, entrance, exit, checkpoint.
std::string tileset_png(const render::Theme& theme);

} // namespace knossos::maze
