#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/maze/view/level.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace knossos::maze {

using namespace render;

namespace {

// What stands in a cell. A border of rock goes all around.
enum class Ground : std::uint8_t { rock, floor, pocket, way, over_checkpoint };

class TextLevel {
  public:
    TextLevel(const Level& level, const TerminalOptions& terminal, const LevelOptions& options)
        : terminal_{terminal}, width_{level.grid.width() + 2}, height_{level.grid.height() + 2},
          ground_(std::size_t{width_} * height_, Ground::rock), marks_(ground_.size()) {
        const maze::Survey survey = maze::survey(level, caption_measures | MeasureSet{Measure::farthest});
        for (std::size_t i = 0; i < level.grid.area(); ++i) {
            const Cell cell = level.grid.cell(i);
            if (!level.grid.is_rock(cell)) at(cell) = survey.pocket[i] != 0 ? Ground::pocket : Ground::floor;
        }
        if (options.members) {
            for (std::size_t i = 0; i < level.grid.area(); ++i)
                if ((survey.members[i] >> *options.members & 1U) != 0)
                    at(level.grid.cell(i)) = Ground::over_checkpoint;
        } else if (options.solution) {
            for (const Cell cell : survey.path) at(cell) = Ground::way;
        }
        if (options.checkpoints)
            for (std::size_t i = 0; i < level.checkpoints.size(); ++i)
                mark(level.checkpoints[i]) = std::to_string(i + 1);
        mark(level.exit) = "X";
        mark(level.entrance) = "E";
    }

    // Two columns a cell, which makes it about square.
    [[nodiscard]] std::string wide() const {
        return rows(height_, [&](std::uint32_t x, std::uint32_t y) {
            const std::size_t place = std::size_t{y} * width_ + x;
            if (!marks_[place].empty())
                return paint(ground_[place], marks_[place]) + fmt::format("{:<2}", marks_[place]);
            return paint(ground_[place], {}) + std::string{symbol(ground_[place], true)};
        });
    }

    // One column a cell, for terminals without half blocks.
    [[nodiscard]] std::string narrow() const {
        return rows(height_, [&](std::uint32_t x, std::uint32_t y) {
            const std::size_t place = std::size_t{y} * width_ + x;
            return paint(ground_[place], marks_[place]) + (marks_[place].empty()
                                                               ? std::string{symbol(ground_[place], false)}
                                                               : short_mark(marks_[place]));
        });
    }

    // Two cells a character, one above the other.
    [[nodiscard]] std::string half_blocks() const {
        return rows((height_ + 1) / 2, [&](std::uint32_t x, std::uint32_t row) {
            const std::size_t upper = std::size_t{2} * row * width_ + x;
            const std::size_t lower = 2 * row + 1 < height_ ? upper + width_ : upper;
            for (const std::size_t place : {upper, lower})
                if (!marks_[place].empty())
                    return paint(Ground::floor, marks_[place]) + short_mark(marks_[place]);
            return half_block(ground_[upper], ground_[lower]);
        });
    }

  private:
    [[nodiscard]] std::size_t place_of(Cell cell) const {
        return std::size_t{cell.y + 1} * width_ + cell.x + 1;
    }
    Ground& at(Cell cell) { return ground_[place_of(cell)]; }
    std::string& mark(Cell cell) { return marks_[place_of(cell)]; }
    static std::string short_mark(const std::string& mark) { return mark == "E" || mark == "X" ? mark : "C"; }

    [[nodiscard]] std::string_view symbol(Ground ground, bool wide) const {
        static constexpr std::array<std::string_view, 5> unicode{"██", "  ", "░░", "··", "∙∙"};
        static constexpr std::array<std::string_view, 5> ascii{"##", "  ", "::", "..", "**"};
        const std::string_view both = (terminal_.unicode ? unicode : ascii)[static_cast<std::size_t>(ground)];
        return wide ? both : both.substr(0, both.size() / 2);
    }

    [[nodiscard]] std::string paint(Ground ground, std::string_view mark) const {
        const Theme& theme = terminal_.theme;
        const Colour ink = !mark.empty()            ? (mark == "E" || mark == "X" ? theme.ink : theme.ochre)
                           : ground == Ground::rock ? theme.rock
                           : ground == Ground::way  ? theme.aegean
                           : ground == Ground::over_checkpoint ? theme.ochre
                                                               : theme.quiet;
        return background(ground == Ground::rock && mark.empty() ? theme.rock : theme.floor,
                          terminal_.colours) +
               foreground(ink, terminal_.colours);
    }

