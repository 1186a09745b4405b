#pragma once

#include <string>
#include <string_view>

namespace knossos::render {

/// Text from a file as it may go to a terminal: characters that would steer it, and bytes that are no UTF-8,
/// are written as \x1b. Line breaks and tabs stay.
std::string printable(std::string_view text);

} // namespace knossos::render
