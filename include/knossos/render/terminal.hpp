#pragma once

#include <knossos/render/theme.hpp>

#include <cstdint>
#include <string>

namespace knossos::render {

/// How many colours a terminal knows.
enum class ColourDepth : std::uint8_t { none, palette, full };

/// What may be printed. The defaults suit a file or a pipe in UTF-8.
struct TerminalOptions {
    Theme theme = light;
    ColourDepth colours = ColourDepth::none;
    bool unicode = true;
    std::uint32_t columns = 80;
};

/// What the environment allows: colours only where `is_terminal` and NO_COLOR is unset or empty, Unicode
/// where the locale is UTF-8. Reads the environment: call it before threads are started.
TerminalOptions terminal_options(bool is_terminal);

/// The escape sequence that sets the colour of what follows, or nothing without colours.
std::string foreground(Colour colour, ColourDepth depth);
std::string background(Colour colour, ColourDepth depth);
/// Ends what foreground() and background() began.
std::string plain(ColourDepth depth);

} // namespace knossos::render
