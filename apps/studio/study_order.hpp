#pragma once

#include <knossos/recipe/registry.hpp>
#include <knossos/study/study.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace knossos::studio {

/// What a study may be at most, so that all of it can be looked at while it goes on.
inline constexpr std::size_t most_study_configurations = 500;
inline constexpr std::size_t most_study_runs = 100'000;

/// What the page composes, {"recipes": ["pmx-queens"], "grid": {"problem.n": [8, 16]}, "runs": 20, …}, as the
/// file that `study` of the command line takes. Throws a Refusal if it is none, or names files or programs.
std::string study_toml(const nlohmann::ordered_json& order, const Registry& registry);

/// The study in such a file; every run of it may take so many bytes. Throws RecipeError that says all that is
/// wrong, and under which key, or InvalidInput.
study::Study checked_study(const std::string& toml, std::size_t most_bytes, const Registry& registry);

} // namespace knossos::studio
