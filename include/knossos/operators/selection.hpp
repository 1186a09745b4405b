#pragma once

#include <knossos/core/erased.hpp>
#include <knossos/core/fields.hpp>
#include <knossos/core/random.hpp>
#include <knossos/core/ranking.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// What a selection computes once per generation and then draws from. Reused, so that no generation
/// allocates.
struct SelectionTable {
    std::vector<double> wheel;        ///< running totals of the weights
    std::vector<std::uint32_t> order; ///< individuals, usually best first
};

/// Individuals from best to worst; ties stay in the order of their slots.
void rank_best_first(const Scores& scores, std::vector<std::uint32_t>& order);

enum class RouletteScaling : unsigned char { proportional, windowed, share };

template <>
struct EnumNames<RouletteScaling> {
    static constexpr std::array<std::string_view, 3> names{"proportional", "windowed", "share"};
};

/// Roulette wheel: each individual owns a stretch of the wheel as long as its weight, and every draw spins
/// once. `proportional` takes the fitness itself as the weight (which must not be negative) or, when
/// minimising, its mirror image best + worst − fitness. `windowed` takes the distance from the worst. `share`
/// is the founding scaling 1 − c/Σc of the roulette-queens system, for minimised counts; its pressure is very
/// low (see docs/founding-systems.md). J. H. Holland: "Adaptation in Natural and Artificial Systems", 1975.
struct Roulette {
    RouletteScaling scaling = RouletteScaling::proportional;

    static constexpr std::string_view name = "roulette";
    static constexpr bool needs_one_number = true;
    static constexpr auto fields() {
        return std::tuple{field("scaling", &Roulette::scaling, "how fitness becomes a stretch of the wheel")};
    }
    void check_objective(Objective objective) const;
    [[nodiscard]] std::optional<double> scaled(double fitness, double sum) const;
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// Stochastic universal sampling: one spin of a wheel with as many evenly spaced pointers as there are draws,
/// so an individual is chosen within one of its expected number of times. The pointers are dealt to the slots
/// in random order. J. E. Baker: "Reducing bias and inefficiency in the selection algorithm", ICGA 1987.
struct StochasticUniversal {
    RouletteScaling scaling = RouletteScaling::proportional;

    static constexpr std::string_view name = "stochastic-universal";
    static constexpr bool needs_one_number = true;
    static constexpr auto fields() {
        return std::tuple{
            field("scaling", &StochasticUniversal::scaling, "how fitness becomes a stretch of the wheel")};
    }
    void check_objective(Objective objective) const;
    [[nodiscard]] std::optional<double> scaled(double fitness, double sum) const;
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// Tournament: `size` contestants are drawn and the best wins; ties go to the one drawn first. With
/// replacement every contestant is any individual; without, the population is shuffled and dealt into
/// tournaments, round after round, so that everybody competes equally often.
struct Tournament {
    std::uint32_t size = 2;
    bool replacement = true;

    static constexpr std::string_view name = "tournament";
    static constexpr auto fields() {
        return std::tuple{field("size", &Tournament::size, 1, 4294967295.0, "contestants in each tournament"),
                          field("replacement", &Tournament::replacement,
                                "whether an individual may compete twice in one round")};
    }
    void check(std::size_t population) const;
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const {
        if (!replacement) return dealt(scores, table, slot);
        if (scores.tied()) return drawn_tied(stream, scores);
        return scores.objective == Objective::minimise ? drawn<Objective::minimise>(stream, scores.values)
                                                       : drawn<Objective::maximise>(stream, scores.values);
    }

    /// Of both parents of a mating.
    [[nodiscard]] std::size_t random_blocks() const {
        return replacement ? (2 * std::size_t{size} + 3) / 4 : 0;
    }

    /// As pick() for slots from `first_slot` on, the contestants of several matings drawn at once. Does
    /// nothing and returns false where that can't be done.
    bool pick_together(const StageStreams& streams, const Scores& scores, std::size_t first_slot,
                       std::span<std::uint32_t> chosen) const;

  private:
    // Who wins is anybody's guess, so it is computed rather than branched on.
    template <Objective objective>
    std::uint32_t drawn(Stream& stream, std::span<const double> values) const {
        const auto population = static_cast<std::uint32_t>(values.size());
        std::uint32_t winner = stream.below(population);
        double best = values[winner];
        for (std::uint32_t contestant = 1; contestant < size; ++contestant) {
            const std::uint32_t rival = stream.below(population);
            const double value = values[rival];
            const bool wins = knossos::better(objective, value, best);
            winner = wins ? rival : winner;
            best = wins ? value : best;
        }
        return winner;
    }
    [[nodiscard]] std::uint32_t drawn_tied(Stream& stream, const Scores& scores) const;
    [[nodiscard]] std::uint32_t dealt(const Scores& scores, const SelectionTable& table,
                                      std::size_t slot) const;
};

/// Linear ranking: the chance of an individual falls linearly with its rank. The best is expected `pressure`
/// times per population-many draws, the worst 2 − pressure times. J. E. Baker: "Adaptive selection methods
/// for genetic algorithms", ICGA 1985.
struct LinearRank {
    double pressure = 1.5;

    static constexpr std::string_view name = "linear-rank";
    static constexpr auto fields() {
        return std::tuple{
            field("pressure", &LinearRank::pressure, 1, 2, "expected copies of the best individual")};
    }
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// Exponential ranking: each rank is `base` times as likely as the one above it.
/// T. Blickle, L. Thiele: "A comparison of selection schemes used in evolutionary algorithms", 1996.
struct ExponentialRank {
    double base = 0.95;

