#pragma once

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <string_view>

namespace knossos::render {

/// What a reader says of a file that it can't take.
[[noreturn]] inline void refuse(std::string_view source, std::string_view message) {
    throw InvalidInput{fmt::format("{}: {}", source, message)};
}

} // namespace knossos::render
