#include "registered.hpp"

namespace knossos {

std::vector<Entry<Mutation>> built_in_mutations() {
    return {
        entry<Mutation, PointMutation>("changes one random gene (bits, integers)"),
        entry<Mutation, UniformMutation>("changes each gene with a probability (bits, integers)"),
        entry<Mutation, BitFlip>("flips each bit with probability 1/length or as given (bits)"),
        entry<Mutation, Rotate>("turns the genome by a random number of places (any genome)"),
        entry<Mutation, MoveOnes>("moves some ones to zeros, keeping their number (bits)"),
        entry<Mutation, SwapMutation>("exchanges two positions (permutations)"),
        entry<Mutation, Insertion>("moves one gene elsewhere (permutations)"),
        entry<Mutation, Inversion>("turns a stretch round (permutations)"),
        entry<Mutation, Scramble>("shuffles a stretch (permutations)"),
        entry<Mutation, ShuffleIndexes>("exchanges each position with a probability (permutations)"),
        entry<Mutation, ProblemMove>("whatever the problem itself proposes"),
    };
}

} // namespace knossos
