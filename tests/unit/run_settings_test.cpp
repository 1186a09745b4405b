#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::run_settings_test {
namespace {

using test::expect_mentions;
using test::Landscape;
using test::Maximised;
using test::message_of;
using test::name_of;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

TEST(Settings, ThatNeedMoreMemoryThanThereIsAreRefusedBeforeItIsTaken) {
    Settings settings{.population = 2'000'000'000, .stop = generations(1)};
    settings.islands.count = 60'000;
    expect_mentions(message_of([&] { Evolution{Maximised{}, settings}; }),
                    {"population is 2000000000", "GB"});
}

struct Refusal {
    std::string name;
    std::function<void(Settings&)> spoil;
    std::vector<std::string_view> mentions;
    Space space = Space::bits(24);

    friend void PrintTo(const Refusal& one, std::ostream* out) { *out << one.name; }
};

const std::vector<Refusal>& refusals() {
    static const Space permutation = Space::permutation(24);
    static const std::vector<Refusal> all{
        {"EmptyPopulation", [](Settings& s) { s.population = 0; }, {"population is 0", "1.."}},
        {"HugePopulation", [](Settings& s) { s.population = ~std::size_t{0}; }, {"population is", "1.."}},
        {"HugeOffspring", [](Settings& s) { s.offspring = ~std::size_t{0}; }, {"offspring is", "0.."}},
        {"KnockoutOfAnOddNumber",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.population = 7;
         },
         {"population is 7", "even"}},
        {"DuelOfThree",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 3;
         },
         {"population is 3", "exactly 2"}},
        {"DuelWithImprovement",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.improve = HillClimb{};
         },
         {"improve", "duel"}},
        {"AnnealingWithoutTemperature",
         [](Settings& s) { s.algorithm = Annealing{.end = 0.0}; },
         {"annealing.end is 0", "above 0"}},
        {"AnnealingWithImprovement",
         [](Settings& s) {
             s.algorithm = Annealing{};
             s.improve = HillClimb{};
         },
         {"improve", "annealing"}},
        {"CrowdingOfOnlyChildren",
         [](Settings& s) {
             s.algorithm = Generational{.siblings = 1};
             s.replace = Crowding{};
         },
         {"crowding", "siblings = 2"}},
        {"ParentsAndOffspring",
         [](Settings& s) {
             s.algorithm = Generational{.parents = 0.5};
             s.replace = PlusReplacement{};
             s.offspring = 7;
         },
         {"offspring is 7", "parents = 0.5", "must be 0"}},
        {"ParentsOfNoCouple",
         [](Settings& s) {
             s.algorithm = Generational{.parents = 0.5};
             s.replace = PlusReplacement{};
             s.population = 3;
         },
         {"parents is 0.5", "population of 3", "a couple needs 2"}},
        {"ParentsWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = Generational{.parents = 0.5};
             s.replace = PlusReplacement{};
             s.operations = OperationMix{};
         },
         {"parents is 0.5", "operation mix"}},
        {"DuelWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.operations = OperationMix{};
         },
         {"operations", "duel"}},
        {"KnockoutWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.operations = OperationMix{};
         },
         {"operations", "knockout"}},
        {"DuelWithCrossover",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.recombine = UniformCrossover{};
         },
         {"recombine", "duel"}},
        {"KnockoutWithCrossover",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.recombine = UniformCrossover{};
         },
         {"recombine", "knockout"}},
        {"AnnealingWithCrossover",
         [](Settings& s) {
             s.algorithm = Annealing{};
             s.recombine = UniformCrossover{};
         },
         {"recombine", "annealing"}},
        {"AnnealingWithTooManyMoves",
         [](Settings& s) {
             s.algorithm = Annealing{.moves = 1000000};
             s.population = 10000;
         },
         {"annealing.moves is 1000000", "1..214748"}},
        {"MoveOfAProblemThatProposesNothing",
         [](Settings& s) { s.mutate = ProblemMove{}; },
         {"problem-move", "propose()"}},
        {"TournamentLargerThanThePopulation",
         [](Settings& s) { s.select = Tournament{.size = 21}; },
         {"select: tournament.size is 21", "1..20"}},
        {"ReplacementTournamentLargerThanThePopulation",
         [](Settings& s) { s.replace = ReplaceInTournament{.size = 21}; },
         {"replace: tournament.size is 21", "1..20"}},
        {"OnlyElites",
         [](Settings& s) { s.replace = GenerationalReplacement{.elites = 20}; },
         {"generational.elites is 20", "0..19"}},
        {"GenerationalWithMoreChildren",
         [](Settings& s) { s.offspring = 40; },
         {"offspring is 40", "population is 20"}},
        {"CommaWithFewerChildren",
         [](Settings& s) {
             s.replace = CommaReplacement{};
             s.offspring = 10;
         },
         {"offspring is 10", "population is 20"}},
        {"MatingTournamentOfThree",
         [](Settings& s) { s.algorithm = SteadyState{.tournament = 3}; },
         {"steady-state.tournament is 3", "4..20"}},
        {"MatingTournamentLargerThanThePopulation",
         [](Settings& s) { s.algorithm = SteadyState{.tournament = 21}; },
         {"steady-state.tournament is 21", "4..20"}},
        {"SteadyStateOfOne",
         [](Settings& s) {
             s.algorithm = SteadyState{.tournament = 0};
             s.population = 1;
             s.replace = ReplaceWorst{};
         },
         {"population is 1", "at least 2"}},
        {"SteadyStateWithGenerationalReplacement",
         [](Settings& s) { s.algorithm = SteadyState{.tournament = 0}; },
         {"offspring", "population"}},
        {"SteadyStateWithAnOperationMix",
         [](Settings& s) {
             s.algorithm = SteadyState{};
             s.operations = OperationMix{};
         },
         {"operations"}},
        {"OperationMixOfNothing",
         [](Settings& s) { s.operations = OperationMix{0.0, 0.0, 0.0}; },
         {"operations", "above 0"}},
        {"OperationMixBelowZero",
         [](Settings& s) { s.operations = OperationMix{.clone = -0.1}; },
         {"operations.clone is -0.1", "0..1"}},
        {"OperationMixThatIsNotANumber",
         [](Settings& s) { s.operations = OperationMix{.mutation = std::nan("")}; },
         {"operations.mutation is nan", "0..1"}},
        {"PermutationCrossoverOnBits",
         [](Settings& s) { s.recombine = PartiallyMatched{}; },
         {"partially-matched", "permutation", "24 bits"}},
        {"PermutationMutationOnBits",
         [](Settings& s) { s.mutate = SwapMutation{}; },
         {"swap", "permutation", "24 bits"}},
        {"SiteCrossoverOnPermutations",
         [](Settings& s) { s.recombine = TwoPoint{}; },
         {"two-point", "bits", "permutations of 24"},
         permutation},
        {"BitFlipOnPermutations",
         [](Settings& s) {
             s.recombine = Clone{};
             s.mutate = BitFlip{};
         },
         {"bit-flip", "bits", "permutations of 24"},
         permutation},
        {"CrossoverThatChangesTheNumberOfOnes",
         [](Settings& s) { s.recombine = UniformCrossover{}; },
         {"uniform", "number of ones", "24 bits with 7 ones"},
         Space::bits_with_ones(24, 7)},
        {"DuelMutationOfAnotherKind",
         [](Settings& s) {
             s.algorithm = Duel{};
             s.population = 2;
             s.mutate = SwapMutation{};
         },
         {"swap", "permutation"}},
        {"KnockoutMutationOfAnotherKind",
         [](Settings& s) {
             s.algorithm = Knockout{};
             s.mutate = SwapMutation{};
         },
         {"swap", "permutation"}},
        {"SteadyStateCrossoverOfAnotherKind",
         [](Settings& s) {
             s.algorithm = SteadyState{};
             s.recombine = CycleCrossover{};
         },
         {"cycle", "permutation"}},
        {"MuPlusLambdaMutationOfAnotherKind",
         [](Settings& s) {
             s.algorithm = MuPlusLambda{};
             s.mutate = Inversion{};
         },
         {"inversion", "permutation"}},
        {"MoreCutsThanGenes",
         [](Settings& s) { s.recombine = KPoint{.points = 24}; },
         {"k-point.points is 24", "1..23"}},
        {"MovesThatDoNotFit",
         [](Settings& s) { s.improve = Descent{.move = MoveChoice::reverse}; },
         {"descent.move", "24 bits"}},
        {"NoHallOfFame", [](Settings& s) { s.hall_of_fame = 0; }, {"hall_of_fame is 0", "at least 1"}},
        {"TooManyThreads", [](Settings& s) { s.threads = 5000; }, {"threads is 5000", "0..1024"}},
        {"NoIslands", [](Settings& s) { s.islands.count = 0; }, {"islands.count is 0", "1.."}},
        {"NoMigrationInterval",
         [](Settings& s) { s.islands = {.count = 2, .interval = 0}; },
         {"islands.interval is 0", "1.."}},
        {"MoreMigrantsThanRoom",
         [](Settings& s) { s.islands = {.count = 5, .topology = Topology::complete, .migrants = 5}; },
         {"islands.migrants is 5", "20"}},
        {"NoEvaluations", [](Settings& s) { s.stop = evaluations(0); }, {"stop.evaluations is 0", "above 0"}},
        {"NoTime", [](Settings& s) { s.stop = seconds(0.0); }, {"stop.seconds is 0", "above 0"}},
        {"NegativeTime",
         [](Settings& s) { s.stop = generations(3) && seconds(-1.0); },
         {"stop.seconds is -1", "above 0"}},
        {"NoStagnation", [](Settings& s) { s.stop = stagnation(0); }, {"stop.stagnation is 0", "above 0"}},
        {"NegativeSpread",
         [](Settings& s) { s.stop = convergence(-1.0); },
         {"stop.convergence is -1", "at least 0"}},
        {"TargetThatIsNotANumber",
         [](Settings& s) { s.stop = solved() || target(std::nan("")); },
         {"stop.target", "not a number"}},
        {"NoStopRule", [](Settings& s) { s.stop = StopRule{}; }, {"stop", "never end"}}};
    return all;
}

