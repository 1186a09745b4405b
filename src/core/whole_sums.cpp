// Adds up a population's values in the processor's vectors: every generation is measured twice.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/whole_sums.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// Highway must follow the line above.
#include <hwy/highway.h>

#include "core/whole_sums.hpp"

#include <algorithm>
#include <cmath>

#ifndef KNOSSOS_ADDED_UP
#define KNOSSOS_ADDED_UP
namespace knossos {

// What one look at the values gives.
struct AddedUp {
    double sum = 0.0;
    double squares = 0.0;
    double off = 0.0; ///< how far they are from whole numbers, together
    double lowest = 0.0;
    double highest = 0.0;
};

constexpr double to_whole = 6755399441055744.0; // 1.5 · 2⁵²: adding it rounds to a whole number

inline void add_up_one(AddedUp& all, double value) {
    all.sum += value;
    all.squares += value * value;
    all.off += std::abs((value + to_whole) - to_whole - value);
    all.lowest = std::min(all.lowest, value);
    all.highest = std::max(all.highest, value);
}

} // namespace knossos
#endif

HWY_BEFORE_NAMESPACE();
namespace knossos::HWY_NAMESPACE {

#if !HWY_HAVE_FLOAT64

AddedUp add_up_in(std::span<const double> values) {
    AddedUp all{.lowest = values[0], .highest = values[0]};
    for (const double value : values) add_up_one(all, value);
    return all;
}

AddedUp add_up_alone_in(std::span<const double> values) { return add_up_in(values); }

#else

template <bool with_range>
HWY_INLINE AddedUp add_up_by(std::span<const double> values) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::CappedTag<double, 8> tag;
    const std::size_t lanes = hn::Lanes(tag);
    const auto shift = hn::Set(tag, to_whole);
    auto sum = hn::Zero(tag);
    auto squares = hn::Zero(tag);
    auto off = hn::Zero(tag);
    auto lowest = hn::Set(tag, values[0]);
    auto highest = lowest;
    const auto take = [&](std::size_t at) HWY_ATTR {
        const auto next = hn::LoadU(tag, values.data() + at);
        sum = hn::Add(sum, next);
        squares = hn::Add(squares, hn::Mul(next, next));
        off = hn::Add(off, hn::Abs(hn::Sub(hn::Sub(hn::Add(next, shift), shift), next)));
        if constexpr (with_range) {
            lowest = hn::Min(lowest, next);
            highest = hn::Max(highest, next);
        }
    };
    std::size_t i = 0;
    // Two at once: half the instructions of the loop itself, and the same order.
    for (; i + 2 * lanes <= values.size(); i += 2 * lanes) {
        take(i);
        take(i + lanes);
    }
    for (; i + lanes <= values.size(); i += lanes) take(i);
    AddedUp all{.sum = hn::GetLane(hn::SumOfLanes(tag, sum)),
                .squares = hn::GetLane(hn::SumOfLanes(tag, squares)),
                .off = hn::GetLane(hn::SumOfLanes(tag, off))};
    if constexpr (with_range) {
        all.lowest = hn::GetLane(hn::MinOfLanes(tag, lowest));
        all.highest = hn::GetLane(hn::MaxOfLanes(tag, highest));
    }
    for (; i < values.size(); ++i) add_up_one(all, values[i]);
    return all;
}

AddedUp add_up_in(std::span<const double> values) { return add_up_by<true>(values); }
AddedUp add_up_alone_in(std::span<const double> values) { return add_up_by<false>(values); }

#endif

} // namespace knossos::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos {

HWY_EXPORT(add_up_in);
HWY_EXPORT(add_up_alone_in);

namespace {

// Written so that what is no number is neither whole nor small.
bool is_exact(const AddedUp& all) {
    constexpr double most = 4503599627370496.0; // 2⁵²
    return all.off == 0.0 && all.squares < most;
}

} // namespace

std::optional<WholeSums> whole_sums(std::span<const double> values) {
    const AddedUp all = HWY_DYNAMIC_DISPATCH(add_up_in)(values);
    if (!is_exact(all)) return std::nullopt;
    return WholeSums{.sum = static_cast<std::int64_t>(all.sum),
                     .squares = static_cast<std::int64_t>(all.squares),
                     .lowest = all.lowest + 0.0,
                     .highest = all.highest + 0.0};
}

std::optional<WholeSums> whole_sums_alone(std::span<const double> values) {
    const AddedUp all = HWY_DYNAMIC_DISPATCH(add_up_alone_in)(values);
    if (!is_exact(all)) return std::nullopt;
    return WholeSums{.sum = static_cast<std::int64_t>(all.sum),
                     .squares = static_cast<std::int64_t>(all.squares)};
}

double sum_of_some(std::span<const double> values, std::span<const std::uint32_t> which) {
    constexpr std::size_t at_once = 8; // half the instructions, and the same order
    double sum = 0.0;
    std::size_t i = 0;
    for (; i + at_once <= which.size(); i += at_once)
        for (std::size_t k = 0; k < at_once; ++k) sum += values[which[i + k]];
    for (; i < which.size(); ++i) sum += values[which[i]];
    return sum;
}

} // namespace knossos

#endif
