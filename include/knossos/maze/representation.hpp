#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>
#include <knossos/levels/ground.hpp>
#include <knossos/levels/symmetry.hpp>
#include <knossos/maze/automaton.hpp>
#include <knossos/maze/grid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace knossos::maze {

using levels::Symmetry;

/// A cell that must be rock, or must be open.
struct Lock {
    Cell cell;
    bool rock = false;

    friend bool operator==(const Lock&, const Lock&) = default;
};

/// Reads locks from a drawing, see levels::Drawing: rock is locked as rock, what is not free as open. Throws
/// InvalidInput with "source:line:column" for another size or other characters.
std::vector<Lock> parse_locks(std::string_view text, std::uint32_t width, std::uint32_t height,
                              std::string_view source = "locks");

/// What a designer lays down before evolution starts.
struct Layout {
    std::uint32_t width = 20;
    std::uint32_t height = 20;
    Cell entrance{};
    Cell exit{};
    std::vector<Cell> checkpoints{};
    std::vector<Lock> locks{};
    Symmetry symmetry = Symmetry::none;

    /// Entrance in the upper left corner, exit in the lower right one, no checkpoints.
    static Layout of_size(std::uint32_t width, std::uint32_t height);
};

/// A layout that was checked, with its constraints worked out. Entrance and exit are locked as open. A lock
/// holds for all images of its cell under the symmetry, and locks win over the symmetry's copying; a rock
/// and an open lock in cells that are images of each other contradict each other and are refused.
class Blueprint {
  public:
    /// Throws InvalidInput for a layout that can't be met, naming the cells.
    explicit Blueprint(Layout layout);

    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] std::uint32_t width() const { return layout_.width; }
    [[nodiscard]] std::uint32_t height() const { return layout_.height; }
    [[nodiscard]] std::size_t area() const { return std::size_t{layout_.width} * layout_.height; }

    /// Brings rock into line: each cell takes the state of the first of its images in reading order, then
    /// locked cells take theirs.
    void apply(Grid& grid) const;
    /// The same on a genome of width · height bits.
    void apply(Bits bits) const;
    /// Which cell (its place in reading order) decides about a cell under the symmetry.
    [[nodiscard]] std::size_t ruler(std::size_t index) const {
        return rulers_.empty() ? index : rulers_[index];
    }
    [[nodiscard]] const Grid& locked_rock() const { return locked_rock_; }
    [[nodiscard]] const Grid& locked_open() const { return locked_open_; }
    /// Whether a cell is neither locked nor an entrance or exit, nor an image of one.
    [[nodiscard]] bool is_free(Cell cell) const {
        return !locked_rock_.is_rock(cell) && !locked_open_.is_rock(cell);
    }
    /// Whether there is anything to apply beyond an open entrance and exit.
    [[nodiscard]] bool constrained() const { return !layout_.locks.empty() || !rulers_.empty(); }

    /// The grid as a level of this layout.
    [[nodiscard]] Level level(Grid grid) const;

  private:
    struct Copy {
        std::uint32_t to;
        std::uint32_t from;
    };

    void rule_images();
    void lock_cells();

    Layout layout_;
    std::vector<std::uint32_t> rulers_;
    std::vector<Copy> copies_;
    Grid locked_rock_; // as the rock of a grid
    Grid locked_open_;
    std::vector<std::uint64_t> rock_bits_; // the same, as genomes of the direct representation
    std::vector<std::uint64_t> open_bits_;
};

/// Cells that somebody drew and wants to find again.
struct KeptCells {
    std::vector<std::uint64_t> rock{};  ///< a genome of the direct representation, constraints applied
    std::vector<std::uint64_t> known{}; ///< the cells that were drawn
    std::size_t most_changes = 0;       ///< how many may differ

    /// At least that share of the cells of a drawing, which has the blueprint's size; but for those that are
    /// free, which are the rock of another grid, if there are any.
    static KeptCells of(const Blueprint& blueprint, const Grid& drawing, double share, const Grid& free = {});
    /// How many differ: the measure `changes`.
    [[nodiscard]] std::size_t changes(BitView genome) const;
    [[nodiscard]] std::size_t changes(const Grid& grid) const;
};

