#pragma once

#include <knossos/algorithms/algorithm.hpp>
#include <knossos/algorithms/map_elites.hpp>
#include <knossos/algorithms/migration.hpp>
#include <knossos/core/failure_policy.hpp>
#include <knossos/operators/crossover_permutation.hpp>
#include <knossos/operators/crossover_reals.hpp>
#include <knossos/operators/crossover_sites.hpp>
#include <knossos/operators/mixture.hpp>
#include <knossos/operators/mutation_genes.hpp>
#include <knossos/operators/mutation_permutation.hpp>
#include <knossos/operators/mutation_reals.hpp>
#include <knossos/operators/problem_move.hpp>
#include <knossos/run/compiled.hpp>
#include <knossos/run/exchange.hpp>
#include <knossos/run/status.hpp>
#include <knossos/run/stop.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knossos {

/// Start afresh: an island that has not improved for `stagnation` generations gets a new random population.
/// What it found before stays in its hall of fame. 0 never restarts.
struct Restart {
    std::uint64_t stagnation = 0;

    static constexpr std::string_view name = "restart";
    static constexpr auto fields() {
        return std::tuple{field("stagnation", &Restart::stagnation, 0, 9007199254740992.0,
                                "generations without improvement before a fresh start; 0 never")};
    }
};

enum class Proceed : bool { no = false, yes = true };

/// Called after each generation with what it looked like. A callable that returns nothing just watches; one
/// that returns Proceed::no ends the run.
class Observer {
  public:
    Observer() = default;
    template <class Function>
        requires std::invocable<Function, const Status&>
    Observer(Function function) { // NOLINT(google-explicit-constructor): callables are meant to be passed as
                                  // they are
        if constexpr (std::same_as<std::invoke_result_t<Function, const Status&>, Proceed>)
            call_ = std::move(function);
        else
            call_ = [watch = std::move(function)](const Status& status) {
                watch(status);
                return Proceed::yes;
            };
    }
    [[nodiscard]] bool is_set() const { return static_cast<bool>(call_); }
    Proceed operator()(const Status& status) const { return call_ ? call_(status) : Proceed::yes; }

  private:
    std::function<Proceed(const Status&)> call_;
};

/// A genome on its own.
struct Genome {
    Space space;
    std::vector<std::byte> bytes;

    /// The genes as numbers, bits as 0 and 1. Throws InvalidInput if they are reals.
    [[nodiscard]] std::vector<std::uint32_t> genes() const;
    /// The genes as real numbers, of whatever kind they are.
    [[nodiscard]] std::vector<double> reals() const;
    [[nodiscard]] std::string to_text() const { return knossos::to_text(space, bytes.data()); }
    friend bool operator==(const Genome&, const Genome&) = default;
};

/// Everything that a run is, beside its problem. Two runs with the same problem and the same values of
/// everything down to `run` have the same result, to the bit; threads, history and callbacks don't enter into
/// it.
struct Settings {
    Algorithm algorithm = Generational{};
    std::size_t population = 100;
    std::size_t offspring = 0; ///< children per generation; 0 means as many as the population
    Selection select = Tournament{};
    Recombination recombine = Clone{};
    std::optional<Mutation> mutate{}; ///< bit flip, uniform or swap by the kind of genome, unless given
    std::optional<OperationMix> operations{};
    std::optional<Improvement> improve{};
    Replacement replace = GenerationalReplacement{};
    Islands islands{};
    Restart restart{};
    StopRule stop{};
    OnFailure on_failure = OnFailure::end; ///< what becomes of an evaluation that fails
    /// Genomes that the first populations begin with, dealt to the islands in turn; chance makes the rest. An
    /// archive takes in all of them, any other population as many as it has places.
    std::vector<Genome> start{};
    std::size_t hall_of_fame = 1;
    std::uint32_t diversity_pairs = 16; ///< pairs sampled per island and generation
    std::uint64_t seed = 1;
    std::uint32_t run = 0; ///< tells repetitions with the same seed apart

    unsigned threads = 1;         ///< 0 means up to one per hardware thread, as many as pay
    std::size_t history = 10'000; ///< most generations kept in the result; evenly thinned beyond that
    Observer on_generation{};
};

/// Throws InvalidInput if the settings can't work for the problem: names the field, its value and what is
/// allowed.
void check(const Problem& problem, const Settings& settings);

/// About how much memory a run takes: parents, children, and where it is kept, the copy of all islands that a
/// failed generation goes back to.
double bytes_needed(const Settings& settings, const Problem& problem);

/// Throws InvalidInput if that, or the share of one of several processes that divide the islands, is more
/// than there is. Every Run asks it first.
void require_memory(const Settings& settings, const Problem& problem, std::uint32_t processes = 1);

struct HallEntry {
    Genome genome;
    double fitness = 0.0;
    double violation = 0.0;       ///< by how much it misses what must hold; 0: everything does
    std::vector<double> record{}; ///< the columns, if there is more than the fitness
    std::uint64_t generation = 0;
    std::uint64_t evaluations = 0; ///< of its island when it was found
    std::uint32_t island = 0;
};

/// An individual that the algorithm has people look at: see Algorithm::contestants().
struct ShownIndividual {
    std::string name; ///< as what: "mutant"
    Genome genome;
    double fitness = 0.0;
};

