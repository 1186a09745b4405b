#pragma once

#include <knossos/algorithms/island.hpp>
#include <knossos/core/erased.hpp>
#include <knossos/core/fields.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace knossos {

/// Generational: each generation selects parents, breeds `offspring` children (as many as there are
/// individuals, unless the settings say otherwise) and lets the replacement decide who lives on. With random
/// selection and plus or comma replacement this is an evolution strategy, (μ + λ) or (μ, λ).
struct Generational {
    std::uint32_t siblings = 2;

    static constexpr std::string_view name = "generational";
    static constexpr std::array<std::string_view, 6> uses{"select",     "recombine", "mutate",
                                                          "operations", "improve",   "replace"};
    static constexpr auto fields() {
        return std::tuple{field("siblings", &Generational::siblings, 1, 2,
                                "children of each couple that are kept, 1 or 2")};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
};

/// (μ + λ): every parent is equally likely, and parents and children compete for the places. The settings'
/// selection and replacement are not used.
struct MuPlusLambda {
    static constexpr std::string_view name = "mu-plus-lambda";
    static constexpr std::array<std::string_view, 4> uses{"recombine", "mutate", "operations", "improve"};
    static constexpr auto fields() { return std::tuple{}; }
    static void check(const Problem& problem, const Stages& stages, std::size_t population,
                      std::size_t offspring);
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
};

/// Steady state: one mating event at a time. With a `tournament`, each event draws that many different
/// individuals, the best two of them have two children, and these take the places of the worst two: the
/// algorithm of Ashlock, Lee and McGuinness (2011). Without one (0), selection and replacement are those of
/// the settings. `events` mating events make one generation, at whose end statistics are taken and stop rules
/// are looked at; 0 stands for half the population. A generation ends early when the target is reached.
struct SteadyState {
    std::uint32_t tournament = 7;
    std::uint32_t events = 0;

    static constexpr std::string_view name = "steady-state";
    static constexpr std::array<std::string_view, 5> uses{"select", "recombine", "mutate", "improve",
                                                          "replace"};
    static constexpr auto fields() {
        return std::tuple{
            field("tournament", &SteadyState::tournament, 0, 4294967295.0,
                  "individuals drawn for a mating event; 0 leaves it to selection and replacement"),
            field("events", &SteadyState::events, 0, 2147483647.0,
                  "mating events per generation; 0 means half the population")};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;

  private:
    void mating_event(const Context& context, Island& island, std::size_t event, Population& children) const;
};

/// Duel: two individuals; the worse one is replaced by a mutant of the better one, and of equals the newer is
/// the better. `rounds` such rounds make one generation, which ends early when the target is reached. The
/// duel-queens system.
struct Duel {
    std::uint32_t rounds = 100;

    struct State {
        std::uint32_t newest = 1; ///< of the two individuals, the one that came last
        [[nodiscard]] bool is_sound() const { return newest <= 1; }
    };

    static constexpr std::string_view name = "duel";
    static constexpr std::array<std::string_view, 1> uses{"mutate"};
    static constexpr auto fields() {
        return std::tuple{field("rounds", &Duel::rounds, 1, 4294967295.0, "rounds per generation")};
    }
    static void check(const Problem& problem, const Stages& stages, std::size_t population,
                      std::size_t offspring);
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
};

/// Knockout: the individuals meet in random pairs, the better of each pair goes on (of equals the newer, then
/// the one drawn first), and each winner has one mutant, which brings the population back to its size. The
/// knockout-queens system.
struct Knockout {
    static constexpr std::string_view name = "knockout";
    static constexpr std::array<std::string_view, 2> uses{"mutate", "improve"};
    static constexpr auto fields() { return std::tuple{}; }
    static void check(const Problem& problem, const Stages& stages, std::size_t population,
                      std::size_t offspring);
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
};

/// Annealing: each individual walks by itself. A step makes a mutant of it and takes the mutant's place if
/// that is not worse, or, if it is worse by d, with probability exp(−d / T). The temperature T falls from
/// `start` to `end`, its reciprocal in proportion to the evaluations made, over `steps` evaluations; after
/// that it stays. `moves` steps of every walker make one generation; a walker that reaches the target rests
/// until the next. S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: "Optimization by simulated annealing", 1983.
struct Annealing {
    double start = 1.0;
    double end = 0.1;
    std::uint64_t steps = 200'000;
    std::uint32_t moves = 100;

