#pragma once

#include <knossos/algorithms/archive.hpp>
#include <knossos/algorithms/island.hpp>
#include <knossos/core/erased.hpp>
#include <knossos/core/fields.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// An individual that people should see beside the best, and as what: "mutant".
struct Contestant {
    std::string_view name;
    std::uint32_t individual;
};

/// Generational: each generation selects parents, breeds `offspring` children (as many as there are
/// individuals, unless the settings say otherwise) and lets the replacement decide who lives on. With random
/// selection and plus or comma replacement this is an evolution strategy, (μ + λ) or (μ, λ). `parents`, if it
/// is not 0, lets the children follow the population instead: that share of it is selected in each
/// generation, in couples with `siblings` children each; where their number is odd, one has no partner. With
/// truncation to the same share everybody who may breed does so once.
struct Generational {
    std::uint32_t siblings = 2;
    double parents = 0.0;

    static constexpr std::string_view name = "generational";
    static constexpr std::array<std::string_view, 6> uses{"select",     "recombine", "mutate",
                                                          "operations", "improve",   "replace"};
    static constexpr auto fields() {
        return std::tuple{
            field("siblings", &Generational::siblings, 1, 2, "children of each couple that are kept, 1 or 2"),
            field("parents", &Generational::parents, 0, 1,
                  "share of the population selected as parents, from which children follow; 0 leaves their "
                  "number to offspring")
                .added_later()};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    [[nodiscard]] std::size_t offspring_buffer(std::size_t population, std::size_t offspring) const;
    void step(const Context& context, Island& island) const;

  private:
    void check_parents(const Stages& stages, std::size_t population, std::size_t offspring) const;
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

/// NSGA-II, for two objectives and more: parents are the winners of binary tournaments, in which everybody
/// takes part equally often, children come from the other stages, and of parents and children together the
/// best stay; better is who belongs to an earlier front or, in the same, stands farther from its neighbours.
/// Who misses less of what must hold is better than anybody who misses more. Ranks and distances are those of
/// the population that is drawn from or cut. K. Deb, A. Pratap, S. Agarwal, T. Meyarivan: "A fast and elitist
/// multiobjective genetic algorithm: NSGA-II", 2002.
struct Nsga2 {
    static constexpr std::string_view name = "nsga2";
    static constexpr std::array<std::string_view, 3> uses{"recombine", "mutate", "operations"};
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
    static constexpr std::string_view unit = "mating events";
    static constexpr std::uint32_t most_events = most_slots / 2 - 1; ///< two children each
    static constexpr std::array<std::string_view, 5> uses{"select", "recombine", "mutate", "improve",
                                                          "replace"};
    static constexpr auto fields() {
        return std::tuple{
            field("tournament", &SteadyState::tournament, 0, 4294967295.0,
                  "individuals drawn for a mating event; 0 leaves it to selection and replacement"),
            field("events", &SteadyState::events, 0, most_events,
                  "mating events per generation; 0 means half the population")};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;

  private:
    void mating_event(const Context& context, Island& island, std::size_t event, Population& children,
                      SelectionMeter& meter) const;
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
    static constexpr std::string_view unit = "rounds";
    static constexpr std::array<std::string_view, 1> uses{"mutate"};
    static constexpr auto fields() {
        return std::tuple{field("rounds", &Duel::rounds, 1, most_slots - 1, "rounds per generation")};
    }
    static void check(const Problem& problem, const Stages& stages, std::size_t population,
                      std::size_t offspring);
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    [[nodiscard]] std::uint64_t most_evaluations(const Island& /*island*/) const { return rounds; }
    static void begin(Island& island);
    void step(const Context& context, Island& island) const;
    [[nodiscard]] static std::string remark(const Schema& schema, const Island& island);
    [[nodiscard]] static std::vector<Contestant> contestants(const Island& island);
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
    [[nodiscard]] std::uint64_t most_evaluations(const Island& island) const {
        return std::uint64_t{moves} * island.current.size();
    }
    /// How warm it is in an island's next generation.
    [[nodiscard]] double temperature(const Island& island) const;
    /// Whether a mutant that is worse by so much is taken, where `drawn` is what a random number is short of
    /// 1: exp(−loss / T) > 1 − drawn, by the logarithm that is the same everywhere.
    [[nodiscard]] static bool takes(double loss, double temperature, double drawn) {
        return loss < -temperature * portable_log(drawn);
    }
    void step(const Context& context, Island& island) const;
};

/// How differential evolution makes its trials: what the difference is added to, how many differences there
/// are, and the crossover; R. Storn and K. Price's own names.
enum class DifferenceVariant : unsigned char { rand_1_bin, best_1_bin };

template <>
struct EnumNames<DifferenceVariant> {
    static constexpr std::array<std::string_view, 2> names{"rand/1/bin", "best/1/bin"};
};

/// Differential evolution: each individual in turn is the target of a trial. To a third individual, drawn at
/// random or the best (`variant`), comes the difference of two others times `weight` (F); the trial takes
/// each of these genes with probability `crossover` (CR), at least one, and the others from the target, whose
/// place it takes if it is not worse. Genes that leave their bounds are thrown back at them. All trials of a
/// generation are made of the same population. R. Storn, K. Price: "Differential evolution: a simple and
/// efficient heuristic for global optimization over continuous spaces", Journal of Global Optimization 11,
/// 1997.
struct DifferentialEvolution {
    DifferenceVariant variant = DifferenceVariant::rand_1_bin;
    double weight = 0.5;
    double crossover = 0.9;

    static constexpr std::string_view name = "differential-evolution";
    static constexpr std::array<std::string_view, 0> uses{};
    static constexpr auto fields() {
        return std::tuple{
            field("variant", &DifferentialEvolution::variant, "what a difference is added to"),
            field("weight", &DifferentialEvolution::weight, 0, 2, "F: what a difference is multiplied by"),
            probability_field("crossover", &DifferentialEvolution::crossover,
                              "CR: how often a gene is not the target's")};
    }
    static void check(const Problem& problem, const Stages& stages, std::size_t population,
                      std::size_t offspring);
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
};

/// Chosen: somebody looks at each generation and says who goes on, instead of a fitness. Those that are
/// chosen stay, in front, in the order in which they were named; all others make way for their children:
/// couples are drawn from the chosen alike, by recombination and mutation. `choices` holds what was chosen in
/// generation 0, 1, …, individuals counted from 1: "3 5; 1". The run ends where they do, and goes on with
/// more of them. Interactive evolution as in C. Adams, H. Parekh, S. J. Louis: "Procedural level design using
/// an interactive cellular automata genetic algorithm", GECCO 2017; that the chosen stay is our choice.
struct Chosen {
    std::string choices{};

    static constexpr std::string_view name = "chosen";
    static constexpr std::array<std::string_view, 3> uses{"recombine", "mutate", "improve"};
    static constexpr auto fields() {
        return std::tuple{field("choices", &Chosen::choices,
                                "who was chosen in each generation, counted from 1: \"3 5; 1\"")
                              .by_generation()};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    [[nodiscard]] std::uint64_t most_generations() const;
    void step(const Context& context, Island& island) const;
};

/// The individuals, from 0 on, that one entry of Chosen::choices names. Throws InvalidInput that says what is
/// wrong with it, as the end of a sentence.
std::vector<std::uint32_t> chosen_in(std::string_view entry, std::size_t population);

/// Any algorithm behind one value: it takes an island from one generation to the next. When step() throws,
/// the island is as it was after the last complete generation. What it keeps from one generation to the next
/// beside the population it declares as its `State`, and finds as island.kept.as<State>(). One that counts
/// something finer than generations names it as its `unit` and counts it in island.steps. One whose
/// population is an archive has cells(schema) and archive(island), and is told when a population has been
/// read from a snapshot (`take_up`) or got arrivals (`admit`); its runs are measured by the archive. Any is
/// told when a population has been made (`begin`).
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
    /// How many evaluations a generation of an island may take at the most.
    [[nodiscard]] std::uint64_t most_evaluations(const Island& island) const {
        return model_->most_evaluations(island);
    }
    /// What it keeps between generations, as it is before the first.
    [[nodiscard]] AlgorithmState initial_state() const { return model_->initial_state(); }
    /// What it counts beside generations, as island.steps: "rounds", "mating events"; empty if it does not.
    [[nodiscard]] std::string_view unit() const { return model_->unit(); }
    /// What there is to be said of an island as it is, for people; empty if there is nothing.
    [[nodiscard]] std::string remark(const Schema& schema, const Island& island) const {
        return model_->remark(schema, island);
    }
    /// Who is to be seen beside the best, on an island as it is; nobody for most algorithms.
    [[nodiscard]] std::vector<Contestant> contestants(const Island& island) const {
        return model_->contestants(island);
    }
    [[nodiscard]] bool has_contestants() const { return model_->has_contestants(); }
    /// After how many generations it has nothing more to go by, if that is known.
    [[nodiscard]] std::optional<std::uint64_t> most_generations() const { return model_->most_generations(); }

    /// The cells of the archive that its population is; null if it is none.
    [[nodiscard]] std::shared_ptr<const Cells> cells(const Schema& schema) const {
        return model_->cells(schema);
    }
    [[nodiscard]] bool keeps_archive() const { return model_->keeps_archive(); }
    /// That of an island; null if there is none.
    [[nodiscard]] const Archive* archive(const Island& island) const { return model_->archive(island); }
    /// After a population has been made and evaluated: the first, and that of a restart.
    void begin(const Context& context, Island& island) const { model_->begin(context, island); }
    /// After an island has been read from a snapshot. Whether it can be one of this algorithm.
    [[nodiscard]] bool take_up(const Schema& schema, Island& island) const {
        return model_->take_up(schema, island);
    }
    /// Lets arrivals in, if it does so in a way of its own: then true.
    bool admit(const Context& context, Island& island, std::span<const Population* const> arrivals) const {
        return model_->admit(context, island, arrivals);
    }
    /// Brings the individuals of an island into its population, where the algorithm has kept them elsewhere:
    /// on a device. Asked before anybody else reads genomes of it, copies it or changes it.
    void fetch(Island& island) const { model_->fetch(island); }
    /// The problem as runs of this algorithm see it: what they have come to is measured by their archive.
    [[nodiscard]] Problem measured(const Problem& problem) const {
        return keeps_archive() ? problem.with_merit(Merit::qd_score) : problem;
    }

    void step(const Context& context, Island& island) const { model_->step(context, island); }
    /// Whether it can take all islands of a run to the next generation at once, as a device does.
    [[nodiscard]] bool steps_together() const { return model_->steps_together(); }
    /// As step() of each, of which each may make a whole generation.
    void step_together(const Context& context, std::span<Island> islands) const {
        model_->step_together(context, islands);
    }

  private:
    struct Model : Erased {
        [[nodiscard]] virtual std::string_view name() const = 0;
        virtual void check(const Problem& problem, const Stages& stages, std::size_t population,
                           std::size_t offspring) const = 0;
        [[nodiscard]] virtual std::size_t offspring_buffer(std::size_t population,
                                                           std::size_t offspring) const = 0;
        [[nodiscard]] virtual std::uint64_t most_evaluations(const Island& island) const = 0;
        [[nodiscard]] virtual AlgorithmState initial_state() const = 0;
        [[nodiscard]] virtual std::string_view unit() const = 0;
        [[nodiscard]] virtual std::string remark(const Schema& schema, const Island& island) const = 0;
        [[nodiscard]] virtual std::vector<Contestant> contestants(const Island& island) const = 0;
        [[nodiscard]] virtual bool has_contestants() const = 0;
        [[nodiscard]] virtual std::optional<std::uint64_t> most_generations() const = 0;
        [[nodiscard]] virtual std::shared_ptr<const Cells> cells(const Schema& schema) const = 0;
        [[nodiscard]] virtual bool keeps_archive() const = 0;
        [[nodiscard]] virtual const Archive* archive(const Island& island) const = 0;
        virtual void begin(const Context& context, Island& island) const = 0;
        [[nodiscard]] virtual bool take_up(const Schema& schema, Island& island) const = 0;
        virtual bool admit(const Context& context, Island& island,
                           std::span<const Population* const> arrivals) const = 0;
        virtual void fetch(Island& island) const = 0;
        virtual void step(const Context& context, Island& island) const = 0;
        [[nodiscard]] virtual bool steps_together() const = 0;
        virtual void step_together(const Context& context, std::span<Island> islands) const = 0;
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
            if constexpr (has_archive) (void)cells(problem.schema());
        }
        [[nodiscard]] std::size_t offspring_buffer(std::size_t population,
                                                   std::size_t offspring) const override {
            if constexpr (requires { algorithm.offspring_buffer(population, offspring); })
                return algorithm.offspring_buffer(population, offspring);
            return offspring;
        }
        [[nodiscard]] std::uint64_t most_evaluations(const Island& island) const override {
            if constexpr (requires { algorithm.most_evaluations(island); })
                return algorithm.most_evaluations(island);
            return island.offspring.size();
        }
        [[nodiscard]] AlgorithmState initial_state() const override {
            if constexpr (requires { typename Type::State; })
                return AlgorithmState{typename Type::State{}};
            else
                return {};
        }
        [[nodiscard]] std::string_view unit() const override {
            if constexpr (requires { Type::unit; }) return Type::unit;
            return {};
        }
        [[nodiscard]] std::string remark(const Schema& schema, const Island& island) const override {
            if constexpr (requires { algorithm.remark(schema, island); })
                return algorithm.remark(schema, island);
            return {};
        }
        [[nodiscard]] std::vector<Contestant> contestants(const Island& island) const override {
            if constexpr (requires { algorithm.contestants(island); }) return algorithm.contestants(island);
            return {};
        }
        [[nodiscard]] bool has_contestants() const override {
            return requires(const Island& island) { algorithm.contestants(island); };
        }
        [[nodiscard]] std::optional<std::uint64_t> most_generations() const override {
            if constexpr (requires { algorithm.most_generations(); }) return algorithm.most_generations();
            return std::nullopt;
        }
        static constexpr bool has_archive =
            requires(const Type& its, const Schema& schema, const Island& island) {
                its.cells(schema);
                its.archive(island);
            };
        // Made once: centroids take a while. They follow from the algorithm and the columns alone.
        [[nodiscard]] std::shared_ptr<const Cells> cells(const Schema& schema) const override {
            if constexpr (has_archive) {
                const std::scoped_lock lock{made_mutex};
                if (!made || made_for != schema) {
                    made = algorithm.cells(schema);
                    made_for = schema;
                }
                return made;
            }
            return nullptr;
        }
        mutable std::mutex made_mutex{};
        mutable std::shared_ptr<const Cells> made{};
        mutable Schema made_for{Objective::minimise};
        [[nodiscard]] bool keeps_archive() const override { return has_archive; }
        [[nodiscard]] const Archive* archive(const Island& island) const override {
            if constexpr (has_archive) return &algorithm.archive(island);
            return nullptr;
        }
        void begin(const Context& context, Island& island) const override {
            if constexpr (has_archive)
                algorithm.begin(context, island, cells(context.problem.schema()));
            else if constexpr (requires { algorithm.begin(island); })
                algorithm.begin(island);
        }
        [[nodiscard]] bool take_up(const Schema& schema, Island& island) const override {
            if constexpr (has_archive) return algorithm.take_up(schema, island, cells(schema));
            return true;
        }
        bool admit(const Context& context, Island& island,
                   std::span<const Population* const> arrivals) const override {
            if constexpr (requires { algorithm.admit(context, island, arrivals); }) {
                algorithm.admit(context, island, arrivals);
                return true;
            }
            return false;
        }
        void fetch([[maybe_unused]] Island& island) const override {
            if constexpr (requires { algorithm.fetch(island); }) algorithm.fetch(island);
        }
        void step(const Context& context, Island& island) const override { algorithm.step(context, island); }
        static constexpr bool together =
            requires(const Type& its, const Context& context, std::span<Island> islands) {
                its.step_together(context, islands);
            };
        [[nodiscard]] bool steps_together() const override { return together; }
        void step_together(const Context& context, std::span<Island> islands) const override {
            if constexpr (together)
                algorithm.step_together(context, islands);
            else
                for (Island& island : islands) algorithm.step(context, island);
        }
    };

    std::shared_ptr<const Model> model_;
};

} // namespace knossos
