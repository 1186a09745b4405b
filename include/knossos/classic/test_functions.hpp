#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/record.hpp>

#include <cstddef>
#include <vector>

namespace knossos {

// Functions of real vectors that the field measures itself by. All of them use the portable functions of
// core/portable_math.hpp, so that runs on them give the same bits everywhere.

/// Sphere: the sum of squares, 0 at the origin. K. A. De Jong's thesis, 1975, F1.
struct Sphere {
    std::size_t length = 30;
    double accuracy = 1e-8; ///< the value at which it counts as solved

    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] Space space() const { return Space::reals(length, {-5.12, 5.12}); }
    [[nodiscard]] double target() const { return accuracy; }
    [[nodiscard]] static double evaluate(RealView x);
};

/// Rosenbrock's valley, along which the genes must change together; 0 at (1, …, 1). H. H. Rosenbrock: "An
/// automatic method for finding the greatest or least value of a function", 1960.
struct Rosenbrock {
    std::size_t length = 10;
    double accuracy = 1e-8;

    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] Space space() const { return Space::reals(length, {-5.0, 10.0}); }
    [[nodiscard]] double target() const { return accuracy; }
    [[nodiscard]] static double evaluate(RealView x);
};

/// Rastrigin: a bowl with a pit at every whole number, about 10ⁿ of them; 0 at the origin. H. Mühlenbein, D.
/// Schomisch, J. Born: "The parallel genetic algorithm as function optimizer", 1991.
struct Rastrigin {
    std::size_t length = 10;
    double accuracy = 1e-8;

    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] Space space() const { return Space::reals(length, {-5.12, 5.12}); }
    [[nodiscard]] double target() const { return accuracy; }
    [[nodiscard]] static double evaluate(RealView x);
};

/// ZDT1 to ZDT3: two objectives, whose front is convex, concave, or in five pieces; it is reached where all
/// genes but the first are 0. The ranges are up to the reference point (1.1, 1.1) that hypervolumes of these
/// are usually taken from. E. Zitzler, K. Deb, L. Thiele: "Comparison of multiobjective evolutionary
/// algorithms: empirical results", Evolutionary Computation 8(2), 2000.
struct Zdt {
    int number = 1;
    std::size_t length = 30;

    [[nodiscard]] Space space() const { return Space::reals(length, {0.0, 1.0}); }
    [[nodiscard]] std::vector<Column> record() const;
    void evaluate(RealView x, Record out) const;
};

/// DTLZ2: its front is the part of the unit sphere where no objective is negative, reached where all genes
/// behind the first `objectives` − 1 are 0.5. K. Deb, L. Thiele, M. Laumanns, E. Zitzler: "Scalable test
/// problems for evolutionary multiobjective optimization", 2005.
struct Dtlz2 {
    std::size_t objectives = 3;
    std::size_t length = 12;

    [[nodiscard]] Space space() const { return Space::reals(length, {0.0, 1.0}); }
    [[nodiscard]] std::vector<Column> record() const;
    void evaluate(RealView x, Record out) const;
};

} // namespace knossos
