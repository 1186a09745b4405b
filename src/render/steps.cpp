#include <knossos/render/steps.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::render {

std::string step_runs(std::string_view steps) {
    std::string text;
    while (!steps.empty()) {
        const std::size_t end = std::min(steps.find_first_not_of(steps.front()), steps.size());
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", steps.front(), end);
        steps.remove_prefix(end);
    }
    return text;
}

} // namespace knossos::render
