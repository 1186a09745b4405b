#pragma once

#include <knossos/recipe/registry.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace knossos {

/// An entry for a type that says its own name and fields.
template <class Part, class Type>
Entry<Part> part(std::string_view summary) {
    PartInfo info{
        .name = std::string{Type::name}, .summary = std::string{summary}, .fields = fields_of<Type>()};
    if constexpr (requires { Type::uses; }) info.uses.assign(Type::uses.begin(), Type::uses.end());
    return {.info = std::move(info),
            .make = [](const Values& values) { return Part{from_values<Type>(values)}; }};
}

} // namespace knossos
