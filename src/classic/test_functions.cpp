#include <knossos/classic/test_functions.hpp>
#include <knossos/core/portable_math.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace knossos {

namespace {

// The sum of term(i) for begin ≤ i < end, as four sums side by side that are added at the end: in a fixed
// order, and not one addition waiting for the other.
template <class Term>
double sum(std::size_t begin, std::size_t end, Term term) {
    std::array<double, 4> sums{};
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += term(i + lane);
    for (std::size_t lane = 0; i + lane < end; ++lane) sums[lane] += term(i + lane);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

} // namespace

double Sphere::evaluate(RealView x) {
    return sum(0, x.size(), [&](std::size_t i) { return x[i] * x[i]; });
}

double Rosenbrock::evaluate(RealView x) {
    return sum(0, x.size() - 1, [&](std::size_t i) {
        const double bend = x[i + 1] - x[i] * x[i];
        const double short_of_one = 1.0 - x[i];
        return 100.0 * bend * bend + short_of_one * short_of_one;
    });
}

double Rastrigin::evaluate(RealView x) {
    return sum(0, x.size(),
               [&](std::size_t i) { return 10.0 + x[i] * x[i] - 10.0 * portable_cospi(2.0 * x[i]); });
}

std::vector<Column> Zdt::record() const {
    return {minimise("f1").between(0.0, 1.1), minimise("f2").between(number == 3 ? -1.0 : 0.0, 1.1)};
}

void Zdt::evaluate(RealView x, Record out) const {
    const double first = x[0];
    const double away =
        1.0 + 9.0 * sum(1, x.size(), [&](std::size_t i) { return x[i]; }) / static_cast<double>(x.size() - 1);
    const double ratio = first / away;
    double shape = 1.0 - (number == 2 ? ratio * ratio : std::sqrt(ratio));
    if (number == 3) shape -= ratio * portable_sinpi(10.0 * first);
    out[0] = first;
    out[1] = away * shape;
}

std::vector<Column> Dtlz2::record() const {
    std::vector<Column> columns;
    for (std::size_t i = 1; i <= objectives; ++i)
        columns.push_back(minimise(std::string_view{fmt::format("f{}", i)}).between(0.0, 1.1));
    return columns;
}

void Dtlz2::evaluate(RealView x, Record out) const {
    // From the last objective, which has the sine of the first angle, forwards: each has one cosine more.
    double radius = 1.0 + sum(objectives - 1, x.size(), [&](std::size_t i) {
                        const double away = x[i] - 0.5;
                        return away * away;
                    });
    for (std::size_t angle = 0; angle + 1 < objectives; ++angle) {
        out[objectives - 1 - angle] = radius * portable_sinpi(0.5 * x[angle]);
        radius *= portable_cospi(0.5 * x[angle]);
    }
    out[0] = radius;
}

} // namespace knossos
