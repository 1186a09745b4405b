#pragma once

#include <knossos/core/erased.hpp>
#include <knossos/core/error.hpp>
#include <knossos/core/fields.hpp>
#include <knossos/core/problem.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace knossos {

/// What an improvement hands back: the genome was changed in place, this is its fitness, this many fitness
/// values were looked at on the way.
struct Improved {
    double fitness;
    std::uint64_t evaluations;
};

enum class MoveChoice : unsigned char { automatic, flip, assign, swap, reverse };

template <>
struct EnumNames<MoveChoice> {
    static constexpr std::array<std::string_view, 5> names{"automatic", "flip", "assign", "swap", "reverse"};
};

/// Hill climb: tries up to `attempts` random moves on the child and keeps each that is better (or, with
/// `accept_equal`, as good). The automatic move is a flip for bits, a new value for integers and a swap for
/// permutations. Moves are evaluated by their difference (delta evaluation) where the problem knows how. Each
/// counts as an evaluation.
struct HillClimb {
    double probability = 1.0;
    std::uint32_t attempts = 100;
    MoveChoice move = MoveChoice::automatic;
    bool accept_equal = false;

    static constexpr std::string_view name = "hill-climb";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &HillClimb::probability, "how often a child is improved"),
            field("attempts", &HillClimb::attempts, 1, 4294967295.0, "random moves tried on it"),
            field("move", &HillClimb::move, "the kind of move"),
            field("accept_equal", &HillClimb::accept_equal, "whether moves that change nothing are kept")};
    }
    Improved operator()(Stream& stream, DeltaEvaluator& deltas, const Space& space, Objective objective,
                        std::byte* genome) const;
};

/// Descent: goes through the whole neighbourhood again and again, in an order that starts at a random place,
/// taking every better move, until no move is better or `limit` moves have been evaluated. With `reverse` on
/// tours this is 2-opt.
struct Descent {
    double probability = 1.0;
    MoveChoice move = MoveChoice::automatic;
    std::uint64_t limit = 1'000'000;

    static constexpr std::string_view name = "descent";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &Descent::probability, "how often a child is improved"),
            field("move", &Descent::move, "the kind of move"),
            field("limit", &Descent::limit, 1, 9007199254740992.0, "most evaluations for one child")};
    }
    Improved operator()(Stream& stream, DeltaEvaluator& deltas, const Space& space, Objective objective,
                        std::byte* genome) const;
};

/// The move that `automatic` stands for on genomes of this space.
MoveKind move_kind(MoveChoice choice, const Space& space);

/// Any improvement behind one value: a type that can be called with (stream, deltas, space, objective,
/// genome).
class Improvement {
  public:
    template <class Operator>
        requires requires(const Operator& op, Stream& stream, DeltaEvaluator& deltas, const Space& space,
                          std::byte* genome) {
            { op(stream, deltas, space, Objective::minimise, genome) } -> std::convertible_to<Improved>;
        }
    Improvement(
        Operator op) // NOLINT(google-explicit-constructor): operators are meant to be passed as they are
        : model_{std::make_shared<const Wrapped<Operator>>(std::move(op))} {}

    /// Throws InvalidInput if the problem can't after the moves that the operator wants to make.
    void check(const Problem& problem) const { model_->check(problem); }

    /// Whether this child is to be improved at all, by the operator's probability.
    [[nodiscard]] bool wanted(Stream& stream) const { return model_->wanted(stream); }

    Improved improve(Stream& stream, DeltaEvaluator& deltas, const Space& space, Objective objective,
                     std::byte* genome) const {
        return model_->improve(stream, deltas, space, objective, genome);
    }

  private:
    struct Model : Erased {
        virtual void check(const Problem& problem) const = 0;
        virtual bool wanted(Stream& stream) const = 0;
        virtual Improved improve(Stream& stream, DeltaEvaluator& deltas, const Space& space,
                                 Objective objective, std::byte* genome) const = 0;
    };

    template <class Operator>
    struct Wrapped final : Model {
        Operator op;
        explicit Wrapped(Operator its) : op{std::move(its)} { check_fields(op); }

        void check(const Problem& problem) const override {
            if (!problem.schema().plain())
                throw InvalidSetting{"improve", "", "",
                                     "local search compares single numbers, and this problem's individuals "
                                     "are records (" +
                                         problem.schema().to_text() +
                                         "); leave it out, or let the problem return one objective"};
            if constexpr (requires { op.move; }) {
                const MoveKind kind = move_kind(op.move, problem.space());
                const bool changes_ones = kind == MoveKind::flip && problem.space().ones.has_value();
                if (changes_ones || !problem.deltas()->knows(kind))
                    throw InvalidSetting{"improve", part_name<Operator>(), "move",
                                         "does not fit: the problem can't evaluate it on " +
                                             describe(problem.space())};
            }
        }
        bool wanted(Stream& stream) const override {
            if constexpr (requires { op.probability; })
                return op.probability >= 1.0 || stream.chance(op.probability);
            return true;
        }
        Improved improve(Stream& stream, DeltaEvaluator& deltas, const Space& space, Objective objective,
                         std::byte* genome) const override {
            return op(stream, deltas, space, objective, genome);
        }
    };

    std::shared_ptr<const Model> model_;
};

} // namespace knossos
