#pragma once

#include <knossos/algorithms/algorithm_state.hpp>
#include <knossos/algorithms/kept_elsewhere.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/problem.hpp>
#include <knossos/core/scratch.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/operators/improvement.hpp>
#include <knossos/operators/operation_mix.hpp>
#include <knossos/operators/replacement.hpp>
#include <knossos/operators/selection.hpp>
#include <knossos/operators/variation.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace knossos {

/// The operators that a run is composed of.
struct Stages {
    Selection select;
    Recombination recombine;
    Mutation mutate;
    std::optional<OperationMix> operations;
    std::optional<Improvement> improve;
    Replacement replace;
};

/// An individual worth remembering: what it is, what it is worth, and when it was found.
struct Found {
    Quality quality{};
    std::uint64_t generation = 0;
    std::uint64_t evaluations = 0; ///< how many evaluations its island had made, this one included
    std::vector<std::byte> genome{};
    std::vector<double> record{}; ///< the columns, if there is more than the fitness
};

/// A step ahead of an island: the merit that it came to, and when.
struct Milestone {
    Quality quality{};
    std::uint64_t generation = 0;
    std::uint64_t evaluations = 0;
};

/// How a child comes about, where the operations are drawn one by one.
enum class Operation : unsigned char { clone, mutate, cross_first, cross_second };

/// What an island has found, and what that took.
struct Finds {
    std::uint64_t evaluations = 0;
    std::uint64_t steps = 0;       ///< what the algorithm counts in a unit of its own: rounds, mating events
    std::uint64_t improved_at = 0; ///< generation of the last improvement since the last restart
    Quality era_best{};            ///< the best since the last restart
    /// The best different individuals so far, best first; with several objectives, those that none of the
    /// others is better than. Never empty after the start.
    std::vector<Found> hall{};
    std::vector<Milestone> milestones{}; ///< every new merit since the start, or since the snapshot taken up
    /// The largest merit so far, where it is not the quality of the best; see merit_of().
    Quality front_merit = worst_quality(Objective::maximise);
    bool has_new_front = false; ///< the merit has not been worked out since the front changed
};

/// What an island has come to, as one number. Has a meaning between generations.
inline const Quality& merit_of(const Schema& schema, const Finds& finds) {
    return schema.merit() == Merit::best ? finds.hall.front().quality : finds.front_merit;
}

/// A population and everything else that has to be kept to go on with it. Random numbers are not among that:
/// they are addressed by generation and slot.
struct IslandState : Finds {
    IslandState(const Space& space, std::size_t population, std::size_t columns = 1)
        : current{space, population, columns} {}

    std::uint64_t generation = 0;
    std::uint64_t restarts = 0;
    AlgorithmState kept{}; ///< what the algorithm keeps beside the population
    Population current;
};

/// Thrown out of a generation in which an island has spent its share of the evaluations. Like any other
/// exception it leaves the island at its last whole generation; what was found until then is in Island::cut.
struct BudgetSpent {};

/// Islands and workers lie side by side and are changed by different threads: apart by two cache lines, as
/// processors fetch pairs of them.
inline constexpr std::size_t apart_in_memory = 128;

/// A population that breeds by itself.
struct alignas(apart_in_memory) Island : IslandState {
    Island(const Space& space, std::size_t population, std::size_t offspring, std::uint64_t seed,
           std::uint32_t run, std::uint32_t index, std::size_t columns = 1);

    std::uint32_t index;

    /// Evaluations that may be counted in all: its share of the budget.
    std::uint64_t most_evaluations = ~std::uint64_t{0};
    /// What it had found when its share was spent, in the middle of the generation after `generation`.
    std::optional<Finds> cut{};
    std::uint64_t uncounted = 0; ///< evaluations that were made beyond the share
    std::uint64_t spent = 0;     ///< evaluations of the newest generation
    /// How much better than all the individuals chosen as parents of the newest generation were on the
    /// average, in standard deviations; 0 where nobody was chosen.
    double selection_intensity = 0.0;
    /// The share that the newest generation needed not to be cut, if that is more than was spent.
    std::uint64_t needed = 0;

    /// Evaluations that may still be counted.
    [[nodiscard]] std::uint64_t left() const { return most_evaluations - evaluations; }
    /// What it has found in all.
    [[nodiscard]] const Finds& finds() const { return cut ? *cut : *this; }

    // Working memory, which outlives a generation only to save allocations.
    Population offspring;
    std::optional<IslandState> before{}; ///< the generation, where an algorithm changes individuals in place
    std::array<PhiloxKey, 16> keys;
    SelectionTable table;
    std::vector<std::uint32_t> parents;
    std::vector<Operation> operations;
    std::vector<std::uint32_t> kinds; ///< of change that each child gets, where the algorithm chooses
    std::vector<std::uint8_t> evaluated;
    std::vector<std::uint64_t> improvement_costs;
    std::vector<std::uint32_t> order;

    [[nodiscard]] StageStreams streams(Purpose purpose) const {
        return {keys[static_cast<std::size_t>(purpose)], generation};
    }
};

/// What one thread needs while it breeds.
struct alignas(apart_in_memory) Worker {
    explicit Worker(const Problem& problem) : deltas{problem.deltas()} {}

    Scratch scratch;
    Scratch spares; ///< holds the second children of couples of which only one child is wanted
    std::unique_ptr<DeltaEvaluator> deltas;
    std::vector<Couple> couples;
    std::vector<Mutant> mutants;
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
    std::uint64_t clamped = 0; ///< descriptors that were outside their range
};