    [[nodiscard]] std::string half_block(Ground upper, Ground lower) const {
        const bool top = upper == Ground::rock;
        const bool bottom = lower == Ground::rock;
        if (terminal_.colours != ColourDepth::none && !(top && bottom)) {
            // The upper half is drawn, the lower one shows through.
            const auto colour = [&](Ground ground) {
                const Theme& theme = terminal_.theme;
                return ground == Ground::rock              ? theme.rock
                       : ground == Ground::way             ? theme.aegean
                       : ground == Ground::over_checkpoint ? theme.ochre_fill
                       : ground == Ground::floor           ? theme.floor
                                                           : theme.floor_shade;
            };
            return background(colour(lower), terminal_.colours) +
                   foreground(colour(upper), terminal_.colours) + "▀";
        }
        if (top || bottom) return paint(Ground::rock, {}) + (top && bottom ? "█" : top ? "▀" : "▄");
        const auto either = [&](Ground ground) { return upper == ground || lower == ground; };
        if (either(Ground::over_checkpoint)) return "∙";
        return either(Ground::way) ? "·" : upper == Ground::pocket ? "░" : " ";
    }

    template <class Character>
    [[nodiscard]] std::string rows(std::uint32_t count, Character character) const {
        std::string text;
        for (std::uint32_t y = 0; y < count; ++y) {
            for (std::uint32_t x = 0; x < width_; ++x) text += character(x, y);
            text += plain(terminal_.colours) + "\n";
        }
        return text;
    }

    TerminalOptions terminal_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<Ground> ground_;
    std::vector<std::string> marks_;
};

// The caption in lines that fit, broken after commas.
std::string caption_lines(const Level& level, const maze::Measures& measures,
                          const TerminalOptions& terminal) {
    std::string text = level_caption(level, measures);
    if (!terminal.unicode)
        if (const std::size_t sign = text.find("×"); sign != std::string::npos) text.replace(sign, 2, "x");
    std::size_t line = 0;
    while (text.size() - line > terminal.columns) {
        const std::size_t comma = text.rfind(", ", line + terminal.columns - 1);
        if (comma == std::string::npos || comma <= line) break;
        text[comma + 1] = '\n';
        line = comma + 2;
    }
    return text + "\n";
}

// How much rock each part holds, as shades.
std::string overview(const Level& level, const TerminalOptions& terminal) {
    static constexpr std::array<std::string_view, 5> blocks{" ", "░", "▒", "▓", "█"};
    static constexpr std::array<std::string_view, 5> shades{" ", ".", "+", "%", "#"};
    const maze::Grid& grid = level.grid;
    const std::uint32_t columns = std::min(std::clamp(terminal.columns, 8U, 80U) - 4, grid.width());
    const std::uint32_t rows = std::min(24U, grid.height());
    std::vector<std::uint32_t> rock(std::size_t{columns} * rows);
    std::vector<std::uint32_t> all(rock.size());
    for (std::uint32_t y = 0; y < grid.height(); ++y)
        for (std::uint32_t x = 0; x < grid.width(); ++x) {
            const std::size_t part =
                std::size_t{y * rows / grid.height()} * columns + x * columns / grid.width();
            ++all[part];
            rock[part] += grid.is_rock({x, y}) ? 1U : 0U;
        }
    std::string text;
    for (std::size_t i = 0; i < rock.size(); ++i) {
        if (i % columns == 0) text += terminal.unicode ? "│" : "|";
        const std::size_t shade = (std::size_t{rock[i]} * 4 + all[i] / 2) / all[i];
        text += terminal.unicode ? blocks[shade] : shades[shade];
        if (i % columns == columns - 1) text += terminal.unicode ? "│\n" : "|\n";
    }
    return text;
}

} // namespace

std::string level_text(const Level& level, const TerminalOptions& terminal, const LevelOptions& options) {
    return level_text(level, maze::measure(level), terminal, options);
}

std::string level_text(const Level& level, const maze::Measures& measures, const TerminalOptions& terminal,
                       const LevelOptions& options) {
    check_members(level, options);
    // Measured as it is, drawn with its walls as rock: characters are too coarse for thin walls.
    const Level drawn = maze::with_walls_as_rock(level);
    const std::uint32_t width = drawn.grid.width() + 2;
    const std::string caption = caption_lines(level, measures, terminal);
    if (width > terminal.columns || drawn.grid.height() > 400) return overview(drawn, terminal) + caption;
    const TextLevel text{drawn, terminal, options};
    if (2 * width <= terminal.columns) return text.wide() + caption;
    return (terminal.unicode ? text.half_blocks() : text.narrow()) + caption;
}

std::string score_text(const Score& score) {
    std::string text = "\n";
    if (score.total) text += fmt::format("score {:.6g}\n", *score.total);
    if (score.usable && score.violation > 0.0)
        text += fmt::format("what must hold is missed by {:.4g}\n", score.violation);
    else if (score.usable && !score.total)
        text += "everything that was wished for holds\n";
    if (!score.usable)
        text += "  the exit can't be reached, or too few checkpoints lie on shortest ways to it\n";
    for (const auto& term : score.terms) {
        const bool is_objective = term.term.aim != Aim::range;
        text += fmt::format("  {:<36} {:>10}  {}\n", to_text(term.term), short_number(term.value),
                            is_objective ? ""
                            : term.met   ? "holds"
                                         : fmt::format("missed by {:.4g}", -term.contribution));
    }
    return text;
}

} // namespace knossos::maze
