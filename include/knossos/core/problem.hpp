#pragma once

#include <knossos/core/erased.hpp>
#include <knossos/core/error.hpp>
#include <knossos/core/genome.hpp>
#include <knossos/core/moves.hpp>
#include <knossos/core/objective.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/problem_mistakes.hpp>
#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace knossos {

/// Evaluates moves on one genome at a time, by the difference they make where the problem knows it: what
/// local search runs on. Made by a problem, one per worker.
class DeltaEvaluator {
  public:
    DeltaEvaluator() = default;
    DeltaEvaluator(const DeltaEvaluator&) = delete;
    DeltaEvaluator& operator=(const DeltaEvaluator&) = delete;
    virtual ~DeltaEvaluator() = default;

    /// Starts on a genome, which stays the caller's and changes only through apply(). Returns its fitness.
    virtual double start(std::byte* genome) = 0;
    /// Fitness that the genome would have after the move.
    virtual double evaluate(Swap move) = 0;
    virtual double evaluate(Reverse move) = 0;
    virtual double evaluate(Flip move) = 0;
    virtual double evaluate(Assign move) = 0;
    /// Makes the move that was evaluated so.
    virtual void apply(Swap move, double after) = 0;
    virtual void apply(Reverse move, double after) = 0;
    virtual void apply(Flip move, double after) = 0;
    virtual void apply(Assign move, double after) = 0;
    /// Whether moves of this kind have a meaning for the genomes and can be evaluated.
    [[nodiscard]] virtual bool knows(MoveKind kind) const = 0;
};

namespace detail {

template <class P, class View>
concept GivesNumber = requires(const P& problem, View view) {
    { problem.evaluate(view) } -> std::convertible_to<double>;
};

template <class P, class View>
concept WritesRecord = requires(const P& problem, View view, Record out) { problem.evaluate(view, out); };

/// The static types that a problem's genomes may have, by what its evaluate() accepts.
template <class P, class View>
concept Evaluates = GivesNumber<P, View> || WritesRecord<P, View>;

/// The columns that a problem declares, or the one objective that is short for them.
template <class P>
Schema schema_of(const P& problem) {
    if constexpr (requires { std::span<const Column>{problem.record()}; }) {
        const auto columns = problem.record();
        return Schema{std::span<const Column>{columns}};
    } else if constexpr (requires { std::span<const Column>{problem.record}; }) {
        return Schema{std::span<const Column>{problem.record}};
    } else {
        return Schema{problem.objective};
    }
}

template <class P>
concept OffersBatch = requires(const P& problem, Batch batch, std::span<double> fitness) {
    problem.evaluate_batch(batch, fitness);
};

template <class P>
concept OffersTarget = requires(const P& problem) {
    { problem.target() } -> std::convertible_to<std::optional<double>>;
};

template <class P>
concept OffersFingerprint = requires(const P& problem) {
    { problem.fingerprint() } -> std::convertible_to<std::uint64_t>;
};

template <class P>
constexpr bool wants_whole_batches() {
    if constexpr (requires { P::whole_batches; }) return P::whole_batches;
    return false;
}

template <class P>
concept OffersTracker = requires(const P& problem) { problem.tracker(); };

template <class View, class P>
concept InitialisedBy =
    requires(const P& problem, Stream& stream, View view) { problem.initialise(stream, view); };

template <class View, class P>
concept RepairedBy = requires(const P& problem, Stream& stream, View view) { problem.repair(stream, view); };

/// Calls through these, so that the member is looked up only where it is there.
template <class P, class View>
void initialise_with(const P& problem, Stream& stream, View view) {
    problem.initialise(stream, view);
}

template <class View, class P>
concept ProposedBy = requires(const P& problem, Stream& stream, View view) {
    { problem.propose(stream, view) } -> std::same_as<bool>;
};

template <class P>
concept OffersMoves = requires(const P& problem) {
    { problem.moves() } -> std::convertible_to<std::vector<std::string>>;
};

template <class P>
concept OffersFurtherMoves = requires(const P& problem) {
    { problem.further_moves() } -> std::convertible_to<std::vector<std::string>>;
};

template <class P, class View>
void repair_with(const P& problem, Stream& stream, View view) {
    problem.repair(stream, view);
}

template <class P, class View>
bool propose_with(const P& problem, Stream& stream, View view) {
    return problem.propose(stream, view);
}

template <class P, class View>
bool propose_with(const P& problem, Stream& stream, View view, std::uint32_t move) {
    if constexpr (requires { problem.propose(stream, view, move); })
        return problem.propose(stream, view, move);
    else
        return problem.propose(stream, view);
}

template <class P>
bool accepts(const Space& space) {
    if (space.kind == GenomeKind::bits) return Evaluates<P, BitView>;
    if (space.kind == GenomeKind::packed) return Evaluates<P, PackedView>;
    if (space.kind == GenomeKind::reals) return Evaluates<P, RealView>;
    const bool integers = space.kind == GenomeKind::integers;
    switch (space.gene_bytes) {
    case 1:
        return integers ? Evaluates<P, IntegerView<std::uint8_t>>
                        : Evaluates<P, PermutationView<std::uint8_t>>;
    case 2:
        return integers ? Evaluates<P, IntegerView<std::uint16_t>>
                        : Evaluates<P, PermutationView<std::uint16_t>>;
    default:
        return integers ? Evaluates<P, IntegerView<std::uint32_t>>
                        : Evaluates<P, PermutationView<std::uint32_t>>;
    }
}

/// The problem's space, with genes widened until evaluate() takes them: one written for std::uint32_t alone
/// gets those.
template <class P>
Space accepted_space(const P& problem) {
    Space space = problem.space();
    if constexpr (!OffersBatch<P>) {
        while (!accepts<P>(space)) {
            if (space.gene_bytes == 0 || space.gene_bytes >= 4)
                throw InvalidInput{"the problem's evaluate() does not take genomes of its space (" +
                                   describe(space) + ")"};
            space.gene_bytes *= 2;
        }
    }
    return space;
}

} // namespace detail

