// GAlib 2.4.7 (Debian's libga-dev) at its best: simple GA with elitism, tournament, PMX and swap on an array
// of integers; bits with two-point crossover and flips. Population 300, or 1,000 for one-max; crossover 0.9;
// 0.01 of the genes swapped (one-max: 0.001 flipped); no scaling: the best of scaled or not and rates of
// 0.002 to 0.05 for solving n = 32. No statistics are kept or written.
//     galib queens N EVALUATIONS SEED | galib one-max LENGTH EVALUATIONS SEED | galib solve N EVALUATIONS
//     SEED
#include "queens_count.hpp"

#include <ga/ga.h>
#include <ga/std_stream.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

long evaluations = 0;
int size = 0;
std::vector<int> counters;

float conflicts(GAGenome& genome) {
    ++evaluations;
    const auto& queens = static_cast<GA1DArrayGenome<int>&>(genome);
    return static_cast<float>(conflicting_pairs<true>(queens, size, counters));
}

float ones(GAGenome& genome) {
    ++evaluations;
    const auto& bits = static_cast<GA1DBinaryStringGenome&>(genome);
    int count = 0;
    for (int i = 0; i < size; ++i) count += bits.gene(i);
    return static_cast<float>(count);
}

void shuffle(GAGenome& genome) {
    auto& queens = static_cast<GA1DArrayGenome<int>&>(genome);
    for (int i = 0; i < size; ++i) queens.gene(i, i);
    for (int i = size - 1; i > 0; --i) queens.swap(i, GARandomInt(0, i));
}

} // namespace

int main(int count, char** words) {
    if (count != 5) return 2;
    size = std::atoi(words[2]);
    const long budget = std::atol(words[3]);
    GARandomSeed(static_cast<unsigned>(std::atoi(words[4])));
    const bool queens = std::strcmp(words[1], "one-max") != 0;
    const bool until_solved = std::strcmp(words[1], "solve") == 0;
    GA1DArrayGenome<int> board(static_cast<unsigned>(size), conflicts);
    board.initializer(shuffle);
    board.crossover(GA1DArrayGenome<int>::PartialMatchCrossover);
    board.mutator(GA1DArrayGenome<int>::SwapMutator);
    GA1DBinaryStringGenome bits(static_cast<unsigned>(size), ones);
    bits.crossover(GA1DBinaryStringGenome::TwoPointCrossover);
    bits.mutator(GA1DBinaryStringGenome::FlipMutator);
    GASimpleGA ga(queens ? static_cast<GAGenome&>(board) : static_cast<GAGenome&>(bits));
    ga.populationSize(queens ? 300 : 1000);
    ga.pCrossover(0.9F);
    ga.pMutation(queens ? 0.01F : 0.001F); // per gene
    if (queens)
        ga.minimize();
    else
        ga.maximize();
    GATournamentSelector selector;
    ga.selector(selector);
    GANoScaling unscaled;
    ga.scaling(unscaled);
    ga.elitist(gaTrue);
    ga.scoreFrequency(0);
    ga.flushFrequency(0);
    const std::clock_t start = std::clock();
    ga.initialize();
    while (evaluations < budget) {
        ga.step();
        if (until_solved && ga.population().best().score() == 0.0F) break;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %.6f %g\n", evaluations, seconds, static_cast<double>(ga.population().best().score()));
}
