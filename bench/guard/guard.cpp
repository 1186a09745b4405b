#include <knossos/core/population.hpp>
#include <knossos/queens/solver.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT // nothing is counted without valgrind
#endif

/// Work whose instructions bench/guard/run counts: each piece prepares itself and then does what counts in
/// counted().
namespace {

using namespace knossos;

volatile double witness = 0.0;

template <class Work>
void counted(Work work) {
    CALLGRIND_TOGGLE_COLLECT;
    work();
    CALLGRIND_TOGGLE_COLLECT;
}

void run_recipe(const char* name, std::vector<std::string> overrides) {
    const Recipe recipe = Recipe::load(name, overrides);
    const Problem problem = recipe.problem();
    const Settings settings = recipe.settings();
    counted([&] { witness = evolve(problem, settings).fitness; });
}

/// Evaluates a batch of random genomes of a recipe's problem.
void evaluate_batch(const char* name, const std::vector<std::string>& overrides, std::size_t count) {
    const Problem problem = Recipe::load(name, overrides).problem();
    Population population{problem.space(), count};
    const Streams streams{1};
    for (std::size_t i = 0; i < count; ++i) {
        Stream stream = streams.at(Purpose::initialise, 0, static_cast<std::uint32_t>(i));
        problem.initialise(stream, population.genome(i));
    }
    std::vector<double> fitness(count * problem.schema().size());
    counted([&] { problem.evaluate(population.batch(), fitness); });
    witness = fitness.back();
}

struct Piece {
    std::string_view name;
    void (*work)();
};

const Piece pieces[] = {
    {"one-max, 20 generations of 1,000",
     [] {
         run_recipe("one-max", {"algorithm.population=1000", "problem.length=1000", "stop.solved=false",
                                "stop.generations=20"});
     }},
    {"pmx-queens 64, 30 generations",
     [] { run_recipe("pmx-queens", {"problem.n=64", "stop.solved=false", "stop.generations=30"}); }},
    // So long that most of it is what a settled population does.
    {"pmx-queens 32, 300 generations",
     [] { run_recipe("pmx-queens", {"problem.n=32", "stop.solved=false", "stop.generations=300"}); }},
    {"pmx-queens 100, 300 generations",
     [] { run_recipe("pmx-queens", {"problem.n=100", "stop.solved=false", "stop.generations=300"}); }},
    {"roulette-queens, 30 generations",
     [] { run_recipe("roulette-queens", {"stop.solved=false", "stop.generations=30"}); }},
    {"duel-queens, 20,000 rounds",
     [] { run_recipe("duel-queens", {"stop.solved=false", "stop.generations=200"}); }},
    {"knockout-queens, 100 generations",
     [] { run_recipe("knockout-queens", {"stop.solved=false", "stop.generations=100"}); }},
    {"memetic-queens 32, 5 generations",
     [] { run_recipe("memetic-queens", {"problem.n=32", "stop.solved=false", "stop.generations=5"}); }},
    {"maze-direct, 1,000 mating events", [] { run_recipe("maze-direct", {"stop.evaluations=2000"}); }},
    {"maze, 2,000 steps of annealing", [] { run_recipe("maze", {"stop.evaluations=2000"}); }},
    {"maze-automaton, 500 evaluations", [] { run_recipe("maze-automaton", {"stop.evaluations=500"}); }},
    {"conflicts of 20,000 boards of 8", [] { evaluate_batch("pmx-queens", {"problem.n=8"}, 20'000); }},
    {"conflicts of 5,000 boards of 64", [] { evaluate_batch("pmx-queens", {"problem.n=64"}, 5'000); }},
    {"conflicts of 200 boards of 1,000", [] { evaluate_batch("pmx-queens", {"problem.n=1000"}, 200); }},
    {"exit paths of 1,024 mazes", [] { evaluate_batch("maze-direct", {"problem.fill=0.3"}, 1'024); }},
    {"reconvergence of 256 mazes",
     [] {
         evaluate_batch("maze-direct",
                        {"problem.fill=0.3", "problem.fitness=reconvergence",
                         "problem.checkpoints=\"4,4 9,2 15,15 3,17\""},
                        256);
     }},
    {"wishes of 1,024 mazes",
     [] {
         evaluate_batch("maze-direct",
                        {"problem.fill=0.3",
                         "problem.goal='path 60..80, dead-ends 5..9, loops 2..4, sealed ..10, "
                         "openness ..0.4, rotation 0.6..'"},
                        1'024);
     }},
    {"pockets of 1,024 mazes",
     [] { evaluate_batch("maze-direct", {"problem.fill=0.4", "problem.goal='pockets 3..6'"}, 1'024); }},
    {"diameters of 64 mazes",
     [] { evaluate_batch("maze-direct", {"problem.fill=0.3", "problem.goal='diameter 60..80'"}, 64); }},
    {"first solution of 10,000 queens",
     [] { counted([] { witness = static_cast<double>(queens::solve(10'000, Streams{1}).evaluations); }); }},
    {"ten recipes read",
     [] {
         counted([] {
             for (int i = 0; i < 10; ++i) witness = static_cast<double>(Recipe::load("pmx-queens").seed());
         });
     }},
};

} // namespace

int main(int count, char** words) {
    try {
        for (const Piece& piece : pieces) {
            if (count == 1) std::printf("%.*s\n", static_cast<int>(piece.name.size()), piece.name.data());
            if (count == 2 && piece.name == words[1]) {
                piece.work();
                return 0;
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "guard: %s\n", error.what());
        return 3;
    }
    if (count == 1) return 0;
    std::fprintf(stderr, "guard: there is no such piece of work\n");
    return 2;
}
