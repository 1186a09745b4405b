#include "render/text_squares.hpp"

#include <algorithm>

namespace knossos::render {

namespace {

// False if something else than symbols and blanks is in the line.
bool read_line(std::string_view line, std::span<const std::string_view> symbols,
               std::vector<std::uint8_t>& row) {
    while (!line.empty()) {
        if (line.front() == ' ' || line.front() == '\t' || line.front() == '\r') {
            line.remove_prefix(1);
            continue;
        }
        const auto symbol =
            std::ranges::find_if(symbols, [&](std::string_view one) { return line.starts_with(one); });
        if (symbol == symbols.end()) return false;
        row.push_back(static_cast<std::uint8_t>(symbol - symbols.begin()));
        line.remove_prefix(symbol->size());
    }
    return true;
}

} // namespace

std::vector<std::vector<std::uint8_t>> squares_in_text(std::string_view text,
                                                       std::span<const std::string_view> symbols) {
    std::vector<std::vector<std::uint8_t>> rows;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::vector<std::uint8_t> row;
        const bool is_row = read_line(text.substr(0, end), symbols, row);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!is_row) break;
        if (!row.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace knossos::render