struct Result {
    Genome best;
    double fitness = 0.0;
    double violation = 0.0;       ///< by how much the best misses what must hold; 0: everything does
    std::vector<Column> columns;  ///< what an evaluation gives
    std::vector<double> record{}; ///< the values of the best, if there is more than the fitness
    /// What targets looked at: the fitness, or, with several objectives that have ranges, the largest
    /// hypervolume that the front of an island had, or, where it kept an archive, the largest QD-score of
    /// one.
    double merit = 0.0;
    std::string merit_name; ///< the name of the fitness, "hypervolume" or "qd_score"
    bool solved = false;
    /// The rule that fired, "callback", "idle(GENERATIONS)" where for so long no child was new, or empty
    /// while the run goes on.
    std::string stopped_by;
    bool stopped_by_time = false; ///< whether that rule looked at the clock: another time it would not repeat
    std::uint64_t evaluations = 0;
    std::uint64_t uncounted = 0; ///< made by the last generation beyond the budget, and thrown away
    std::uint64_t failures = 0;  ///< evaluations that failed, since the run was begun or last taken up
    std::uint64_t clamped =
        0; ///< descriptors outside their range, since then (like failures): the nearer end was taken
    std::uint64_t generations = 0;
    std::uint64_t steps = 0; ///< what the algorithm counts beside generations
    std::string unit;        ///< what that is: "rounds", "mating events"; empty if it counts nothing
    std::string remark;      ///< what the algorithm says of its only island, for people
    std::vector<ShownIndividual> contestants; ///< those of the only island, if the algorithm names any
    std::uint64_t restarts = 0;
    double seconds = 0.0;
    /// Best first; with several objectives a front of at most as many as the population: none of them is
    /// better than another in everything.
    std::vector<HallEntry> hall_of_fame;
    std::optional<Gallery> gallery{}; ///< the elites, where the algorithm keeps an archive
    std::vector<Statistics> history;  ///< the first and the last generation always among them
    std::uint64_t digest = 0;         ///< of every generation's statistics and the best genome
};

/// A user's evaluation failed. Carries the result as of the last complete generation.
class RunFailed : public EvaluationError {
  public:
    RunFailed(const std::string& message, Result last_complete)
        : EvaluationError{message}, result_{std::make_shared<const Result>(std::move(last_complete))} {}
    [[nodiscard]] const Result& last_complete() const { return *result_; }

  private:
    std::shared_ptr<const Result> result_;
};

/// A snapshot in pieces: what all islands share, and some islands in a row, one block each.
struct SnapshotParts {
    std::vector<std::byte> head;
    std::uint32_t first = 0;
    std::vector<std::vector<std::byte>> islands;
};

/// The generation that a snapshot is of. Throws InvalidInput if it is no snapshot.
std::uint64_t generation_of(std::span<const std::byte> snapshot);

/// A run that can be watched, paused, written down and taken up again between any two generations. Once a
/// budget has cut its last generation, it is written down as it was before that one.
///
/// Between migrations islands need not hear from each other: advance() and finish() let each go by itself,
/// and callbacks are told of those generations afterwards, in their order. If one of them, or a stop rule,
/// ends the run at an earlier generation, islands that are beyond it go back. Whichever way a run is taken to
/// its end, the result is the same.
///
/// With an exchange, which has to outlive it, a run has only its share of the islands, and the processes that
/// have the others construct, step and ask in the same way at the same time. Callbacks must give the same
/// answer everywhere.
class Run {
  public:
    /// Checks everything, then makes and evaluates generation 0. Throws InvalidInput before anything is
    /// evaluated.
    Run(const Problem& problem, Settings settings, Exchange* exchange = nullptr);
    /// Goes on from a snapshot that snapshot() wrote for the same problem and settings.
    Run(const Problem& problem, Settings settings, std::span<const std::byte> snapshot,
        Exchange* exchange = nullptr);
    /// Goes on from parts that hold at least this process's islands.
    Run(const Problem& problem, Settings settings, const SnapshotParts& parts, Exchange* exchange = nullptr);
    ~Run();
    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;

    /// Whether a stop rule or a callback has ended the run.
    [[nodiscard]] bool finished() const;
    /// One generation. If an evaluation throws, so does this, and the run stays at the last complete
    /// generation. The last one may be cut by the budget: what it found counts, the populations stay.
    void step();
    /// As many generations as pass until the next migration, but no more than take some tenths of a second.
    void advance();
    /// All generations until finished.
    void finish();

    [[nodiscard]] const Status& status() const;
    [[nodiscard]] Result result() const;
    [[nodiscard]] std::span<const Island> islands() const; ///< those of this process
    [[nodiscard]] const Problem& problem() const;
    /// What the algorithm says of the only island, or of archives that are all empty, for people; else empty.
    [[nodiscard]] std::string remark() const;
    /// The elites of all islands together, where the algorithm keeps archives; asks the other processes.
    [[nodiscard]] std::optional<Gallery> gallery() const;
    /// Whom the algorithm wants to be seen on the only island.
    [[nodiscard]] std::vector<Contestant> contestants() const;

    /// All that is needed to go on from here with the same outcome.
    [[nodiscard]] std::vector<std::byte> snapshot() const;
    /// The same for this process's islands alone; asks nobody.
    [[nodiscard]] SnapshotParts snapshot_parts() const;
    [[nodiscard]] Exchange* exchange() const;

  private:
    class State;
    std::unique_ptr<State> state_;
};

/// Runs to the end. Throws InvalidInput for settings that can't work, EvaluationError if an evaluation of
/// generation 0 fails, and RunFailed, which carries what there is, if a later one does.
Result evolve(const Problem& problem, Settings settings, Exchange* exchange = nullptr);

} // namespace knossos