/// Anything that says what its genomes are (space()), which way is better (objective, or record for more than
/// one value) and what a genome is worth (evaluate(), const and safe to call from several threads; or
/// evaluate_batch()). Optional extras are found by name: target(), fingerprint(), initialise(), repair(),
/// propose(), moves(), tracker(). See docs/extending.md.
template <class P>
concept ProblemType =
    detail::OffersBatch<P> || detail::for_any_view<detail::Evaluation<P>::template IsNumber>() ||
    detail::for_any_view<detail::Evaluation<P>::template WritesRecord>();

class Problem;

/// Evaluates the individuals of a batch: fitness[i] is that of batch[i]. Where a record has several columns,
/// they follow one another: all values of the first, then all of the second. One that fails for a single
/// individual throws IndividualFailed, so that the run can say which.
using BatchFunction = std::function<void(const Batch& batch, std::span<double> fitness)>;

/// How a function that evaluates is called: for all new individuals of an island at once and never twice at
/// the same time, or for some at a time and from several threads.
enum class Calls : unsigned char { whole_batches, from_threads };

/// The same problem, evaluated by a function: on an accelerator, by another program, in another language. Its
/// own evaluate() and tracker() are not used any more; all else it offers is, but not its target() where the
/// function has columns of its own, which may be one objective.
Problem evaluated_by(const Problem& problem, BatchFunction function, Calls calls = Calls::whole_batches,
                     std::optional<Schema> schema = std::nullopt);

/// A problem that is nothing but genomes and a function.
Problem evaluated_by(const Space& space, Objective objective, BatchFunction function,
                     Calls calls = Calls::whole_batches);