/// What an algorithm works with. Without a pool everything happens on the calling thread with the first
/// worker.
struct Context {
    const Problem& problem;
    const Stages& stages;
    std::size_t hall_size;
    ThreadPool* pool;
    std::span<Worker> workers;
    bool slow = false; ///< evaluations take so long that each is dealt to a thread by itself
};

/// Notes what an island has come to by this generation, if it is more than before; where that is not the
/// quality of its best.
void note_merit(Finds& finds, const Quality& merit, std::uint64_t generation);

/// Works out the merit of a front that has changed in this generation.
void update_merit(const Schema& schema, Finds& finds, std::uint64_t generation);

/// Fills the island's current population anew, evaluates it and notes its best. The first of it are copies of
/// `start`, as many as there are places.
void populate(const Context& context, Island& island, std::span<const std::byte* const> start = {});

/// Selects parents and makes `children` offspring of them by the other stages, evaluated where they differ
/// from their parent. Each couple contributes one or two `siblings`.
void breed(const Context& context, const Selection& select, Island& island, std::size_t children,
           std::size_t siblings);

/// As breed(), with the parent and the operation of each child given in island.parents and island.operations.
void breed_planned(const Context& context, Island& island, std::size_t children);

/// As breed(), for an algorithm that makes its children itself: make(begin, end) writes those of a range of
/// slots into island.offspring, and into island.evaluated which of them are no copies. Called from several
/// threads.
void breed_by(const Context& context, Island& island, std::size_t children,
              const std::function<void(std::size_t begin, std::size_t end)>& make);

/// Measures a selection: begun before a generation, told of every parent, asked at its end. H. Mühlenbein, D.
/// Schlierkamp-Voosen: "Predictive models for the breeder genetic algorithm", 1993.
class SelectionMeter {
  public:
    SelectionMeter(const Schema& schema, const Population& population)
        : sign_{schema.objective() == Objective::maximise ? 1.0 : -1.0} {
        renew(population);
    }
    /// For a population of which these sums are known.
    SelectionMeter(const Schema& schema, const FitnessSums& sums)
        : sign_{schema.objective() == Objective::maximise ? 1.0 : -1.0} {
        renew(sums);
    }
    /// Looks at the population anew, where it changes in between.
    void renew(const Population& population);
    void renew(const FitnessSums& sums);
    /// Parents from it.
    void add(const Population& population, std::span<const std::uint32_t> parents) {
        const auto fitness = population.fitness();
        double sum = 0.0;
        for (const std::uint32_t parent : parents) sum += fitness[parent];
        add(sum, parents.size());
    }
    /// So many parents, whose fitness values have this sum.
    void add(double sum, std::size_t parents) {
        if (scale_ != 0.0) sum_ += (sum - static_cast<double>(parents) * mean_) * scale_;
        count_ += parents;
    }
    [[nodiscard]] double intensity() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }

  private:
    double sign_;
    double mean_ = 0.0;
    double scale_ = 0.0; ///< what a difference counts; 0 if all are alike
    double sum_ = 0.0;
    std::uint64_t count_ = 0;
};

/// Evaluates the individuals listed in worker.rows and checks that their values are numbers. Does not count
/// them. `first_slot` is the slot of the population's first individual, for messages.
void evaluate_rows(const Context& context, const Island& island, Population& population, Worker& worker,
                   const Parentage* parentage = nullptr, std::size_t first_slot = 0);

/// Improves an individual by local search and checks that its fitness is a number. Does not count what that
/// took.
Improved improve_one(const Context& context, const Island& island, Worker& worker, Stream& stream,
                     std::size_t slot, std::byte* genome);

/// Takes over what an evaluation gave for the individuals listed in worker.rows: worker.values, column after
/// column. What evaluate_rows() does with it.
void take_values(const Context& context, const Island& island, Population& population, Worker& worker,
                 std::size_t first_slot = 0);

/// Ends the generation, with what has been found so far; `before` is what had been found at its beginning, if
/// that has to be put back.
[[noreturn]] void spend(Island& island, Finds before, std::uint64_t uncounted = 0);

/// Evaluates one individual, counts it, and checks that its values are numbers. Throws BudgetSpent if no more
/// may be counted.
void evaluate_one(const Context& context, Island& island, Population& population, std::uint32_t individual);

namespace detail {
bool remember(const Context& context, Island& island, const Population& population, std::size_t individual,
              std::uint64_t evaluations);
}

/// Notes an individual in the hall of fame if it belongs there. Returns whether it is the best so far.
inline bool remember(const Context& context, Island& island, const Population& population,
                     std::size_t individual, std::uint64_t evaluations) {
    // Most are not worth it, and where there is one number it says so at once.
    if (population.plain() && island.hall.size() >= context.hall_size) {
        const Objective objective = context.problem.objective();
        const double fitness = population.fitness()[individual];
        if (!better(objective, fitness, island.era_best.fitness) &&
            !better(objective, fitness, island.hall.back().quality.fitness))
            return false;
    }
    return detail::remember(context, island, population, individual, evaluations);
}

/// Throws EvaluationError that names the individual whose evaluation failed.
[[noreturn]] void refuse_failed(const Island& island, std::size_t slot, std::string_view fault);

/// Throws EvaluationError that names the individual and the column.
[[noreturn]] void refuse_not_a_number(const Island& island, std::size_t slot, const Space& space,
                                      const std::byte* genome, std::string_view column = "fitness");

} // namespace knossos
