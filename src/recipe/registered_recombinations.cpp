#include "registered.hpp"

namespace knossos {

std::vector<Entry<Recombination>> built_in_recombinations() {
    return {
        entry<Recombination, Clone>("copies of the parents (any genome)"),
        entry<Recombination, OnePoint>("exchanges the tails behind one cut (bits, integers, reals)"),
        entry<Recombination, TwoPoint>("exchanges the stretch between two cuts (bits, integers, reals)"),
        entry<Recombination, KPoint>("exchanges every second stretch between k cuts (bits, integers, reals)"),
        entry<Recombination, UniformCrossover>(
            "exchanges each gene with a probability (bits, integers, reals)"),
        entry<Recombination, PartiallyMatched>("exchanges a stretch and repairs by swaps (permutations)"),
        entry<Recombination, OrderCrossover>("keeps a stretch, fills in the other's order (permutations)"),
        entry<Recombination, CycleCrossover>("exchanges one cycle of positions (permutations)"),
        entry<Recombination, EdgeRecombination>("walks along the parents' adjacencies (permutations)"),
        entry<Recombination, PositionBased>(
            "keeps random positions, fills in the other's order (permutations)"),
        entry<Recombination, SimulatedBinary>("spreads each gene about the parents' mean (reals)"),
        entry<Recombination, Blend>("draws each gene from about the parents' stretch (reals)"),
    };
}

} // namespace knossos
