#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knossos {

/// A part of an address, in which %41 stands for an A; in queries, + for a blank. Nothing if that is not how
/// it is written, or if there is a zero in it.
inline std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
    std::string out;
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size()) return std::nullopt;
            const int high = digit(text[i + 1]);
            const int low = digit(text[i + 2]);
            if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += plus_is_space && text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

} // namespace knossos