/// A problem of any type behind one value. Copies share the problem, which is never changed.
class Problem {
  public:
    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, Problem> &&
                 detail::MeantAsProblem<std::remove_cvref_t<P>>)
    Problem(P problem); // NOLINT(google-explicit-constructor): a problem is meant to be passed as it is

    [[nodiscard]] const Space& space() const { return model_->space; }
    /// What an evaluation gives.
    [[nodiscard]] const Schema& schema() const { return model_->schema; }
    /// Which way the reported fitness is better.
    [[nodiscard]] Objective objective() const { return model_->schema.objective(); }
    /// The fitness at which the problem counts as solved, if it knows one; what must hold has to hold too.
    [[nodiscard]] std::optional<double> target() const { return model_->target; }

    /// A number that differs where data from outside differ (a graph, a table); 0 if the problem has none.
    [[nodiscard]] std::uint64_t fingerprint() const { return model_->fingerprint(); }

    void evaluate(Batch batch, std::span<double> fitness) const { model_->evaluate(batch, fitness); }
    void initialise(Stream& stream, std::byte* genome) const { model_->initialise(stream, genome); }
    /// Whether genomes need repair() after variation, for constraints that hold at every moment.
    [[nodiscard]] bool repairs() const { return model_->repairs; }
    void repair(Stream& stream, std::byte* genome) const { model_->repair(stream, genome); }
    /// Whether the problem proposes changes of its own, for the operator ProblemMove.
    [[nodiscard]] bool proposes() const { return model_->proposes; }
    /// Makes a small change that the problem thinks promising. Returns whether anything changed.
    bool propose(Stream& stream, std::byte* genome) const {
        return model_->propose(stream, genome, std::nullopt);
    }
    /// The names of the kinds of changes it can be asked for one by one; empty if it does not tell them
    /// apart.
    [[nodiscard]] std::vector<std::string> moves() const { return model_->moves(); }
    /// More of them, counted on from those, that are made only where somebody names them.
    [[nodiscard]] std::vector<std::string> further_moves() const { return model_->further_moves(); }
    /// Makes a change of one of these kinds.
    bool propose(Stream& stream, std::byte* genome, std::uint32_t move) const {
        return model_->propose(stream, genome, move);
    }
    /// The same problem, for a run that is measured otherwise: its own target says nothing about that.
    [[nodiscard]] Problem with_merit(Merit merit) const;
    [[nodiscard]] std::unique_ptr<DeltaEvaluator> deltas() const { return model_->deltas(); }
    /// Whether moves are evaluated by their difference rather than as whole genomes.
    [[nodiscard]] bool incremental() const { return model_->incremental; }
    /// Whether all new individuals of an island are to be evaluated by one call.
    [[nodiscard]] bool in_whole_batches() const { return model_->whole_batches; }

    /// Whether a run that has come to this merit has reached the target.
    [[nodiscard]] bool reached(const Quality& merit) const {
        return model_->target && merit.violation == 0.0 &&
               !better(schema().merit_objective(), *model_->target, merit.fitness);
    }
    [[nodiscard]] bool reached(double merit) const { return reached(Quality{0.0, merit}); }
    /// Whether one individual of this quality is enough for that.
    [[nodiscard]] bool solved_by(const Quality& individual) const {
        return schema().merit() == Merit::best && reached(individual);
    }

  private:
    friend Problem evaluated_by(const Problem& problem, BatchFunction function, Calls calls,
                                std::optional<Schema> schema);

    struct Model : Erased {
        Space space;
        Schema schema;
        std::optional<double> target;
        bool repairs;
        bool proposes;
        bool incremental;
        bool whole_batches;

        Model(Space its_space, Schema its_schema, std::optional<double> its_target, bool needs_repair,
              bool has_proposals, bool is_incremental, bool wants_whole_batches)
            : space{its_space}, schema{std::move(its_schema)}, target{its_target}, repairs{needs_repair},
              proposes{has_proposals}, incremental{is_incremental && schema.plain()},
              whole_batches{wants_whole_batches} {
            // Where nothing is to be optimised, it is enough that everything holds.
            if (!target && !schema.has_objective()) target = 0.0;
        }
        [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
        virtual void evaluate(Batch batch, std::span<double> fitness) const = 0;
        virtual void initialise(Stream& stream, std::byte* genome) const = 0;
        virtual void repair(Stream& stream, std::byte* genome) const = 0;
        virtual bool propose(Stream& stream, std::byte* genome, std::optional<std::uint32_t> move) const = 0;
        [[nodiscard]] virtual std::vector<std::string> moves() const = 0;
        [[nodiscard]] virtual std::vector<std::string> further_moves() const = 0;
        [[nodiscard]] virtual std::unique_ptr<DeltaEvaluator> deltas() const = 0;
    };

    template <class P>
    struct Wrapped;
    template <class P>
    class TrackedDeltas;
    class WholeEvaluation;
    struct Delegated;
    struct OtherMerit;

    explicit Problem(std::shared_ptr<const Model> model) : model_{std::move(model)} {}

    std::shared_ptr<const Model> model_;
};

