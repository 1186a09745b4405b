#include "support.hpp"

#include <knossos/operators/improvement.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace knossos::improvement_test {
namespace {

using test::expect_mentions;
using test::GeneList;
using test::Individual;
using test::message_of;
using test::stream_for;

// Rugged, integral and cheap: a table of weights for pairs of neighbouring genes.
std::int64_t weight(std::size_t position, std::uint32_t gene, std::uint32_t next) {
    const PhiloxBlock block = philox4x32({static_cast<std::uint32_t>(position), gene, next, 1}, {2, 3});
    return block[0] % 100;
}

template <class View>
std::int64_t total_weight(const View& genes) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < genes.size(); ++i)
        total += weight(i, static_cast<std::uint32_t>(genes[i]),
                        static_cast<std::uint32_t>(genes[(i + 1) % genes.size()]));
    return total;
}

template <Objective direction>
struct Plain {
    Space its_space;
    static constexpr Objective objective = direction;
    [[nodiscard]] Space space() const { return its_space; }
    template <class View>
    [[nodiscard]] double evaluate(View genome) const {
        return static_cast<double>(total_weight(genome));
    }
};

// Prices a move on a copy of its own, and so notices if it isn't told of every move.
template <Objective direction>
struct Tracked : Plain<direction> {
    struct Tracker {
        GeneList genes;

        template <class View>
        double start(View genome) {
            genes.resize(genome.size());
            for (std::size_t i = 0; i < genome.size(); ++i) genes[i] = static_cast<std::uint32_t>(genome[i]);
            return static_cast<double>(total_weight(genes));
        }
        static void make(GeneList& genes, Flip move) { genes[move.position] ^= 1U; }
        static void make(GeneList& genes, Assign move) { genes[move.position] = move.value; }
        static void make(GeneList& genes, Swap move) { std::swap(genes[move.first], genes[move.second]); }
        static void make(GeneList& genes, Reverse move) {
            std::reverse(genes.begin() + static_cast<std::ptrdiff_t>(move.first),
                         genes.begin() + static_cast<std::ptrdiff_t>(move.last) + 1);
        }
        template <class Move>
        double delta(Move move) const {
            GeneList moved = genes;
            make(moved, move);
            return static_cast<double>(total_weight(moved) - total_weight(genes));
        }
        template <class Move>
        void apply(Move move) {
            make(genes, move);
        }
    };
    [[nodiscard]] Tracker tracker() const { return {}; }
};

std::vector<MoveChoice> moves_on(const Space& space) {
    switch (space.kind) {
    case GenomeKind::bits:
        return {MoveChoice::automatic, MoveChoice::flip};
    case GenomeKind::permutation:
        return {MoveChoice::automatic, MoveChoice::swap, MoveChoice::reverse};
    default:
        return {MoveChoice::automatic, MoveChoice::assign};
    }
}

struct Outcome {
    Individual genome;
    Improved improved;
};

Outcome improve(const Improvement& improvement, const Problem& problem, Individual genome,
                std::uint64_t seed) {
    Stream stream = stream_for(seed, 1);
    const auto deltas = problem.deltas();
    const Improved improved =
        improvement.improve(stream, *deltas, problem.space(), problem.objective(), genome.bytes());
    return {std::move(genome), improved};
}

TEST(HillClimb, CountsTheStartAndEveryAttempt) {
    const Space space = Space::bits(20);
    Stream stream = stream_for(1);
    const Individual before{space, stream};
    for (const std::uint32_t attempts : {1U, 7U, 100U})
        EXPECT_EQ(improve(HillClimb{.attempts = attempts}, Plain<Objective::minimise>{space}, before, 1)
                      .improved.evaluations,
                  attempts + 1);
}

struct Flat {
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] static Space space() { return Space::bits(50); }
    [[nodiscard]] static double evaluate(BitView) { return 1.0; }
};

TEST(HillClimb, DriftsOverPlainsOnlyIfItMay) {
    const Individual before{Flat::space()};
    EXPECT_EQ(improve(HillClimb{}, Flat{}, before, 1).genome, before);
    EXPECT_FALSE(improve(HillClimb{.accept_equal = true}, Flat{}, before, 1).genome == before);
}

template <class Move>
bool is_better(const Problem& problem, const Individual& genome, double fitness, Move move) {
    Individual copy = genome;
    const auto deltas = problem.deltas();
    deltas->start(copy.bytes());
    return better(problem.objective(), deltas->evaluate(move), fitness);
}

bool has_better_neighbour(const Problem& problem, MoveKind kind, const Outcome& outcome) {
    const Space& space = problem.space();
    for (std::size_t i = 0; i < space.length; ++i) {
        const double fitness = outcome.improved.fitness;
        if (kind == MoveKind::flip && is_better(problem, outcome.genome, fitness, Flip{i})) return true;
        for (std::uint32_t value = 0; kind == MoveKind::assign && value < space.alphabet; ++value)
            if (is_better(problem, outcome.genome, fitness, Assign{i, value})) return true;
        for (std::size_t j = i + 1; j < space.length; ++j) {
            if (kind == MoveKind::swap && is_better(problem, outcome.genome, fitness, Swap{i, j}))
                return true;
            if (kind == MoveKind::reverse && is_better(problem, outcome.genome, fitness, Reverse{i, j}))
                return true;
        }
    }
    return false;
}

