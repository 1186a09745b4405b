#include <knossos/domain/domain.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos {

bool Domain::writes(const render::Format& format) const {
    return std::ranges::find(formats, format.name, &render::Format::name) != formats.end();
}

std::optional<double> Domain::size_of(const Values& values) const {
    if (size_fields.empty()) return std::nullopt;
    double size = 1.0;
    for (const std::string& field : size_fields)
        size *= std::visit(
            []<class T>(const T& value) {
                if constexpr (std::same_as<T, std::string>)
                    return 1.0;
                else
                    return static_cast<double>(value);
            },
            values.at(field));
    return size;
}

std::string Domain::description_of(const Values& values) const {
    if (describe) return describe(values);
    std::string text = info.name;
    for (const std::string& field : size_fields)
        text += fmt::format(", {} = {}", field, to_text(values.at(field)));
    return text;
}

LoggedFunction Domain::logged_function(const Values& values) const {
    if (logged_as) return logged_as(values);
    constexpr std::uint32_t first_of_unknown = 1201;
    return {.id = first_of_unknown, .name = info.name};
}

} // namespace knossos
