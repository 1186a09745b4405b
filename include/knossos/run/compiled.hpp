#pragma once

#include <knossos/algorithms/algorithm.hpp>
#include <knossos/algorithms/map_elites.hpp>
#include <knossos/operators/crossover_permutation.hpp>
#include <knossos/operators/crossover_reals.hpp>
#include <knossos/operators/crossover_sites.hpp>
#include <knossos/operators/mixture.hpp>
#include <knossos/operators/mutation_genes.hpp>
#include <knossos/operators/mutation_permutation.hpp>
#include <knossos/operators/mutation_reals.hpp>
#include <knossos/operators/problem_move.hpp>

/// What comes with the library, behind the types that hold any operator: compiled in src/run/compiled_*.cpp,
/// once, and not again by every program that names one. What is not listed here works all the same.
namespace knossos {

extern template struct Mutation::Wrapped<PointMutation>;
extern template struct Mutation::Wrapped<UniformMutation>;
extern template struct Mutation::Wrapped<BitFlip>;
extern template struct Mutation::Wrapped<Rotate>;
extern template struct Mutation::Wrapped<MoveOnes>;
extern template struct Mutation::Wrapped<SwapMutation>;
extern template struct Mutation::Wrapped<Insertion>;
extern template struct Mutation::Wrapped<Inversion>;
extern template struct Mutation::Wrapped<Scramble>;
extern template struct Mutation::Wrapped<ShuffleIndexes>;
extern template struct Mutation::Wrapped<PolynomialMutation>;
extern template struct Mutation::Wrapped<GaussianMutation>;
extern template struct Mutation::Wrapped<ProblemMove>;
extern template struct Mutation::Wrapped<Mixture>;

extern template struct Recombination::Wrapped<Clone>;
extern template struct Recombination::Wrapped<OnePoint>;
extern template struct Recombination::Wrapped<TwoPoint>;
extern template struct Recombination::Wrapped<KPoint>;
extern template struct Recombination::Wrapped<UniformCrossover>;
extern template struct Recombination::Wrapped<PartiallyMatched>;
extern template struct Recombination::Wrapped<OrderCrossover>;
extern template struct Recombination::Wrapped<CycleCrossover>;
extern template struct Recombination::Wrapped<EdgeRecombination>;
extern template struct Recombination::Wrapped<PositionBased>;
extern template struct Recombination::Wrapped<SimulatedBinary>;
extern template struct Recombination::Wrapped<Blend>;

extern template struct Selection::Wrapped<Tournament>;
extern template struct Selection::Wrapped<Roulette>;
extern template struct Selection::Wrapped<StochasticUniversal>;
extern template struct Selection::Wrapped<LinearRank>;
extern template struct Selection::Wrapped<ExponentialRank>;
extern template struct Selection::Wrapped<Truncation>;
extern template struct Selection::Wrapped<RandomSelection>;
extern template struct Selection::Wrapped<BestSelection>;

extern template struct Improvement::Wrapped<HillClimb>;
extern template struct Improvement::Wrapped<Descent>;

extern template struct Replacement::Wrapped<GenerationalReplacement>;
extern template struct Replacement::Wrapped<PlusReplacement>;
extern template struct Replacement::Wrapped<CommaReplacement>;
extern template struct Replacement::Wrapped<ReplaceWorst>;
extern template struct Replacement::Wrapped<ReplaceInTournament>;
extern template struct Replacement::Wrapped<Crowding>;

extern template struct Algorithm::Wrapped<Generational>;
extern template struct Algorithm::Wrapped<SteadyState>;
extern template struct Algorithm::Wrapped<MuPlusLambda>;
extern template struct Algorithm::Wrapped<Nsga2>;
extern template struct Algorithm::Wrapped<Duel>;
extern template struct Algorithm::Wrapped<Knockout>;
extern template struct Algorithm::Wrapped<Annealing>;
extern template struct Algorithm::Wrapped<DifferentialEvolution>;
extern template struct Algorithm::Wrapped<MapElites>;
extern template struct Algorithm::Wrapped<Chosen>;

} // namespace knossos
