#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What all levels of cells have in common: their text, the ground that they begin as, which cells a symmetry
/// makes alike.
namespace knossos::levels {

/// A place on a grid: x counts columns from the left, y rows from the top, both from 0.
struct Cell {
    std::uint32_t x = 0;
    std::uint32_t y = 0;

    friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
};

/// "(3, 0)", for messages.
std::string to_text(Cell cell);

/// Reads "3,4 10,12" (also with semicolons). Throws InvalidInput that names the part it can't read.
std::vector<Cell> parse_cells(std::string_view text);
/// The same, written.
std::string cells_text(const std::vector<Cell>& cells);

/// Whatever a cell can be, a character each: rock, floor, the three places, what lies on the floor; '?' is
/// free, for those who only say what some of the cells are.
inline constexpr std::string_view cell_letters = "#.EXC$mk+rgbyRGBY^>v<?";
inline constexpr char rock_letter = '#';
inline constexpr char floor_letter = '.';
inline constexpr char free_letter = '?';

/// A level, or what is to become one, as text: rows of those characters, all of one length. Lines before the
/// first row may say where something is that a character can't show, because something else is there:
/// "exit: 0,0", "checkpoints: 3,4 0,0".
struct Drawing {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::string cells{};             ///< in reading order; a blank was read as '?'
    std::optional<Cell> entrance{};  ///< by letter or line
    std::optional<Cell> exit{};      ///< likewise
    std::vector<Cell> checkpoints{}; ///< those of the line in its order, then the others in reading order
    std::size_t first_line = 1;      ///< of the text, in which the first row stands

    [[nodiscard]] std::size_t index(Cell cell) const { return std::size_t{cell.y} * width + cell.x; }
    [[nodiscard]] Cell cell(std::size_t index) const {
        return {static_cast<std::uint32_t>(index % width), static_cast<std::uint32_t>(index / width)};
    }
    [[nodiscard]] bool is_free(std::size_t index) const { return cells[index] == free_letter; }
    /// "7:3", the line and column of a cell in the text.
    [[nodiscard]] std::string place_of(std::size_t index) const;
};

/// Throws InvalidInput with "source:line:column" for what can't be read, also if a side is longer than
/// `largest`.
Drawing parse_drawing(std::string_view text, std::string_view source, std::uint32_t largest);

/// The same for those who need to know every cell, and so can't have free ones.
Drawing parse_known(std::string_view text, std::string_view source, std::uint32_t largest);

/// The same of a certain size, for what is laid over something: a drawing of another size is refused.
Drawing parse_sized(std::string_view text, std::string_view source, std::uint32_t width,
                    std::uint32_t height);

/// Throws InvalidInput that says what a file is if levels can't be read from its kind: a PDF, an archive, a
/// picture that is no PNG.
void refuse_other_files(std::string_view bytes, std::string_view source);

/// Rows of characters with the places marked, and lines for those that can't be: on rock or another place,
/// or checkpoints that are not in reading order. `cells` has no places yet.
std::string to_text(const Drawing& drawing);

} // namespace knossos::levels
