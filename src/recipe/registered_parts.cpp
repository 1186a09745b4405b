#include "registered.hpp"

namespace knossos {

const std::vector<Entry<Selection>>& selections() {
    static const std::vector<Entry<Selection>> entries{
        part<Selection, Tournament>("the best of a few drawn at random"),
        part<Selection, Roulette>("in proportion to fitness, one spin per draw"),
        part<Selection, StochasticUniversal>("in proportion to fitness, one spin for all draws"),
        part<Selection, LinearRank>("by rank, chances falling linearly"),
        part<Selection, ExponentialRank>("by rank, chances falling geometrically"),
        part<Selection, Truncation>("only the fittest fraction, each in turn"),
        part<Selection, RandomSelection>("everybody alike"),
        part<Selection, BestSelection>("always the fittest"),
    };
    return entries;
}

const std::vector<Entry<Improvement>>& improvements() {
    static const std::vector<Entry<Improvement>> entries{
        part<Improvement, HillClimb>("tries random moves and keeps the better"),
        part<Improvement, Descent>("takes every better move until there is none"),
    };
    return entries;
}

const std::vector<Entry<Replacement>>& replacements() {
    static const std::vector<Entry<Replacement>> entries{
        part<Replacement, GenerationalReplacement>("children replace everybody but a few elites"),
        part<Replacement, PlusReplacement>("the best of parents and children stay"),
        part<Replacement, CommaReplacement>("the best children stay"),
        part<Replacement, ReplaceWorst>("each child replaces the worst"),
        part<Replacement, ReplaceInTournament>("each child replaces the worst of a few drawn at random"),
        part<Replacement, Crowding>("each child competes with the more similar parent"),
    };
    return entries;
}

const std::vector<Entry<Algorithm>>& algorithms() {
    static const std::vector<Entry<Algorithm>> entries{
        part<Algorithm, Generational>("whole generations, by the stages"),
        part<Algorithm, SteadyState>("one mating event at a time"),
        part<Algorithm, MuPlusLambda>("random parents; parents and children compete"),
        part<Algorithm, Duel>("two individuals; the loser becomes a mutant of the winner"),
        part<Algorithm, Knockout>("matches of two; winners go on with one mutant each"),
        part<Algorithm, Annealing>("walkers that take worse mutants ever more rarely"),
    };
    return entries;
}

} // namespace knossos
