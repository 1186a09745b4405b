#pragma once

#include <knossos/core/values.hpp>

#include <string>

namespace knossos::study {

/// A value as people write it: texts without quotes.
inline std::string plain_text(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : to_text(value);
}

} // namespace knossos::study
