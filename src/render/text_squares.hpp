#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace knossos::render {

/// The rows of a board in text: one symbol a square, as an index into `symbols`, with or without blanks
/// between them. Ends before the first line that holds anything else, such as a caption or the letters of
/// the columns.
std::vector<std::vector<std::uint8_t>> squares_in_text(std::string_view text,
                                                       std::span<const std::string_view> symbols);

} // namespace knossos::render
