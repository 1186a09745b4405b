#pragma once

#include <knossos/study/statistics.hpp>
#include <knossos/study/store.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knossos::study {

/// One run, as far as the figures need it.
struct AnalysedRun {
    std::uint64_t number = 0;
    std::uint64_t seed = 0;
    Outcome outcome = Outcome::unsolved;
    std::uint64_t evaluations = 0;
    std::uint64_t generations = 0;
    std::uint64_t found_at = 0;
    std::uint64_t found_generation = 0;
    double seconds = 0.0;
    double best = 0.0;
    double coverage = std::numeric_limits<double>::quiet_NaN(); ///< of its archive, if it kept one
    double qd_score = std::numeric_limits<double>::quiet_NaN(); ///< likewise
    bool is_record = false; ///< its evaluations give more than one number, so that some may not count
    std::size_t trace_begin = 0;
    std::size_t trace_end = 0;
};

/// The figures of one configuration in a line: success, running times, quantiles.
struct Row {
    std::uint64_t runs = 0;
    std::uint64_t solved = 0;
    std::uint64_t failed = 0;        ///< an evaluation failed
    std::uint64_t without_value = 0; ///< found nothing that holds all it must, failed ones included
    Interval success{};
    double expected = never; ///< running time to the problem's own target
    Interval expected_interval{never, never};
    Summary evaluations{}; ///< to success
    Summary generations{}; ///< to success
    Summary best{};        ///< final values, of all runs
    Summary seconds{};
    std::uint64_t archives = 0; ///< runs that kept one
    Summary coverage{};         ///< of theirs: share of the cells that are filled
    Summary qd_score{};
};

/// A configuration with all its runs, whose traces lie one behind the other.
struct AnalysedConfiguration {
    RecordedConfiguration info;
    std::vector<AnalysedRun> runs{};
    std::vector<TracePoint> traces{};
    Row row{};       ///< made once: its intervals take their time
    Estimate area{}; ///< under the distribution over its group's targets, up to the group's largest budget

    [[nodiscard]] std::span<const TracePoint> trace(const AnalysedRun& run) const {
        return std::span{traces}.subspan(run.trace_begin, run.trace_end - run.trace_begin);
    }
    /// Evaluations after which the run was at least as good as `target`; `never` if it was not.
    [[nodiscard]] double time_to(const AnalysedRun& run, double target) const;
    /// What each run spent on the target.
    [[nodiscard]] std::vector<Attempt> attempts(double target) const;
    /// Best value of each run within a budget, sorted; runs that had none by then are left out.
    [[nodiscard]] std::vector<double> best_within(double budget) const;
    /// What the run ended with; the worst value there is if it found nothing that holds all it must.
    [[nodiscard]] double final_value(const AnalysedRun& run) const;
    [[nodiscard]] std::uint64_t solved() const;
    [[nodiscard]] double longest() const; ///< the most evaluations that a run made
};

/// How one configuration fares against another that works on the same problem.
struct Versus {
    std::size_t first = 0;
    std::size_t second = 0;
    Comparison comparison{}; ///< its p is the raw one
    double p_holm = 1.0;     ///< adjusted by Holm's procedure within the group
    bool by_values = false;  ///< best values were compared, as there is no target or neither reached it
    std::string statement{}; ///< "A needs fewer evaluations than B"
    std::string verdict{};   ///< the same with its figures
};

/// What was compared: "evaluations" to success, or "best values".
std::string_view compared_name(const Versus& one);

/// Configurations that can be compared: the same problem, of the same size.
struct Group {
    std::string name;                 ///< "queens, n = 8"
    std::vector<std::size_t> members; ///< configurations
    std::vector<std::string> labels;  ///< of the members: without the words that all of them share
    bool is_solvable = false;         ///< there is a target: running times are compared, else best values
    bool is_solved = false;           ///< some run of some member reached it
    bool same_scale = false;          ///< fitness values mean the same for all members
    std::vector<double> targets;      ///< easiest first; only where values mean the same, else the final one
    std::vector<double> budgets;      ///< powers of ten, or thirds of them, up to the longest run
    std::vector<Versus> comparisons;
    bool against_best_only = false; ///< too many members for all pairs
    std::size_t family = 0;         ///< comparisons that p is adjusted for
};

/// Methods that work on the same problems, by their ranks on each.
struct Across {
    std::vector<std::string> methods;  ///< "pmx-queens probability=0.2": labels without what the problem is
    std::vector<std::string> problems; ///< names of groups
    Friedman friedman{};
};

/// Everything that a study found, read once; figures and tables are made of it.
struct Analysis {
    RecordedStudy study;
    std::vector<AnalysedConfiguration> configurations;
    std::vector<Group> groups;
    std::optional<Across> across{}; ///< where at least three methods work on at least three problems
    Registry registry = Registry::built_in(); ///< that the recorded recipes were read with
    std::uint64_t runs = 0;
    double seconds = 0.0; ///< of all runs together
};

/// "mann-whitney", or "wilcoxon" of a paired study.
std::string_view test_name(const Analysis& analysis);

/// "pmx-queens n=8 (1f03a55b, 100 runs)": labels of older configurations may repeat.
std::string text_of(const OlderConfiguration& older);

/// The recorded recipes are read with the registry. Throws InvalidInput if runs of a paired study that belong
/// together don't have the same seed.
Analysis analyse(const Store& store, const Registry& registry = Registry::built_in());

/// The figures of the runs; `configuration.row` is not looked at.
Row row_of(const AnalysedConfiguration& configuration);

/// Shares of (run, target) pairs that are reached within each number of evaluations.
std::vector<EcdfStep> ecdf_over_targets(const AnalysedConfiguration& configuration,
                                        std::span<const double> targets);

/// "pmx-queens n=16" → "pmx-queens": what configurations of several sizes have in common.
std::string label_without_size(const std::string& label, const Registry& registry);

/// `count` numbers from low to high, evenly spaced on a logarithmic axis.
std::vector<double> log_spaced(double low, double high, std::size_t count);

} // namespace knossos::study