/// Direct: one bit per cell, 1 for rock. A maze starts sparse, each cell rock with probability `fill`
/// (Ashlock, Lee and McGuinness 2011), as ground of a style, or as the maze `start` if there is one: cells
/// that this leaves free are as they would be without it. Constraints are repaired in
/// the genome, so that genome and maze agree.
struct Direct {
    Blueprint blueprint;
    double fill = 0.05;
    Grid start{};                       ///< empty, or a grid of the blueprint's size
    std::optional<KeptCells> kept = {}; ///< of the start, if they are to be kept
    Grid free{};                        ///< cells of the start that are free, as the rock of a grid, or empty
    std::optional<levels::Style> style = {};

    static constexpr std::string_view name = "direct";
    [[nodiscard]] Space space() const { return Space::bits(blueprint.area()); }
    void initialise(Stream& stream, Bits genome) const;
    void repair(Bits genome) const { blueprint.apply(genome); }
    /// Puts cells back, drawn by lot, until no more differ from what is kept than may. Of a repaired genome.
    void put_back(Stream& stream, Bits genome) const;
    void decode(BitView genome, Grid& grid) const;
};

/// Chromatic: each cell has one of six colours, red to violet, and one may step between neighbours of equal
/// or adjacent colours: no cell is blocked, walls lie between cells (ibid.). Starts yellow and green. Under a
/// symmetry cells take the colour of the image that rules them; cells locked as rock are blocked.
struct Chromatic {
    Blueprint blueprint;

    static constexpr std::string_view name = "chromatic";
    static constexpr std::uint32_t colours = 6;
    [[nodiscard]] Space space() const { return Space::integers(blueprint.area(), colours); }
    void initialise(Stream& stream, Integers<std::uint8_t> genome) const;
    void decode(IntegerView<std::uint8_t> genome, Grid& grid) const;
};

/// Positive indirect: pairs of integers 0..9999 build barriers on an empty grid (ibid.). Of the first
/// integer, bit 0 says whether the barrier goes on past existing rock or stops at it, bits 1..3 its
/// direction (north, northeast and so on clockwise), the rest is its length; the second integer i starts it
/// at x = i mod width, y = (i div width) mod height. Drawing ends when `cap` of the cells are rock. Starts
/// with lengths 1..3.
struct Positive {
    Blueprint blueprint;
    std::uint32_t barriers = 0; ///< pairs in a genome; 0 means one per ten cells
    double cap = 0.5;

    static constexpr std::string_view name = "positive";
    [[nodiscard]] Space space() const;
    void initialise(Stream& stream, Integers<std::uint16_t> genome) const;
    void decode(IntegerView<std::uint16_t> genome, Grid& grid) const;
};

/// Negative indirect: pairs of integers 0..9999 dig into solid rock (ibid.). Bits 0..1 of the first integer
/// choose nothing, a corridor to the south, a corridor to the east or a room, the rest R its size: length
/// R mod height (width), or R mod 4 + 2 by (R div 4) mod 4 + 2 cells; the second integer gives the top left
/// cell as above. Rooms of 4×4 around entrance and exit, pushed inside the grid, are always open.
struct Negative {
    Blueprint blueprint;
    std::uint32_t diggings = 0; ///< pairs in a genome; 0 means one per ten cells

    static constexpr std::string_view name = "negative";
    [[nodiscard]] Space space() const;
    void initialise(Stream& stream, Integers<std::uint16_t> genome) const;
    void decode(IntegerView<std::uint16_t> genome, Grid& grid) const;
};

/// Automaton: width · height map bits and 18 rule bits (see AutomatonRules) that work on the map for a number
/// of steps. Adams, Parekh and Louis 2017. Constraints are applied to what comes out.
struct Automaton {
    Blueprint blueprint;
    std::uint32_t steps = 50;
    double fill = 0.5; ///< of the map at the start

    static constexpr std::string_view name = "automaton";
    [[nodiscard]] Space space() const { return Space::bits(blueprint.area() + automaton_rule_bits); }
    void initialise(Stream& stream, Bits genome) const;
    void decode(BitView genome, Grid& grid) const;
    /// The map as it is in the genome, and after each step until nothing changes any more; the last one comes
    /// before the constraints. At most so many of the first.
    [[nodiscard]] std::vector<Grid> stages(BitView genome, std::size_t most) const;
};

/// Copies width · height bits in reading order into the rock of a grid, whose size is set accordingly.
void rock_from_bits(BitView bits, std::uint32_t width, std::uint32_t height, Grid& grid);

} // namespace knossos::maze
