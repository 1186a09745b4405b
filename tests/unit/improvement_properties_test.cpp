// Walks the registered improvements: see operator_properties.hpp.

#include "operator_properties.hpp"

namespace knossos::improvement_properties_test {
namespace {

using namespace operator_properties;

// Rugged and integral: each position has a worth for each gene.
std::int64_t worth(std::size_t position, std::uint32_t gene) {
    const std::uint64_t mixed = (position * 0x9E3779B97F4A7C15U + gene) * 0xD1342543DE82EF95U;
    return static_cast<std::int64_t>(mixed >> 40U) % 100;
}

template <class View>
std::int64_t total_worth(const View& genes) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < genes.size(); ++i) total += worth(i, static_cast<std::uint32_t>(genes[i]));
    return total;
}

template <Objective direction>
struct Plain {
    Space its_space;
    static constexpr Objective objective = direction;
    [[nodiscard]] Space space() const { return its_space; }
    template <class View>
    [[nodiscard]] double evaluate(View genome) const {
        return static_cast<double>(total_worth(genome));
    }
};

// Prices a move from a copy of its own, and so notices if it isn't told of every move.
template <Objective direction>
struct Tracked : Plain<direction> {
    struct Tracker {
        GeneList genes;

        template <class View>
        double start(View genome) {
            genes.resize(genome.size());
            for (std::size_t i = 0; i < genome.size(); ++i) genes[i] = static_cast<std::uint32_t>(genome[i]);
            return static_cast<double>(total_worth(genes));
        }
        [[nodiscard]] std::int64_t change(std::size_t position, std::uint32_t gene) const {
            return worth(position, gene) - worth(position, genes[position]);
        }
        [[nodiscard]] double delta(Flip move) const {
            return static_cast<double>(change(move.position, genes[move.position] ^ 1U));
        }
        [[nodiscard]] double delta(Assign move) const {
            return static_cast<double>(change(move.position, move.value));
        }
        [[nodiscard]] double delta(Swap move) const {
            return static_cast<double>(change(move.first, genes[move.second]) +
                                       change(move.second, genes[move.first]));
        }
        [[nodiscard]] double delta(Reverse move) const {
            std::int64_t total = 0;
            for (std::size_t i = move.first; i <= move.last; ++i)
                total += change(i, genes[move.first + move.last - i]);
            return static_cast<double>(total);
        }
        void apply(Flip move) { genes[move.position] ^= 1U; }
        void apply(Assign move) { genes[move.position] = move.value; }
        void apply(Swap move) { std::swap(genes[move.first], genes[move.second]); }
        void apply(Reverse move) {
            std::reverse(genes.begin() + static_cast<std::ptrdiff_t>(move.first),
                         genes.begin() + static_cast<std::ptrdiff_t>(move.last) + 1);
        }
    };
    [[nodiscard]] Tracker tracker() const { return {}; }
};

struct Climbed {
    Individual genome;
    Improved improved;
};

Climbed climbed(const Improvement& improvement, const Problem& problem, Individual genome,
                std::uint64_t seed) {
    Stream stream = stream_for(seed, 1);
    const auto deltas = problem.deltas();
    const Improved improved =
        improvement.improve(stream, *deltas, problem.space(), problem.objective(), genome.bytes());
    return {std::move(genome), improved};
}

template <Objective direction>
void expect_improvement(const Improvement& improvement, const Space& space, std::uint64_t seed) {
    const Problem tracked = Tracked<direction>{{space}};
    if (!accepted([&] { improvement.check(tracked); })) return;
    Stream stream = stream_for(seed);
    const Individual before{space, stream};
    const Climbed fast = climbed(improvement, tracked, before, seed);
    ASSERT_TRUE(fast.genome.valid());
    ASSERT_EQ(fast.improved.fitness, static_cast<double>(total_worth(fast.genome.genes())));
    ASSERT_FALSE(better(direction, static_cast<double>(total_worth(before.genes())), fast.improved.fitness));
    ASSERT_GE(fast.improved.evaluations, 1U);
    if (space.length > 33) return; // full evaluation takes the square of the length
    const Climbed slow = climbed(improvement, Plain<direction>{space}, before, seed);
    ASSERT_EQ(slow.genome, fast.genome);
    ASSERT_EQ(slow.improved.fitness, fast.improved.fitness);
    ASSERT_EQ(slow.improved.evaluations, fast.improved.evaluations);
}

class RegisteredImprovement : public testing::TestWithParam<Entry<Improvement>> {};

TEST_P(RegisteredImprovement, NeverMakesAGenomeWorseHoweverMovesArePriced) {
    for (const std::size_t length : sizes)
        for (const Space& space : spaces_of(length))
            for (Values values : variants_of(GetParam().info)) {
                // A million evaluations for each genome would take minutes.
                if (values.contains("limit"))
                    values["limit"] = std::min(std::get<std::int64_t>(values["limit"]), std::int64_t{3000});
                const Improvement improvement = GetParam().make(values);
                const bool reversing = values.contains("move") && word(values, "move") == "reverse";
                if (reversing && length > 129) continue; // each after takes the length of the stretch
                for (std::uint64_t seed = 0; seed < (length < 33 ? test::seeds(8) : 1); ++seed) {
                    SCOPED_TRACE(said(GetParam().info, values) + " on " + said(space) + ", seed " +
                                 std::to_string(seed));
                    if (seed % 2 == 0)
                        expect_improvement<Objective::minimise>(improvement, space, seed);
                    else
                        expect_improvement<Objective::maximise>(improvement, space, seed);
                    if (HasFatalFailure()) return;
                }
            }
}

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredImprovement,
                         testing::ValuesIn(Registry::built_in().improvements()), test_name<Improvement>);

} // namespace
} // namespace knossos::improvement_properties_test
