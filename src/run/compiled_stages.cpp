#include <knossos/run/compiled.hpp>

namespace knossos {

template struct Selection::Wrapped<Tournament>;
template struct Selection::Wrapped<Roulette>;
template struct Selection::Wrapped<StochasticUniversal>;
template struct Selection::Wrapped<LinearRank>;
template struct Selection::Wrapped<ExponentialRank>;
template struct Selection::Wrapped<Truncation>;
template struct Selection::Wrapped<RandomSelection>;
template struct Selection::Wrapped<BestSelection>;

template struct Improvement::Wrapped<HillClimb>;
template struct Improvement::Wrapped<Descent>;

template struct Replacement::Wrapped<GenerationalReplacement>;
template struct Replacement::Wrapped<PlusReplacement>;
template struct Replacement::Wrapped<CommaReplacement>;
template struct Replacement::Wrapped<ReplaceWorst>;
template struct Replacement::Wrapped<ReplaceInTournament>;
template struct Replacement::Wrapped<Crowding>;

template struct Algorithm::Wrapped<Generational>;
template struct Algorithm::Wrapped<SteadyState>;
template struct Algorithm::Wrapped<MuPlusLambda>;
template struct Algorithm::Wrapped<Nsga2>;
template struct Algorithm::Wrapped<Duel>;
template struct Algorithm::Wrapped<Knockout>;
template struct Algorithm::Wrapped<Annealing>;
template struct Algorithm::Wrapped<DifferentialEvolution>;
template struct Algorithm::Wrapped<MapElites>;
template struct Algorithm::Wrapped<Chosen>;

} // namespace knossos