    static constexpr std::string_view name = "annealing";
    static constexpr std::array<std::string_view, 1> uses{"mutate"};
    static constexpr auto fields() {
        return std::tuple{
            field("start", &Annealing::start, 0, 1e300, "temperature at the start, in units of fitness"),
            field("end", &Annealing::end, 0, 1e300, "temperature at the end"),
            field("steps", &Annealing::steps, 1, 9007199254740992.0,
                  "evaluations over which the temperature falls; those of the stop rule if a recipe "
                  "does not say"),
            field("moves", &Annealing::moves, 1, 1000000, "steps of each walker per generation")};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
};

/// Any algorithm behind one value: it takes an island from one generation to the next. When step() throws,
/// the island is as it was after the last complete generation. What it keeps from one generation to the next
/// beside the population it declares as its `State`, and finds as island.kept.as<State>().
class Algorithm {
  public:
    template <class Type>
        requires requires(const Type& algorithm, const Context& context, Island& island) {
            algorithm.step(context, island);
        }
    Algorithm(
        Type algorithm) // NOLINT(google-explicit-constructor): algorithms are meant to be passed as they are
        : model_{std::make_shared<const Wrapped<Type>>(std::move(algorithm))} {}

    [[nodiscard]] std::string_view name() const { return model_->name(); }

    /// Throws InvalidInput if the algorithm can't work with these stages and sizes.
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const {
        model_->check(problem, stages, population, offspring);
    }
    /// How many genomes of working memory an island needs beside its population.
    [[nodiscard]] std::size_t offspring_buffer(std::size_t population, std::size_t offspring) const {
        return model_->offspring_buffer(population, offspring);
    }
    /// What it keeps between generations, as it is before the first.
    [[nodiscard]] AlgorithmState initial_state() const { return model_->initial_state(); }
    void step(const Context& context, Island& island) const { model_->step(context, island); }

  private:
    struct Model : Erased {
        [[nodiscard]] virtual std::string_view name() const = 0;
        virtual void check(const Problem& problem, const Stages& stages, std::size_t population,
                           std::size_t offspring) const = 0;
        [[nodiscard]] virtual std::size_t offspring_buffer(std::size_t population,
                                                           std::size_t offspring) const = 0;
        [[nodiscard]] virtual AlgorithmState initial_state() const = 0;
        virtual void step(const Context& context, Island& island) const = 0;
    };

    template <class Type>
    struct Wrapped final : Model {
        Type algorithm;
        explicit Wrapped(Type its) : algorithm{std::move(its)} { check_fields(algorithm); }

        [[nodiscard]] std::string_view name() const override {
            if constexpr (Described<Type>) return Type::name;
            return "algorithm";
        }
        void check(const Problem& problem, const Stages& stages, std::size_t population,
                   std::size_t offspring) const override {
            if constexpr (requires { algorithm.check(problem, stages, population, offspring); })
                algorithm.check(problem, stages, population, offspring);
        }
        [[nodiscard]] std::size_t offspring_buffer(std::size_t population,
                                                   std::size_t offspring) const override {
            if constexpr (requires { algorithm.offspring_buffer(population, offspring); })
                return algorithm.offspring_buffer(population, offspring);
            return offspring;
        }
        [[nodiscard]] AlgorithmState initial_state() const override {
            if constexpr (requires { typename Type::State; })
                return AlgorithmState{typename Type::State{}};
            else
                return {};
        }
        void step(const Context& context, Island& island) const override { algorithm.step(context, island); }
    };

    std::shared_ptr<const Model> model_;
};

} // namespace knossos
