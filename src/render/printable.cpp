#include <knossos/render/printable.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace knossos::render {

namespace {

// Bytes of the character that the text begins with; 0 if that is no UTF-8, or none that may be shown.
std::size_t length_of(std::string_view text) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return (first >= 0x20 && first != 0x7F) || first == '\n' || first == '\t' ? 1 : 0;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    std::uint32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return 0;
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::uint32_t least[]{0, 0, 0xA0, 0x800, 0x10000}; // below 0xA0 are more that steer terminals
    const bool turns_text = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                            (code >= 0x2066 && code <= 0x2069);
    const bool is_none = first < 0xC0 || first >= 0xF8 || code < least[length] || code > 0x10FFFF ||
                         (code >= 0xD800 && code <= 0xDFFF);
    return is_none || turns_text ? 0 : length;
}

} // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = length_of(text);
        if (length == 0)
            fmt::format_to(std::back_inserter(result), "\\x{:02x}", static_cast<unsigned char>(text.front()));
        else
            result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

} // namespace knossos::render
