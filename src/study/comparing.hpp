#pragma once

#include <knossos/study/analysis.hpp>

namespace knossos::study {

/// Tests the members of a group against each other, and says in words what comes out.
void compare(const Analysis& analysis, Group& group);

/// The methods that work on every problem of the study, by their ranks on each; nothing with fewer than three
/// of either.
std::optional<Across> compare_across(const Analysis& analysis);

} // namespace knossos::study
