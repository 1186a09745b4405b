#include "tilemap/compression.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace knossos::tilemap {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xFF;

} // namespace

std::string from_base64(std::string_view text) {
    static const auto values = [] {
        std::array<std::uint8_t, 256> table{};
        table.fill(no_digit);
        for (std::size_t i = 0; i < alphabet.size(); ++i)
            table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
        return table;
    }();
    std::string result;
    result.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char letter : text) {
        if (letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t') continue;
        if (letter == '=') break;
        const std::uint8_t value = values[static_cast<unsigned char>(letter)];
        if (value == no_digit) throw InvalidInput{"the tiles are said to be base64 and are not"};
        bits = (bits << 6U | value) & 0xFFFFFFU;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        result += static_cast<char>(bits >> held & 0xFFU);
    }
    return result;
}

std::string to_base64(std::string_view bytes) {
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = bits << 8U | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            result += i + j <= bytes.size() ? alphabet[bits >> (18U - 6U * j) & 63U] : '=';
    }
    return result;
}

} // namespace knossos::tilemap
