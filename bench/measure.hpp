#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <vector>

/// What the benchmarks share: clocks, medians, and bars that are met or missed.
namespace bench {

using Clock = double (*)();

/// Of this process, all its threads together.
inline double processor_seconds() {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double seconds_of(Clock clock, Work&& work) {
    const double start = clock();
    work();
    return clock() - start;
}

inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

/// Seconds that two things take, measured by turns so that whatever else the machine does meets both alike.
/// What runs on one core is timed by the processor time it used, what runs on two by the clock on the wall.
struct Comparison {
    std::vector<double> first;
    std::vector<double> second;

    [[nodiscard]] double ratio() const {
        std::vector<double> ratios(first.size());
        std::ranges::transform(first, second, ratios.begin(), std::divides{});
        return median(ratios);
    }
};

template <class First, class Second>
Comparison compare(Clock clock, int repetitions, First first, Second second) {
    Comparison comparison;
    for (int repetition = repetitions == 1 ? 0 : -1; repetition < repetitions; ++repetition) {
        const double of_first = seconds_of(clock, first);
        const double of_second = seconds_of(clock, second);
        if (repetition < 0) continue; // caches and clocks warm up
        comparison.first.push_back(of_first);
        comparison.second.push_back(of_second);
    }
    return comparison;
}

inline bool all_bars_met = true;

/// What stands behind a figure that has a bar.
inline const char* verdict(bool met) {
    all_bars_met = all_bars_met && met;
    return met ? "" : "   MISSED";
}

} // namespace bench
