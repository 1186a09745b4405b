// Looks through many points at once, in the processor's vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/front_scan.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include <hwy/highway.h>

#include "core/front_scan.hpp"

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace knossos::HWY_NAMESPACE {

#if !HWY_HAVE_FLOAT64

bool find_dominated_in(std::span<const std::vector<double>> columns, std::span<const double> point,
                       std::vector<std::uint32_t>& dominated) {
    for (std::size_t seat = 0; seat < columns[0].size(); ++seat) {
        bool is_no_worse = true;
        bool is_no_better = true;
        for (std::size_t o = 0; o < point.size(); ++o) {
            is_no_worse = is_no_worse && columns[o][seat] <= point[o];
            is_no_better = is_no_better && columns[o][seat] >= point[o];
        }
        if (is_no_worse) return true;
        if (is_no_better) dominated.push_back(static_cast<std::uint32_t>(seat));
    }
    return false;
}

double find_least_in(std::span<const double> values, std::vector<std::uint32_t>& seats) {
    const double least = *std::ranges::min_element(values);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] == least) seats.push_back(static_cast<std::uint32_t>(i));
    return least;
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, seats_together>;
constexpr Tag tag;

// `objectives` is 0 where their number is not known when this is compiled.
template <std::size_t objectives>
HWY_INLINE bool find_dominated_by(std::span<const std::vector<double>> columns, std::span<const double> point,
                                  std::vector<std::uint32_t>& dominated) {
    constexpr std::size_t most = objectives == 0 ? 16 : objectives;
    const std::size_t count = objectives == 0 ? point.size() : objectives;
    const std::size_t lanes = hn::Lanes(tag);
    const double* values[most];
    for (std::size_t o = 0; o < std::min(count, most); ++o) values[o] = columns[o].data();
    for (std::size_t seat = 0; seat < columns[0].size(); seat += lanes) {
        auto of_seats = hn::LoadU(tag, values[0] + seat);
        auto its = hn::Set(tag, point[0]);
        auto no_worse = hn::Le(of_seats, its);
        auto no_better = hn::Ge(of_seats, its);
        for (std::size_t o = 1; o < count; ++o) {
            of_seats = hn::LoadU(tag, (o < most ? values[o] : columns[o].data()) + seat);
            its = hn::Set(tag, point[o]);
            no_worse = hn::And(no_worse, hn::Le(of_seats, its));
            no_better = hn::And(no_better, hn::Ge(of_seats, its));
        }
        if (hn::AllFalse(tag, hn::Or(no_worse, no_better))) continue;
        if (!hn::AllFalse(tag, no_worse)) return true;
        HWY_ALIGN double is_dominated[seats_together];
        hn::Store(hn::IfThenElseZero(no_better, hn::Set(tag, 1.0)), tag, is_dominated);
        for (std::size_t i = 0; i < lanes; ++i)
            if (is_dominated[i] != 0.0) dominated.push_back(static_cast<std::uint32_t>(seat + i));
    }
    return false;
}

bool find_dominated_in(std::span<const std::vector<double>> columns, std::span<const double> point,
                       std::vector<std::uint32_t>& dominated) {
    return point.size() == 3 ? find_dominated_by<3>(columns, point, dominated)
                             : find_dominated_by<0>(columns, point, dominated);
}

double find_least_in(std::span<const double> values, std::vector<std::uint32_t>& seats) {
    const std::size_t lanes = hn::Lanes(tag);
    auto least = hn::LoadU(tag, values.data());
    for (std::size_t i = lanes; i < values.size(); i += lanes)
        least = hn::Min(least, hn::LoadU(tag, values.data() + i));
    least = hn::MinOfLanes(tag, least);
    for (std::size_t i = 0; i < values.size(); i += lanes) {
        if (hn::AllFalse(tag, hn::Eq(hn::LoadU(tag, values.data() + i), least))) continue;
        for (std::size_t k = i; k < i + lanes; ++k)
            if (values[k] == hn::GetLane(least)) seats.push_back(static_cast<std::uint32_t>(k));
    }
    return hn::GetLane(least);
}

#endif

} // namespace knossos::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos {

HWY_EXPORT(find_dominated_in);
HWY_EXPORT(find_least_in);

bool find_dominated_seats(std::span<const std::vector<double>> columns, std::span<const double> point,
                          std::vector<std::uint32_t>& dominated) {
    return HWY_DYNAMIC_DISPATCH(find_dominated_in)(columns, point, dominated);
}

double find_least_seats(std::span<const double> values, std::vector<std::uint32_t>& seats) {
    seats.clear();
    return HWY_DYNAMIC_DISPATCH(find_least_in)(values, seats);
}

} // namespace knossos

#endif
