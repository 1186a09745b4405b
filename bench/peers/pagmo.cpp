// pagmo2 (Debian's libpagmo-dev): simple genetic algorithm on integers, tournament of 2, crossover 0.9,
// uniform mutation; population 300, or 1,000 for one-max. To count evaluations per second single-point
// crossover, the quickest, and 0.02 of the genes mutated (one-max: one gene); to solve binomial crossover and
// 0.06 of them, the best of 3 crossovers, tournaments of 2, 3 and 10 and rates of 0.005 to 0.06 at n = 32.
//     pagmo queens N EVALUATIONS SEED | pagmo one-max LENGTH EVALUATIONS SEED | pagmo solve N EVALUATIONS
//     SEED
#include "queens_count.hpp"

#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

struct Queens {
    int n = 8;
    pagmo::vector_double fitness(const pagmo::vector_double& x) const {
        static thread_local std::vector<int> counters;
        return {static_cast<double>(conflicting_pairs<false>(x, n, counters))};
    }
    std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
        const auto size = static_cast<std::size_t>(n);
        return {pagmo::vector_double(size, 0.0), pagmo::vector_double(size, n - 1.0)};
    }
    pagmo::vector_double::size_type get_nix() const { return static_cast<std::size_t>(n); }
};

struct OneMax {
    int n = 1000;
    pagmo::vector_double fitness(const pagmo::vector_double& x) const {
        double ones = 0.0;
        for (const double bit : x) ones += bit;
        return {-ones};
    }
    std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
        const auto size = static_cast<std::size_t>(n);
        return {pagmo::vector_double(size, 0.0), pagmo::vector_double(size, 1.0)};
    }
    pagmo::vector_double::size_type get_nix() const { return static_cast<std::size_t>(n); }
};

int main(int count, char** words) {
    if (count != 5) return 2;
    const int n = std::atoi(words[2]);
    const unsigned long budget = std::strtoul(words[3], nullptr, 10);
    const auto seed = static_cast<unsigned>(std::atoi(words[4]));
    const bool until_solved = std::strcmp(words[1], "solve") == 0;
    const bool queens = until_solved || std::strcmp(words[1], "queens") == 0;
    const pagmo::problem problem = queens ? pagmo::problem{Queens{n}} : pagmo::problem{OneMax{n}};
    const unsigned size = queens ? 300 : 1000;
    // To see when the board is solved, a generation at a time.
    const unsigned generations = until_solved ? 1 : static_cast<unsigned>(budget / size);
    const double mutation = until_solved ? 0.06 : queens ? 0.02 : 1.0 / n;
    pagmo::algorithm algorithm{pagmo::sga(generations, 0.9, 1.0, mutation, 1.0, 2,
                                          until_solved ? "binomial" : "single", "uniform", "tournament",
                                          seed)};
    const std::clock_t start = std::clock();
    pagmo::population population{problem, size, seed};
    do population = algorithm.evolve(population);
    while (until_solved && population.champion_f()[0] > 0.0 &&
           population.get_problem().get_fevals() < budget);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%llu %.6f %g\n", population.get_problem().get_fevals(), seconds, population.champion_f()[0]);
}
