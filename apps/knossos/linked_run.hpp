#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knossos::app {

/// What a link of the page carries behind its #:
/// "…/#/mazes?recipe=maze&set=problem.width%3D12&seed=7&digest=…"; of a course of choices also these,
/// "…/#/breed?recipe=maze&seed=7&choices=2+7%3B+1&digest=…".
struct LinkedRun {
    std::string recipe{}; ///< a built-in one, or empty
    std::string toml{};   ///< else a whole one
    std::vector<std::string> overrides{};
    std::string digest{};
};

/// Whether a text is meant as a link, and not as the name of a folder.
bool is_link(std::string_view text);

/// Throws InvalidInput that says what the link lacks.
LinkedRun linked_run(std::string_view link);

} // namespace knossos::app
