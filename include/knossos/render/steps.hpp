#pragma once

#include <string>
#include <string_view>

namespace knossos::render {

/// Steps, a letter each, for people: "nnnneeeeeeee" is "n4 e8".
std::string step_runs(std::string_view steps);

} // namespace knossos::render
