#include "registered.hpp"

namespace knossos {

const std::vector<Entry<Recombination>>& recombinations() {
    static const std::vector<Entry<Recombination>> entries{
        part<Recombination, Clone>("copies of the parents (any genome)"),
        part<Recombination, OnePoint>("exchanges the tails behind one cut (bits, integers)"),
        part<Recombination, TwoPoint>("exchanges the stretch between two cuts (bits, integers)"),
        part<Recombination, KPoint>("exchanges every second stretch between k cuts (bits, integers)"),
        part<Recombination, UniformCrossover>("exchanges each gene with a probability (bits, integers)"),
        part<Recombination, PartiallyMatched>("exchanges a stretch and repairs by swaps (permutations)"),
        part<Recombination, OrderCrossover>("keeps a stretch, fills in the other's order (permutations)"),
        part<Recombination, CycleCrossover>("exchanges one cycle of positions (permutations)"),
        part<Recombination, EdgeRecombination>("walks along the parents' adjacencies (permutations)"),
        part<Recombination, PositionBased>(
            "keeps random positions, fills in the other's order (permutations)"),
    };
    return entries;
}

} // namespace knossos