/// By making the moves, evaluating the whole genome, and taking them back.
class Problem::WholeEvaluation final : public DeltaEvaluator {
  public:
    explicit WholeEvaluation(const Model& owner) : owner_{owner} {}

    double start(std::byte* genome) override;
    double evaluate(Swap move) override;
    double evaluate(Reverse move) override;
    double evaluate(Flip move) override;
    double evaluate(Assign move) override;
    void apply(Swap move, double after) override;
    void apply(Reverse move, double after) override;
    void apply(Flip move, double after) override;
    void apply(Assign move, double after) override;
    [[nodiscard]] bool knows(MoveKind kind) const override;

  private:
    double evaluate();
    template <class Move>
    double try_move(Move move);
    template <class Move>
    void make(Move move);

    const Model& owner_;
    std::byte* genome_ = nullptr;
};

template <class P>
struct Problem::Wrapped final : Problem::Model {
    P problem;

    static std::optional<double> target_of(const P& problem) {
        if constexpr (detail::OffersTarget<P>) return problem.target();
        return std::nullopt;
    }

    static bool has_repair(const P& problem) {
        if constexpr (requires { problem.needs_repair(); }) {
            if (!problem.needs_repair()) return false;
        }
        return space_fits(detail::accepted_space(problem),
                          []<class View>() { return detail::RepairedBy<View, P>; });
    }

    explicit Wrapped(P its)
        : Model{detail::accepted_space(its),
                detail::schema_of(its),
                target_of(its),
                has_repair(its),
                space_fits(detail::accepted_space(its),
                           []<class View>() { return detail::ProposedBy<View, P>; }),
                detail::OffersTracker<P>,
                detail::wants_whole_batches<P>()},
          problem{std::move(its)} {
        if (!schema.plain() && !detail::OffersBatch<P> &&
            !space_fits(space, []<class View>() { return detail::WritesRecord<P, View>; }))
            throw InvalidInput{"the problem's evaluate() gives one number, but its record has " +
                               std::to_string(schema.size()) + " columns (" + schema.to_text() +
                               "); it needs 'void evaluate(View, Record out) const'"};
    }

    [[nodiscard]] std::uint64_t fingerprint() const override {
        if constexpr (detail::OffersFingerprint<P>) return problem.fingerprint();
        return 0;
    }

    void evaluate(Batch batch, std::span<double> fitness) const override {
        if constexpr (detail::OffersBatch<P>) {
            problem.evaluate_batch(batch, fitness);
        } else if (batch.count != 0) {
            visit_genome(space, batch[0], [&]<class View>(View) {
                std::size_t i = 0;
                try {
                    if constexpr (detail::WritesRecord<P, View>) {
                        for (; i < batch.count; ++i)
                            problem.evaluate(view_as<View>(space, batch[i]),
                                             Record{&fitness[i], batch.count});
                    } else if constexpr (detail::GivesNumber<P, View>) {
                        for (; i < batch.count; ++i)
                            fitness[i] = problem.evaluate(view_as<View>(space, batch[i]));
                    }
                } catch (...) {
                    throw IndividualFailed{evaluation_fault(), i};
                }
            });
        }
    }

    void initialise(Stream& stream, std::byte* genome) const override {
        visit_genome(space, genome, [&]<class View>(View view) {
            if constexpr (detail::InitialisedBy<View, P>)
                detail::initialise_with(problem, stream, view);
            else
                randomise(stream, space, genome);
        });
    }

    void repair(Stream& stream, std::byte* genome) const override {
        visit_genome(space, genome, [&]<class View>(View view) {
            if constexpr (detail::RepairedBy<View, P>) detail::repair_with(problem, stream, view);
        });
    }

