#include "registered.hpp"

namespace knossos {

const std::vector<Entry<Mutation>>& mutations() {
    static const std::vector<Entry<Mutation>> entries{
        part<Mutation, PointMutation>("changes one random gene (bits, integers)"),
        part<Mutation, UniformMutation>("changes each gene with a probability (bits, integers)"),
        part<Mutation, BitFlip>("flips each bit with probability 1/length or as given (bits)"),
        part<Mutation, Rotate>("turns the genome by a random number of places (any genome)"),
        part<Mutation, MoveOnes>("moves some ones to zeros, keeping their number (bits)"),
        part<Mutation, SwapMutation>("exchanges two positions (permutations)"),
        part<Mutation, Insertion>("moves one gene elsewhere (permutations)"),
        part<Mutation, Inversion>("turns a stretch round (permutations)"),
        part<Mutation, Scramble>("shuffles a stretch (permutations)"),
        part<Mutation, ShuffleIndexes>("exchanges each position with a probability (permutations)"),
        part<Mutation, ProblemMove>("whatever the problem itself proposes"),
    };
    return entries;
}

} // namespace knossos