class BadSettings : public testing::TestWithParam<Refusal> {};
INSTANTIATE_TEST_SUITE_P(All, BadSettings, testing::ValuesIn(refusals()), name_of);

TEST_P(BadSettings, AreRefusedBeforeAnythingIsEvaluated) {
    const Landscape landscape{GetParam().space};
    Settings settings{.population = 20, .stop = generations(3)};
    GetParam().spoil(settings);
    const std::string message = message_of([&] { evolve(landscape, settings); });
    for (const std::string_view word : GetParam().mentions) expect_mentions(message, {word});
    EXPECT_EQ(landscape.gauge->evaluations, 0U);
}

TEST(BadSettings, SolvedNeedsAProblemThatKnowsItsTarget) {
    const Maximised problem;
    expect_mentions(
        message_of([&] { evolve(problem, {.population = 20, .stop = solved() || generations(3)}); }),
        {"stop.solved", "target"});
    EXPECT_EQ(*problem.calls, 0);
}

TEST(BadSettings, TheFoundingScalingOfAMaximisedProblemIsRefusedBeforeAnythingIsEvaluated) {
    for (const Selection& selection : {Selection{Roulette{.scaling = RouletteScaling::share}},
                                       Selection{StochasticUniversal{.scaling = RouletteScaling::share}}}) {
        const Maximised problem;
        expect_mentions(message_of([&] {
                            evolve(problem, {.population = 20, .select = selection, .stop = generations(3)});
                        }),
                        {"scaling", "share"});
        EXPECT_EQ(*problem.calls, 0);
    }
}

TEST(BadSettings, GenomesWithAFixedNumberOfOnesAreNotImprovedByFlips) {
    const Landscape landscape{Space::bits_with_ones(24, 7)};
    Settings settings{
        .population = 20, .improve = HillClimb{.move = MoveChoice::flip}, .stop = generations(3)};
    expect_mentions(message_of([&] { evolve(landscape, settings); }),
                    {"hill-climb.move", "24 bits with 7 ones"});
    EXPECT_EQ(landscape.gauge->evaluations, 0U);
}

} // namespace
} // namespace knossos::run_settings_test
