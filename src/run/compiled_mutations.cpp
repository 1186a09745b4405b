#include <knossos/run/compiled.hpp>

namespace knossos {

template struct Mutation::Wrapped<PointMutation>;
template struct Mutation::Wrapped<UniformMutation>;
template struct Mutation::Wrapped<BitFlip>;
template struct Mutation::Wrapped<Rotate>;
template struct Mutation::Wrapped<MoveOnes>;
template struct Mutation::Wrapped<SwapMutation>;
template struct Mutation::Wrapped<Insertion>;
template struct Mutation::Wrapped<Inversion>;
template struct Mutation::Wrapped<Scramble>;
template struct Mutation::Wrapped<ShuffleIndexes>;
template struct Mutation::Wrapped<PolynomialMutation>;
template struct Mutation::Wrapped<GaussianMutation>;
template struct Mutation::Wrapped<ProblemMove>;
template struct Mutation::Wrapped<Mixture>;

} // namespace knossos
