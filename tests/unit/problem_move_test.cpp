#include "run_support.hpp"

#include <knossos/operators/problem_move.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace knossos::problem_move_test {
namespace {

/// Proposes changes, and does not say of what kinds.
struct Plain {
    static constexpr auto objective = Objective::maximise;
    static Space space() { return Space::bits(5); }
    static double evaluate(BitView bits) { return bits[0] ? 1.0 : 0.0; }
    static bool propose(Stream& /*stream*/, Bits genome) {
        genome.flip(0);
        return true;
    }
};

/// Has two kinds of change, and one that is made where it is named.
struct Choosy {
    static constexpr auto objective = Objective::maximise;
    static Space space() { return Space::bits(5); }
    static double evaluate(BitView bits) { return bits[0] ? 1.0 : 0.0; }
    static std::vector<std::string> moves() { return {"set", "nothing"}; }
    static std::vector<std::string> further_moves() { return {"fill"}; }
    static bool propose(Stream& stream, Bits genome) { return propose(stream, genome, 0); }
    static bool propose(Stream& stream, Bits genome, std::uint32_t move) {
        if (move == 2) std::ranges::fill(genome.words(), 0x15U);
        if (move == 0) genome.flip(stream.below(static_cast<std::uint32_t>(genome.size())));
        return true;
    }
};

TEST(ProblemMove, MakesTheMovesThatAreNamed) {
    const Problem problem = Choosy{};
    EXPECT_EQ(ProblemMove{}.bind(problem).kinds(), (std::vector<std::string>{"set", "nothing"}));
    const ProblemMove named = ProblemMove{.moves = "fill, nothing"}.bind(problem);
    EXPECT_EQ(named.kinds(), (std::vector<std::string>{"fill", "nothing"}));
    std::size_t filled = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
        std::uint64_t word = 0;
        const Bits genome{&word, 5};
        Stream stream = test::stream_for(5, i);
        (void)named.change(stream, genome, 1);
        EXPECT_EQ(word, 0U);
        (void)named(stream, genome); // one of them by chance
        EXPECT_TRUE(word == 0U || word == 0x15U);
        filled += word != 0U ? 1U : 0U;
        (void)named.change(stream, genome, 0);
        EXPECT_EQ(word, 0x15U);
    }
    EXPECT_GT(filled, 60U);
    EXPECT_LT(filled, 140U);
    const auto refused = [&](const std::string& moves, const Problem& its) {
        return test::message_of([&] { (void)ProblemMove{.moves = moves}.bind(its); });
    };
    EXPECT_EQ(refused("sett", problem),
              "mutate: problem-move.moves names 'sett', which is no move of the problem; did you mean set?");
    EXPECT_EQ(refused("zzzzzzzz", problem),
              "mutate: problem-move.moves names 'zzzzzzzz', which is no move of the "
              "problem; there are set, nothing, fill");
    EXPECT_EQ(refused("set, set", problem), "mutate: problem-move.moves names set twice");
    EXPECT_EQ(refused("set", Problem{Plain{}}),
              "mutate: problem-move.moves names 'set', but the problem does not tell its moves apart; leave "
              "it empty");
}

} // namespace
} // namespace knossos::problem_move_test