    static constexpr std::string_view name = "exponential-rank";
    static constexpr auto fields() {
        return std::tuple{field("base", &ExponentialRank::base, 0.000001, 1,
                                "likelihood of a rank relative to the one above")};
    }
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// How many individuals a share of a population is, rounded down.
[[nodiscard]] std::size_t count_of(double share, std::size_t population);

/// Truncation: only the fittest `fraction` breeds. They are shuffled and dealt out, and shuffled again when
/// the deck is used up, so that no parent is repeated before all have had their turn.
struct Truncation {
    double fraction = 0.5;

    static constexpr std::string_view name = "truncation";
    static constexpr auto fields() {
        return std::tuple{
            field("fraction", &Truncation::fraction, 0.000001, 1, "share of the population that breeds")};
    }
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// Random: everybody is equally likely; what drives the search is the replacement.
struct RandomSelection {
    static constexpr std::string_view name = "random";
    static constexpr auto fields() { return std::tuple{}; }
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// Best: always the fittest individual; among equals the one in the lowest slot.
struct BestSelection {
    static constexpr std::string_view name = "best";
    static constexpr auto fields() { return std::tuple{}; }
    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const;
    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& scores, const SelectionTable& table,
                                     std::size_t slot) const;
};

/// Any selection behind one value. An operator needs pick(stream, scores, table, slot); prepare() is
/// optional.
class Selection {
  public:
    template <class Operator>
        requires requires(const Operator& op, Stream& stream, const Scores& scores,
                          const SelectionTable& table) {
            { op.pick(stream, scores, table, std::size_t{0}) } -> std::convertible_to<std::uint32_t>;
        }
    Selection(
        Operator op) // NOLINT(google-explicit-constructor): operators are meant to be passed as they are
        : model_{std::make_shared<const Wrapped<Operator>>(std::move(op))} {}

    /// Throws InvalidInput if the operator can't choose from a population of this size.
    void check(std::size_t population) const { model_->check(population); }
    /// Throws InvalidInput if the operator has a meaning for the other direction alone.
    void check_objective(Objective objective) const { model_->check_objective(objective); }
    /// Throws InvalidInput if the operator can't choose among what has such records.
    void check_schema(const Schema& schema) const;
    /// What the operator goes by in place of a fitness, if that follows from it and the sum of all of them:
    /// 1 − c/Σc on a wheel by share. For people to look at.
    [[nodiscard]] std::optional<double> scaled(double fitness, double sum) const {
        return model_->scaled(fitness, sum);
    }

    void prepare(Stream& stream, const Scores& scores, std::size_t draws, SelectionTable& table) const {
        model_->prepare(stream, scores, draws, table);
    }

    /// Fills `chosen` for the slots first_slot, first_slot + 1, …; first_slot is even, as slots 2m and 2m + 1
    /// are the parents of mating m and share its stream.
    void pick(const StageStreams& streams, const Scores& scores, const SelectionTable& table,
              std::size_t first_slot, std::span<std::uint32_t> chosen) const {
        model_->pick(streams, scores, table, first_slot, chosen);
    }

  private:
    struct Model : Erased {
        virtual void check(std::size_t population) const = 0;
        virtual void check_objective(Objective objective) const = 0;
        [[nodiscard]] virtual std::optional<double> scaled(double fitness, double sum) const = 0;
        [[nodiscard]] virtual bool needs_one_number() const = 0;
        [[nodiscard]] virtual std::string_view name() const = 0;
        virtual void prepare(Stream& stream, const Scores& scores, std::size_t draws,
                             SelectionTable& table) const = 0;
        virtual void pick(const StageStreams& streams, const Scores& scores, const SelectionTable& table,
                          std::size_t first_slot, std::span<std::uint32_t> chosen) const = 0;
    };

    template <class Operator>
    struct Wrapped final : Model {
        Operator op;
        explicit Wrapped(Operator its) : op{std::move(its)} { check_fields(op); }

        void check(std::size_t population) const override {
            if constexpr (requires { op.check(population); }) op.check(population);
        }
        void check_objective(Objective objective) const override {
            if constexpr (requires { op.check_objective(objective); }) op.check_objective(objective);
        }
        [[nodiscard]] std::optional<double> scaled(double fitness, double sum) const override {
            if constexpr (requires { op.scaled(fitness, sum); }) return op.scaled(fitness, sum);
            return std::nullopt;
        }
        [[nodiscard]] bool needs_one_number() const override {
            if constexpr (requires { Operator::needs_one_number; }) return Operator::needs_one_number;
            return false;
        }
        [[nodiscard]] std::string_view name() const override {
            if constexpr (Described<Operator>) return Operator::name;
            return "this selection";
        }
        void prepare(Stream& stream, const Scores& scores, std::size_t draws,
                     SelectionTable& table) const override {
            if constexpr (requires { op.prepare(stream, scores, draws, table); })
                op.prepare(stream, scores, draws, table);
        }
        void pick(const StageStreams& streams, const Scores& scores, const SelectionTable& table,
                  std::size_t first_slot, std::span<std::uint32_t> chosen) const override {
            if constexpr (requires { op.pick_together(streams, scores, first_slot, chosen); })
                if (op.pick_together(streams, scores, first_slot, chosen)) return;
            // The two parents of a mating draw from one stream: half as many blocks are computed.
            for_each_stream(
                streams, (chosen.size() + 1) / 2, default_blocks(op),
                [&](std::size_t mating) { return first_slot / 2 + mating; },
                [&](std::size_t mating, Stream& stream) {
                    for (std::size_t k = 2 * mating; k < std::min(chosen.size(), 2 * mating + 2); ++k)
                        chosen[k] = op.pick(stream, scores, table, first_slot + k);
                });
        }
    };

    std::shared_ptr<const Model> model_;
};

} // namespace knossos
