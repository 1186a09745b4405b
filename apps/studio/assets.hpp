#pragma once

#include <span>
#include <string_view>

namespace knossos::studio {

/// A file of the page, in the program itself.
struct Asset {
    std::string_view path;
    std::string_view content_type;
    std::string_view bytes;
};

std::span<const Asset> assets();

} // namespace knossos::studio
