#include <knossos/render/terminal.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace knossos::render {

namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): read before any thread is started
    return value != nullptr ? value : "";
}

// The nearest of the palette's 6 × 6 × 6 colours and 24 greys.
int palette_index(Colour colour) {
    constexpr std::array<int, 6> levels{0, 95, 135, 175, 215, 255};
    const auto distance = [&](int red, int green, int blue) {
        return (red - colour.red) * (red - colour.red) + (green - colour.green) * (green - colour.green) +
               (blue - colour.blue) * (blue - colour.blue);
    };
    int best = 0;
    int smallest = distance(0, 0, 0) + 1;
    const auto consider = [&](int index, int away) {
        if (away >= smallest) return;
        smallest = away;
        best = index;
    };
    for (int i = 0; i < 216; ++i)
        consider(16 + i, distance(levels[static_cast<std::size_t>(i / 36)],
                                  levels[static_cast<std::size_t>(i / 6 % 6)],
                                  levels[static_cast<std::size_t>(i % 6)]));
    for (int i = 0; i < 24; ++i) consider(232 + i, distance(8 + 10 * i, 8 + 10 * i, 8 + 10 * i));
    return best;
}

std::string select(int kind, Colour colour, ColourDepth depth) {
    if (depth == ColourDepth::none) return {};
    if (depth == ColourDepth::palette) return fmt::format("\x1b[{};5;{}m", kind, palette_index(colour));
    return fmt::format("\x1b[{};2;{};{};{}m", kind, colour.red, colour.green, colour.blue);
}

bool locale_is_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const std::string_view value = environment(name); !value.empty())
            return value.find("UTF-8") != std::string_view::npos ||
                   value.find("utf8") != std::string_view::npos ||
                   value.find("utf-8") != std::string_view::npos;
    return false;
}

} // namespace

TerminalOptions terminal_options(bool is_terminal) {
    TerminalOptions options{.unicode = locale_is_utf8()};
    const std::string_view kind = environment("TERM");
    if (!is_terminal || !environment("NO_COLOR").empty() || kind.empty() || kind == "dumb") return options;
    const std::string_view depth = environment("COLORTERM");
    options.colours = depth == "truecolor" || depth == "24bit" ? ColourDepth::full : ColourDepth::palette;
    return options;
}

std::string foreground(Colour colour, ColourDepth depth) { return select(38, colour, depth); }
std::string background(Colour colour, ColourDepth depth) { return select(48, colour, depth); }
std::string plain(ColourDepth depth) { return depth == ColourDepth::none ? "" : "\x1b[0m"; }

} // namespace knossos::render
