// gapp 1.0 (github.com/KRM7/gapp, no package of Debian: bench/peers/run --gapp FOLDER takes a checkout), one
// thread, population 300: with its defaults, or with PMX 0.9, tournaments of 10 and swaps in half of the
// children, which solved n = 100 best. It evaluates no child that equals a parent, as Knossos does for this
// problem, so what is counted are children bred.
//     gapp default|pmx N CHILDREN SEED
#include "queens_count.hpp"

#include <gapp.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

class Queens final : public gapp::FitnessFunctionBase<gapp::PermutationGene> {
  public:
    explicit Queens(std::size_t n) : FitnessFunctionBase{n}, size_{static_cast<int>(n)} {}

  private:
    gapp::FitnessVector invoke(const gapp::Candidate<gapp::PermutationGene>& board) const override {
        static thread_local std::vector<int> counters;
        return {-static_cast<double>(conflicting_pairs<true>(board.chromosome, size_, counters))};
    }

    int size_;
};

} // namespace

int main(int count, char** words) {
    if (count != 5) return 2;
    constexpr std::size_t population = 300;
    const auto generations = static_cast<std::size_t>(std::atol(words[3])) / population;
    gapp::execution_threads(1);
    gapp::rng::prng.seed(static_cast<std::size_t>(std::atol(words[4])));
    gapp::PermutationGA ga{population};
    if (std::strcmp(words[1], "pmx") == 0) {
        ga.algorithm(gapp::algorithm::SingleObjective{gapp::selection::Tournament{10}});
        ga.crossover_method(gapp::crossover::perm::PMX{0.9});
        ga.mutation_method(gapp::mutation::perm::Swap2{0.5});
    }
    const std::clock_t start = std::clock();
    const auto solutions = ga.solve(Queens{static_cast<std::size_t>(std::atol(words[2]))}, generations);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%zu %.6f %g\n", population * generations, seconds, -solutions[0].fitness[0]);
}
