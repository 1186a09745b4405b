#include <knossos/run/compiled.hpp>

namespace knossos {

template struct Recombination::Wrapped<Clone>;
template struct Recombination::Wrapped<OnePoint>;
template struct Recombination::Wrapped<TwoPoint>;
template struct Recombination::Wrapped<KPoint>;
template struct Recombination::Wrapped<UniformCrossover>;
template struct Recombination::Wrapped<PartiallyMatched>;
template struct Recombination::Wrapped<OrderCrossover>;
template struct Recombination::Wrapped<CycleCrossover>;
template struct Recombination::Wrapped<EdgeRecombination>;
template struct Recombination::Wrapped<PositionBased>;
template struct Recombination::Wrapped<SimulatedBinary>;
template struct Recombination::Wrapped<Blend>;

} // namespace knossos
