#include <knossos/core/problem.hpp>

#include <mutex>

namespace knossos {

// --- moves by whole evaluations --------------------------------------------------

namespace {

template <class Move, class View>
Move inverse(Move move, [[maybe_unused]] View view) {
    if constexpr (std::same_as<Move, Assign>)
        return {move.position, view[move.position]};
    else
        return move;
}

template <class Move>
bool applies(const Space& space) {
    return space_fits(
        space, []<class View>() { return requires(Move move, View view) { knossos::apply(move, view); }; });
}

} // namespace

double Problem::WholeEvaluation::evaluate() {
    double fitness = 0.0;
    owner_.evaluate(Batch{&owner_.space, genome_, owner_.space.genome_bytes(), 1}, {&fitness, 1});
    return fitness;
}

double Problem::WholeEvaluation::start(std::byte* genome) {
    genome_ = genome;
    return evaluate();
}

template <class Move>
double Problem::WholeEvaluation::try_move(Move move) {
    double fitness = 0.0;
    visit_genome(owner_.space, genome_, [&](auto view) {
        if constexpr (requires { knossos::apply(move, view); }) {
            const Move back = inverse(move, view);
            knossos::apply(move, view);
            fitness = evaluate();
            knossos::apply(back, view);
        }
    });
    return fitness;
}

template <class Move>
void Problem::WholeEvaluation::make(Move move) {
    visit_genome(owner_.space, genome_, [&](auto view) {
        if constexpr (requires { knossos::apply(move, view); }) knossos::apply(move, view);
    });
}

double Problem::WholeEvaluation::evaluate(Swap move) { return try_move(move); }
double Problem::WholeEvaluation::evaluate(Reverse move) { return try_move(move); }
double Problem::WholeEvaluation::evaluate(Flip move) { return try_move(move); }
double Problem::WholeEvaluation::evaluate(Assign move) { return try_move(move); }
void Problem::WholeEvaluation::apply(Swap move, double /*fitness*/) { make(move); }
void Problem::WholeEvaluation::apply(Reverse move, double /*fitness*/) { make(move); }
void Problem::WholeEvaluation::apply(Flip move, double /*fitness*/) { make(move); }
void Problem::WholeEvaluation::apply(Assign move, double /*fitness*/) { make(move); }

bool Problem::WholeEvaluation::knows(MoveKind kind) const {
    switch (kind) {
    case MoveKind::flip:
        return applies<Flip>(owner_.space);
    case MoveKind::assign:
        return applies<Assign>(owner_.space);
    case MoveKind::swap:
        return applies<Swap>(owner_.space);
    case MoveKind::reverse:
        return applies<Reverse>(owner_.space);
    }
    return false;
}

// --- evaluated by somebody else -------------------------------------------------

struct Problem::Delegated final : Problem::Model {
    Delegated(const Problem& its_inner, BatchFunction its_function, Calls calls,
              const std::optional<Schema>& its_schema)
        : Model{its_inner.space(),
                its_schema ? *its_schema : its_inner.schema(),
                its_schema ? std::nullopt : its_inner.target(),
                its_inner.repairs(),
                its_inner.proposes(),
                false,
                calls == Calls::whole_batches},
          inner{its_inner}, function{std::move(its_function)} {}

    [[nodiscard]] std::uint64_t fingerprint() const override { return inner.fingerprint(); }
    void evaluate(Batch batch, std::span<double> fitness) const override {
        // What the parents are worth is what the function made of them: nothing for the problem to go by,
        // which the function may well ask.
        batch.parentage = nullptr;
        if (!whole_batches) return function(batch, fitness);
        const std::scoped_lock lock{one_at_a_time};
        function(batch, fitness);
    }
    void initialise(Stream& stream, std::byte* genome) const override { inner.initialise(stream, genome); }
    void repair(Stream& stream, std::byte* genome) const override { inner.repair(stream, genome); }
    bool propose(Stream& stream, std::byte* genome, std::optional<std::uint32_t> move) const override {
        return inner.model_->propose(stream, genome, move);
    }
    [[nodiscard]] std::vector<std::string> moves() const override { return inner.moves(); }
    [[nodiscard]] std::vector<std::string> further_moves() const override { return inner.further_moves(); }
    [[nodiscard]] std::unique_ptr<DeltaEvaluator> deltas() const override {
        return std::make_unique<WholeEvaluation>(*this);
    }

    Problem inner;
    BatchFunction function;
    mutable std::mutex one_at_a_time;
};

Problem evaluated_by(const Problem& problem, BatchFunction function, Calls calls,
                     std::optional<Schema> schema) {
    return Problem{std::make_shared<const Problem::Delegated>(problem, std::move(function), calls, schema)};
}

// --- measured otherwise ---------------------------------------------------------

struct Problem::OtherMerit final : Problem::Model {
    OtherMerit(const Problem& its_inner, Merit merit)
        : Model{its_inner.space(),
                its_inner.schema().with_merit(merit),
                std::nullopt,
                its_inner.repairs(),
                its_inner.proposes(),
                its_inner.incremental(),
                its_inner.in_whole_batches()},
          inner{its_inner} {
        target.reset(); // not even that everything holds is enough
    }

    [[nodiscard]] std::uint64_t fingerprint() const override { return inner.fingerprint(); }
    void evaluate(Batch batch, std::span<double> fitness) const override { inner.evaluate(batch, fitness); }
    void initialise(Stream& stream, std::byte* genome) const override { inner.initialise(stream, genome); }
    void repair(Stream& stream, std::byte* genome) const override { inner.repair(stream, genome); }
    bool propose(Stream& stream, std::byte* genome, std::optional<std::uint32_t> move) const override {
        return inner.model_->propose(stream, genome, move);
    }
    [[nodiscard]] std::vector<std::string> moves() const override { return inner.moves(); }
    [[nodiscard]] std::vector<std::string> further_moves() const override { return inner.further_moves(); }
    [[nodiscard]] std::unique_ptr<DeltaEvaluator> deltas() const override { return inner.deltas(); }

    Problem inner;
};

Problem Problem::with_merit(Merit merit) const {
    if (schema().merit() == merit) return *this;
    return Problem{std::make_shared<const OtherMerit>(*this, merit)};
}

namespace {

// Genomes that nobody knows the worth of.
struct Genomes {
    Space its_space;
    Objective objective;

    [[nodiscard]] Space space() const { return its_space; }
    static void evaluate_batch(const Batch& /*batch*/, std::span<double> /*fitness*/) {}
};

} // namespace

Problem evaluated_by(const Space& space, Objective objective, BatchFunction function, Calls calls) {
    return evaluated_by(Problem{Genomes{space, objective}}, std::move(function), calls);
}

} // namespace knossos
