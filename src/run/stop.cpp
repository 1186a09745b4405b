#include <knossos/core/error.hpp>
#include <knossos/run/stop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knossos {

namespace {

constexpr std::array<std::string_view, 10> names{"never",       "solved",  "target",     "evaluations",
                                                 "generations", "seconds", "stagnation", "convergence",
                                                 "any",         "all"};

StopRule combine(StopKind kind, StopRule a, StopRule b) {
    std::vector<StopRule> parts;
    for (StopRule* side : {&a, &b}) {
        if (side->kind() == kind)
            parts.insert(parts.end(), side->parts().begin(), side->parts().end());
        else
            parts.push_back(std::move(*side));
    }
    return {kind, std::move(parts)};
}

bool holds(StopKind kind, double value, const Status& status, Objective objective) {
    const Statistics& now = status.statistics;
    switch (kind) {
    case StopKind::solved:
        return status.solved;
    case StopKind::target:
        return now.violation == 0.0 && !better(objective, value, now.merit);
    case StopKind::evaluations:
        return static_cast<double>(now.evaluations) >= value;
    case StopKind::generations:
        return static_cast<double>(now.generation) >= value;
    case StopKind::seconds:
        return now.seconds >= value;
    case StopKind::stagnation:
        return static_cast<double>(status.stagnation) >= value;
    case StopKind::convergence:
        return now.worst_violation == 0.0 && std::abs(now.worst - now.best) <= value;
    default:
        return false;
    }
}

} // namespace

std::optional<StopRule> StopRule::fires(const Status& status, Objective objective) const {
    if (kind_ == StopKind::any) {
        for (const StopRule& part : parts_)
            if (auto fired = part.fires(status, objective)) return fired;
        return std::nullopt;
    }
    if (kind_ == StopKind::all) {
        for (const StopRule& part : parts_)
            if (!part.fires(status, objective)) return std::nullopt;
        return *this;
    }
    if (holds(kind_, value_, status, objective)) return *this;
    return std::nullopt;
}

bool StopRule::has(StopKind kind) const {
    return kind_ == kind || std::ranges::any_of(parts_, [&](const StopRule& part) { return part.has(kind); });
}

bool StopRule::ends_at(const Quality& merit, bool is_solved, Objective objective) const {
    const auto ends = [&](const StopRule& part) { return part.ends_at(merit, is_solved, objective); };
    switch (kind_) {
    case StopKind::solved:
        return is_solved;
    case StopKind::target:
        return merit.violation == 0.0 && !better(objective, value_, merit.fitness);
    case StopKind::any:
        return std::ranges::any_of(parts_, ends);
    case StopKind::all:
        return std::ranges::all_of(parts_, ends);
    default:
        return false;
    }
}

void StopRule::check(bool has_target) const {
    for (const StopRule& part : parts_) part.check(has_target);
    const std::string_view name = names[static_cast<std::size_t>(kind_)];
    if (std::isnan(value_)) throw InvalidInput{fmt::format("stop.{} is not a number", name)};
    if (kind_ == StopKind::solved && !has_target)
        throw InvalidInput{
            "stop.solved: the problem does not say when it is solved (it has no target()); leave "
            "it out (false), or use stop.target with a fitness instead"};
    const bool counts =
        kind_ == StopKind::evaluations || kind_ == StopKind::stagnation || kind_ == StopKind::seconds;
    if (counts && !(value_ > 0.0))
        throw InvalidInput{fmt::format("stop.{} is {}; it must be above 0", name, value_)};
    if ((kind_ == StopKind::convergence || kind_ == StopKind::generations) && value_ < 0.0)
        throw InvalidInput{fmt::format("stop.{} is {}; it must be at least 0", name, value_)};
}

bool StopRule::is_bounded() const {
    switch (kind_) {
    case StopKind::evaluations:
    case StopKind::generations:
    case StopKind::seconds:
    case StopKind::stagnation:
        return true;
    case StopKind::any:
        for (const StopRule& part : parts_)
            if (part.is_bounded()) return true;
        return false;
    case StopKind::all:
        for (const StopRule& part : parts_)
            if (!part.is_bounded()) return false;
        return true;
    default:
        return false;
    }
}

std::optional<double> StopRule::limit(StopKind kind) const {
    if (kind_ == kind) return value_;
    std::optional<double> found;
    if (kind_ == StopKind::any)
        for (const StopRule& part : parts_)
            if (const auto own = part.limit(kind); own && (!found || *own < *found)) found = own;
    return found;
}

std::optional<double> target_of(const Problem& problem, const StopRule& stop) {
    const std::optional<double> own = stop.limit(StopKind::target);
    return own ? own : problem.target();
}

std::string StopRule::to_text() const {
    if (kind_ == StopKind::never || kind_ == StopKind::solved)
        return fmt::format("{}()", names[static_cast<std::size_t>(kind_)]);
    if (kind_ != StopKind::any && kind_ != StopKind::all)
        return fmt::format("{}({})", names[static_cast<std::size_t>(kind_)], value_);
    std::string text;
    for (const StopRule& part : parts_) {
        const bool nested = part.kind() == StopKind::any;
        text += fmt::format("{}{}",
                            text.empty()             ? ""
                            : kind_ == StopKind::any ? " || "
                                                     : " && ",
                            nested ? fmt::format("({})", part.to_text()) : part.to_text());
    }
    return text;
}

StopRule solved() { return {StopKind::solved, 0.0}; }
StopRule target(double merit) { return {StopKind::target, merit}; }
StopRule evaluations(std::uint64_t count) { return {StopKind::evaluations, static_cast<double>(count)}; }
StopRule generations(std::uint64_t count) { return {StopKind::generations, static_cast<double>(count)}; }
StopRule seconds(double limit) { return {StopKind::seconds, limit}; }
StopRule stagnation(std::uint64_t generations) {
    return {StopKind::stagnation, static_cast<double>(generations)};
}
StopRule convergence(double spread) { return {StopKind::convergence, spread}; }
StopRule operator||(StopRule a, StopRule b) { return combine(StopKind::any, std::move(a), std::move(b)); }
StopRule operator&&(StopRule a, StopRule b) { return combine(StopKind::all, std::move(a), std::move(b)); }

} // namespace knossos
