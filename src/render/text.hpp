#pragma once

#include <knossos/render/theme.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace knossos::render {

/// Text as it may stand in XML, in elements and in attributes; characters that XML forbids become spaces.
std::string escape_xml(std::string_view text);

/// 12345678 → "12,345,678".
std::string thousands(std::uint64_t number);

/// "1 queen", "2,000 queens".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

} // namespace knossos::render
