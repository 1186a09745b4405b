#include "registered.hpp"

namespace knossos {

std::vector<Entry<Selection>> built_in_selections() {
    return {
        entry<Selection, Tournament>("the best of a few drawn at random"),
        entry<Selection, Roulette>("in proportion to fitness, one spin per draw"),
        entry<Selection, StochasticUniversal>("in proportion to fitness, one spin for all draws"),
        entry<Selection, LinearRank>("by rank, chances falling linearly"),
        entry<Selection, ExponentialRank>("by rank, chances falling geometrically"),
        entry<Selection, Truncation>("only the fittest fraction, each in turn"),
        entry<Selection, RandomSelection>("everybody alike"),
        entry<Selection, BestSelection>("always the fittest"),
    };
}

std::vector<Entry<Improvement>> built_in_improvements() {
    return {
        entry<Improvement, HillClimb>("tries random moves and keeps the better"),
        entry<Improvement, Descent>("takes every better move until there is none"),
    };
}

std::vector<Entry<Replacement>> built_in_replacements() {
    return {
        entry<Replacement, GenerationalReplacement>("children replace everybody but a few elites"),
        entry<Replacement, PlusReplacement>("the best of parents and children stay"),
        entry<Replacement, CommaReplacement>("the best children stay"),
        entry<Replacement, ReplaceWorst>("each child replaces the worst"),
        entry<Replacement, ReplaceInTournament>("each child replaces the worst of a few drawn at random"),
        entry<Replacement, Crowding>("each child competes with the more similar parent"),
    };
}

std::vector<Entry<Algorithm>> built_in_algorithms() {
    return {
        entry<Algorithm, Generational>("whole generations, by the stages"),
        entry<Algorithm, SteadyState>("one mating event at a time"),
        entry<Algorithm, MuPlusLambda>("random parents; parents and children compete"),
        entry<Algorithm, Nsga2>("several objectives: earlier fronts first, then the less crowded"),
        entry<Algorithm, Duel>("two individuals; the loser becomes a mutant of the winner"),
        entry<Algorithm, Knockout>("matches of two; winners go on with one mutant each"),
        entry<Algorithm, Annealing>("walkers that take worse mutants ever more rarely"),
        entry<Algorithm, DifferentialEvolution>("adds differences of individuals to individuals (reals)"),
        entry<Algorithm, MapElites>("the best of every kind: an archive of elites that differ"),
        entry<Algorithm, Chosen>("somebody chooses the parents of each generation"),
    };
}

} // namespace knossos