TEST(Descent, EndsWhereNoMoveIsBetter) {
    for (const Space& space : {Space::bits(25), Space::packed(12, 5), Space::integers(12, 7),
                               Space::permutation(6), Space::permutation(12), Space::permutation(25)})
        for (const MoveChoice move : moves_on(space)) {
            std::uint64_t unfinished = 0;
            for (std::uint64_t seed = 0; seed < test::seeds(40); ++seed) {
                const Problem problem = Plain<Objective::minimise>{space};
                Stream stream = stream_for(seed);
                const Outcome outcome =
                    improve(Descent{.move = move}, problem, Individual{space, stream}, seed);
                ASSERT_LT(outcome.improved.evaluations, 1'000'000U);
                if (has_better_neighbour(problem, move_kind(move, space), outcome)) ++unfinished;
            }
            EXPECT_EQ(unfinished, 0U) << describe(space) << ", move " << static_cast<int>(move);
        }
}

TEST(Descent, LooksAtNoMorePricesThanItsLimit) {
    const Space space = Space::permutation(30);
    for (const std::uint64_t limit : {1ULL, 2ULL, 10ULL, 435ULL, 1000ULL}) {
        Stream stream = stream_for(limit);
        const Outcome outcome = improve(Descent{.limit = limit}, Plain<Objective::minimise>{space},
                                        Individual{space, stream}, limit);
        EXPECT_LE(outcome.improved.evaluations, limit);
    }
}

TEST(Improvement, IsWantedAsOftenAsItsProbabilitySays) {
    for (const double probability : {0.0, 0.3, 1.0}) {
        for (const Improvement& improvement : {Improvement{HillClimb{.probability = probability}},
                                               Improvement{Descent{.probability = probability}}}) {
            std::uint64_t wanted = 0;
            for (std::uint32_t slot = 0; slot < 5000; ++slot) {
                Stream stream = stream_for(2, slot);
                wanted += improvement.wanted(stream) ? 1U : 0U;
            }
            test::expect_rate(wanted, 5000, probability);
        }
    }
}

TEST(Improvement, AutomaticTakesTheMoveThatFitsTheGenome) {
    EXPECT_EQ(move_kind(MoveChoice::automatic, Space::bits(3)), MoveKind::flip);
    EXPECT_EQ(move_kind(MoveChoice::automatic, Space::packed(3, 3)), MoveKind::assign);
    EXPECT_EQ(move_kind(MoveChoice::automatic, Space::integers(3, 3)), MoveKind::assign);
    EXPECT_EQ(move_kind(MoveChoice::automatic, Space::permutation(3)), MoveKind::swap);
    EXPECT_EQ(move_kind(MoveChoice::reverse, Space::permutation(3)), MoveKind::reverse);
}

TEST(Improvement, RefusesMovesThatDoNotFit) {
    const auto refused = [](MoveChoice move, const Space& space) {
        const Problem plain = Plain<Objective::minimise>{space};
        const Problem tracked = Tracked<Objective::minimise>{{space}};
        for (const Problem& problem : {plain, tracked}) {
            expect_mentions(message_of([&] { Improvement{HillClimb{.move = move}}.check(problem); }),
                            {"hill-climb.move", describe(space)});
            expect_mentions(message_of([&] { Improvement{Descent{.move = move}}.check(problem); }),
                            {"descent.move", describe(space)});
        }
    };
    refused(MoveChoice::flip, Space::permutation(9));
    refused(MoveChoice::assign, Space::permutation(9));
    refused(MoveChoice::swap, Space::integers(9, 4));
    refused(MoveChoice::reverse, Space::bits(9));
    refused(MoveChoice::assign, Space::bits(9));
    refused(MoveChoice::flip, Space::packed(9, 4));
}

// A tracker that knows one kind of move only.
struct SwapsOnly : Plain<Objective::minimise> {
    struct Tracker {
        template <class View>
        double start(View) {
            return 0.0;
        }
        double delta(Swap) const { return 0.0; }
        void apply(Swap) {}
    };
    [[nodiscard]] static Tracker tracker() { return {}; }
};

TEST(Improvement, RefusesMovesThatTheProblemsTrackerDoesNotKnow) {
    const Problem problem = SwapsOnly{{Space::permutation(9)}};
    EXPECT_NO_THROW(Improvement{HillClimb{}}.check(problem));
    expect_mentions(message_of([&] { Improvement{HillClimb{.move = MoveChoice::reverse}}.check(problem); }),
                    {"hill-climb.move"});
}

// A flip alone would change the number of ones; either nothing does, or it is refused before the run.
TEST(Improvement, DoesNotChangeTheNumberOfOnes) {
    const Space space = Space::bits_with_ones(20, 6);
    const Problem problem = Plain<Objective::minimise>{space};
    for (const Improvement& improvement : {Improvement{HillClimb{}}, Improvement{Descent{}}}) {
        try {
            improvement.check(problem);
        } catch (const InvalidInput&) {
            continue;
        }
        Stream stream = stream_for(1);
        EXPECT_TRUE(improve(improvement, problem, Individual{space, stream}, 1).genome.valid());
    }
}

TEST(Improvement, RefusesFieldsOutOfRange) {
    for (const double bad : {-0.1, 1.5, std::nan("")}) {
        expect_mentions(message_of([&] { Improvement{HillClimb{.probability = bad}}; }),
                        {"hill-climb.probability", "0..1"});
        expect_mentions(message_of([&] { Improvement{Descent{.probability = bad}}; }),
                        {"descent.probability", "0..1"});
    }
    expect_mentions(message_of([] { Improvement{HillClimb{.attempts = 0}}; }),
                    {"hill-climb.attempts is 0", "1.."});
    expect_mentions(message_of([] { Improvement{Descent{.limit = 0}}; }), {"descent.limit is 0", "1.."});
}

} // namespace
} // namespace knossos::improvement_test
