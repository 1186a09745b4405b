#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace knossos {

/// Genes of reals that one operator works on, side by side: what it does to one of them has nothing to do
/// with the others. There is room for more than are ever taken, because vectors take whole handfuls.
struct GeneBatch {
    static constexpr std::size_t most = 128;
    static constexpr std::size_t room = most + 8;

    std::array<double, room> drawn;  ///< uniform in [0, 1)
    std::array<double, room> first;  ///< the gene, or that of the first parent
    std::array<double, room> second; ///< that of the second parent
    std::array<double, room> low;
    std::array<double, room> high;
    std::array<double*, most> to_first; ///< where the outcome belongs
    std::array<double*, most> to_second;
    std::size_t count = 0;
};

/// How far the children of a gene lie from its parents' mean, in units of half their distance: a distribution
/// by its index eta.
class ChildSpread {
  public:
    explicit ChildSpread(double eta);

    /// The inverse of the distribution at u, if the bound on its side allows at most `most`.
    [[nodiscard]] double within(double u, double most) const;
    /// Whether a bound is so far away that it is no matter: what lies past it has a chance below 2⁻⁵⁴, which
    /// 2 does not notice. So it is with most parents of a population that has begun to agree.
    [[nodiscard]] bool is_far(double most) const { return most >= far; }

    double power;
    double root;
    double far;
};

/// The genes of two children, first below the parents' mean and second above it, at u.
void spread_one(const ChildSpread& spread, double u, double& first, double& second, double low, double high);
/// The same for all of a batch: in place.
void spread_each(const ChildSpread& spread, GeneBatch& genes);

/// A gene after polynomial mutation at u.
[[nodiscard]] double polynomial_one(double eta, double u, double gene, double low, double high);
/// The same for all of a batch: in place, in `first`.
void polynomial_each(double eta, GeneBatch& genes);

/// Each becomes its logarithm times the factor; they are in (0, 1], and there is room for a handful more.
void scaled_log_each(double factor, double* values, std::size_t count);

} // namespace knossos
