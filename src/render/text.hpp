#pragma once

#include <string>
#include <string_view>

namespace knossos::render {

/// Text as it may stand in XML, in elements and in attributes; characters that XML forbids become spaces.
std::string escape_xml(std::string_view text);

} // namespace knossos::render