    bool propose(Stream& stream, std::byte* genome, std::optional<std::uint32_t> move) const override {
        return visit_genome(space, genome, [&]<class View>(View view) {
            if constexpr (detail::ProposedBy<View, P>)
                return move ? detail::propose_with(problem, stream, view, *move)
                            : detail::propose_with(problem, stream, view);
            else
                return false;
        });
    }

    [[nodiscard]] std::vector<std::string> moves() const override {
        if constexpr (detail::OffersMoves<P>) return problem.moves();
        return {};
    }
    [[nodiscard]] std::vector<std::string> further_moves() const override {
        if constexpr (detail::OffersFurtherMoves<P>) return problem.further_moves();
        return {};
    }

    [[nodiscard]] std::unique_ptr<DeltaEvaluator> deltas() const override;
};

/// By the problem's own tracker.
template <class P>
class Problem::TrackedDeltas final : public DeltaEvaluator {
  public:
    explicit TrackedDeltas(const Wrapped<P>& owner) : owner_{owner}, tracker_{owner.problem.tracker()} {}

    double start(std::byte* genome) override {
        genome_ = genome;
        visit([&](auto view) {
            if constexpr (requires { tracker_.start(view); }) fitness_ = tracker_.start(view);
        });
        return fitness_;
    }

    double evaluate(Swap move) override { return evaluate_move(move); }
    double evaluate(Reverse move) override { return evaluate_move(move); }
    double evaluate(Flip move) override { return evaluate_move(move); }
    double evaluate(Assign move) override { return evaluate_move(move); }
    void apply(Swap move, double after) override { apply_move(move, after); }
    void apply(Reverse move, double after) override { apply_move(move, after); }
    void apply(Flip move, double after) override { apply_move(move, after); }
    void apply(Assign move, double after) override { apply_move(move, after); }

    [[nodiscard]] bool knows(MoveKind kind) const override {
        switch (kind) {
        case MoveKind::flip:
            return knows_move<Flip>();
        case MoveKind::assign:
            return knows_move<Assign>();
        case MoveKind::swap:
            return knows_move<Swap>();
        case MoveKind::reverse:
            return knows_move<Reverse>();
        }
        return false;
    }

  private:
    using Tracker = decltype(std::declval<const P&>().tracker());

    template <class Function>
    void visit(Function function) {
        visit_genome(owner_.space, genome_, function);
    }

    template <class Move>
    double evaluate_move([[maybe_unused]] Move move) {
        if constexpr (requires(Tracker tracker) { tracker.delta(move); })
            return fitness_ + tracker_.delta(move);
        else
            return fitness_; // nobody asks: it does not know the move
    }

    template <class Move>
    void apply_move(Move move, double after) {
        fitness_ = after;
        if constexpr (requires(Tracker tracker) { tracker.apply(move); }) tracker_.apply(move);
        visit([&](auto view) {
            if constexpr (requires { knossos::apply(move, view); }) knossos::apply(move, view);
        });
    }

    // A tracker has to take the genome at the width it is stored in, and to know the move.
    template <class Move>
    [[nodiscard]] bool knows_move() const {
        return space_fits(owner_.space, []<class View>() {
            return requires(Tracker tracker, Move move, View view) {
                knossos::apply(move, view);
                tracker.start(view);
                tracker.delta(move);
            };
        });
    }

    const Wrapped<P>& owner_;
    Tracker tracker_;
    std::byte* genome_ = nullptr;
    double fitness_ = 0.0;
};

template <class P>
std::unique_ptr<DeltaEvaluator> Problem::Wrapped<P>::deltas() const {
    if constexpr (detail::OffersTracker<P>)
        return std::make_unique<TrackedDeltas<P>>(*this);
    else
        return std::make_unique<WholeEvaluation>(*this);
}

template <class P>
    requires(!std::same_as<std::remove_cvref_t<P>, Problem> && detail::MeantAsProblem<std::remove_cvref_t<P>>)
Problem::Problem(P problem) {
    detail::tell_mistakes<P>();
    if constexpr (ProblemType<P>) model_ = std::make_shared<const Wrapped<P>>(std::move(problem));
}

} // namespace knossos
