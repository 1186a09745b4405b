#pragma once

#include <knossos/run/status.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

enum class StopKind : unsigned char {
    never,
    solved,
    target,
    evaluations,
    generations,
    seconds,
    stagnation,
    convergence,
    any,
    all,
};

/// When a run ends. Rules are looked at after every generation and combine with || and &&:
///     solved() || evaluations(1'000'000)
///     target(230) || (stagnation(50) && generations(1000))
class StopRule {
  public:
    StopRule() = default; ///< never
    StopRule(StopKind kind, double value) : kind_{kind}, value_{value} {}
    StopRule(StopKind kind, std::vector<StopRule> parts) : kind_{kind}, parts_{std::move(parts)} {}

    [[nodiscard]] StopKind kind() const { return kind_; }
    [[nodiscard]] double value() const { return value_; }
    [[nodiscard]] const std::vector<StopRule>& parts() const { return parts_; }

    /// The part that ends the run now, such as evaluations(1000000), if any does. `objective` is that of the
    /// merit.
    [[nodiscard]] std::optional<StopRule> fires(const Status& status, Objective objective) const;

    /// Whether the merit that a run has come to, whatever else it looks like, makes it end.
    [[nodiscard]] bool ends_at(const Quality& merit, bool is_solved, Objective objective) const;

    /// Whether a rule of this kind is among its parts.
    [[nodiscard]] bool has(StopKind kind) const;

    /// Throws InvalidInput if a limit makes no sense; `has_target` tells whether the problem knows when it is
    /// solved.
    void check(bool has_target) const;

    /// Whether this rule will end every run by itself: rules such as solved() may never fire.
    [[nodiscard]] bool is_bounded() const;

    /// The smallest number of evaluations or generations at which the run ends for sure, for a progress
    /// display.
    [[nodiscard]] std::optional<double> limit(StopKind kind) const;

    /// As it would be written in C++.
    [[nodiscard]] std::string to_text() const;

  private:
    StopKind kind_ = StopKind::never;
    double value_ = 0.0;
    std::vector<StopRule> parts_;
};

/// The problem's own target is reached.
StopRule solved();
/// The merit of the run, which is the best fitness so far or the hypervolume of its front, is at least as
/// good as this, and all that must hold does.
StopRule target(double merit);
/// At most so many evaluations. The generation in which they are spent is cut: every island gets an equal
/// share of what is left, children count in their order, and the populations stay as they were before it. As
/// a part of && it is looked at after whole generations only.
StopRule evaluations(std::uint64_t count);
StopRule generations(std::uint64_t count);
/// Wall time. The result records the generation, so that generations(g) repeats the run exactly.
StopRule seconds(double limit);
/// No better merit for so many generations.
StopRule stagnation(std::uint64_t generations);
/// Best and worst of the population, all of which hold what they must, differ by no more than this. With
/// several objectives it looks at the first.
StopRule convergence(double spread = 0.0);

/// The merit at which a run counts as solved: the rule's own target, or else the problem's.
std::optional<double> target_of(const Problem& problem, const StopRule& stop);

StopRule operator||(StopRule a, StopRule b);
StopRule operator&&(StopRule a, StopRule b);

} // namespace knossos
