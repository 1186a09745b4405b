#include "core/front_scan.hpp"

#include <knossos/core/fronts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace knossos {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// How many of a row come first: those of whom `is_before` is true. Without branches that depend on what is
// found, which a processor would guess wrong half the time.
template <class One, class IsBefore>
std::size_t count_before(const std::vector<One>& row, IsBefore is_before) {
    const One* base = row.data();
    std::size_t left = row.size();
    while (left > 1) {
        const std::size_t half = left / 2;
        base += is_before(base[half - 1]) ? half : 0;
        left -= half;
    }
    const auto before = static_cast<std::size_t>(base - row.data());
    return before + (left == 1 && is_before(*base) ? 1 : 0);
}

// As a share of a range, if that is any measure.
double share_of(double range, double apart) {
    return range > 0.0 && std::isfinite(range) ? apart / range : 0.0;
}

} // namespace

void FlatFront::append(double first, double second) {
    first_.push_back(first);
    second_.push_back(second);
}

void FlatFront::clear() {
    first_.clear();
    second_.clear();
    has_distances_ = false;
}

bool FlatFront::beats(double first, double second, std::size_t& begin, std::size_t& end) const {
    begin = count_before(first_, [=](double value) { return value < first; });
    // Of those who are better in the first objective, the last is the best in the second.
    if (begin > 0 && second_[begin - 1] <= second) return true;
    if (begin < size() && first_[begin] == first && second_[begin] <= second) return true;
    for (end = begin; end < size() && second_[end] >= second;) ++end;
    return false;
}

void FlatFront::insert(std::size_t place, double first, double second) {
    first_.insert(first_.begin() + static_cast<std::ptrdiff_t>(place), first);
    second_.insert(second_.begin() + static_cast<std::ptrdiff_t>(place), second);
    if (!has_distances_) return;
    distances_.insert(distances_.begin() + static_cast<std::ptrdiff_t>(place), 0.0);
    measure(place > 0 ? place - 1 : 0, std::min(place + 2, size()));
}

void FlatFront::erase(std::size_t begin, std::size_t end) {
    const auto leave = [&](std::vector<double>& row) {
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(begin),
                  row.begin() + static_cast<std::ptrdiff_t>(end));
    };
    leave(first_);
    leave(second_);
    if (!has_distances_) return;
    leave(distances_);
    if (size() > 0) measure(begin > 0 ? begin - 1 : 0, std::min(begin + 1, size()));
}

// Those at some places, or all if there is another range. Both ends are beyond all measure.
void FlatFront::measure(std::size_t begin, std::size_t end) {
    const double first_range = first_.back() - first_.front();
    const double second_range = second_.front() - second_.back();
    if (first_range != first_range_ || second_range != second_range_) {
        first_range_ = first_range;
        second_range_ = second_range;
        begin = 0;
        end = size();
    }
    for (std::size_t i = std::max<std::size_t>(begin, 1); i + 1 < size() && i < end; ++i)
        distances_[i] = share_of(first_range, first_[i + 1] - first_[i - 1]) +
                        share_of(second_range, second_[i - 1] - second_[i + 1]);
    distances_.front() = distances_.back() = infinite;
}

std::size_t FlatFront::most_crowded() {
    if (size() < 2) return 0;
    if (!has_distances_) {
        has_distances_ = true;
        distances_.resize(size());
        first_range_ = second_range_ = no_value; // anything but what it will be
        measure(0, size());
    }
    // Several at a time, which a compiler turns into vectors.
    constexpr std::size_t together = 8;
    std::array<double, together> least;
    least.fill(infinite);
    std::size_t place = 1;
    for (; place + together <= size(); place += together)
        for (std::size_t i = 0; i < together; ++i)
            least[i] = distances_[place + i] < least[i] ? distances_[place + i] : least[i];
    for (; place < size(); ++place) least[0] = std::min(least[0], distances_[place]);
    const double least_of_all = *std::ranges::min_element(least);
    return static_cast<std::size_t>(std::find(distances_.begin() + 1, distances_.end(), least_of_all) -
                                    distances_.begin());
}

FrontIndex::FrontIndex(const Schema& schema, std::size_t most)
    : schema_{schema}, most_{most}, columns_(schema.objectives().size()), orders_(columns_.size()),
      ranges_(columns_.size()), shares_(columns_.size()), point_(columns_.size()) {}

void FrontIndex::load(RecordView record) {
    for (std::size_t i = 0; i < point_.size(); ++i) {
        const std::size_t column = schema_.objectives()[i];
        point_[i] = lower_is_better(schema_.columns()[column], record[column]);
    }
    its_violation_ = schema_.has_violations() ? schema_.violation(record) : 0.0;
}

FrontIndex::Seat FrontIndex::take_seat() {
    if (free_.empty()) {
        const auto first = static_cast<Seat>(distances_.size());
        // Whole vectors of them.
        const std::size_t seats =
            (first + std::max<std::size_t>(first / 2, std::min<std::size_t>(most_ + 1, 128))) /
                seats_together * seats_together +
            seats_together;
        for (auto& column : columns_) column.resize(seats, no_value);
        for (auto& shares : shares_) shares.resize(seats);
        distances_.resize(seats, infinite);
        for (auto seat = static_cast<Seat>(seats); seat > first; --seat) free_.push_back(seat - 1);
    }
    const Seat seat = free_.back();
    free_.pop_back();
    return seat;
}

void FrontIndex::leave_seat(Seat seat) {
    for (auto& column : columns_) column[seat] = no_value;
    distances_[seat] = infinite;
    free_.push_back(seat);
}

void FrontIndex::append(RecordView record) {
    load(record);
    violation_ = its_violation_;
    if (is_flat()) return flat_.append(point_[0], point_[1]);
    const Seat seat = take_seat();
    for (std::size_t i = 0; i < point_.size(); ++i) columns_[i][seat] = point_[i];
    orders_.front().push_back(seat);
}

std::size_t FrontIndex::lower(std::size_t objective, double value) const {
    const double* const values = columns_[objective].data();
    return count_before(orders_[objective], [=](Seat seat) { return values[seat] < value; });
}

std::size_t FrontIndex::upper(std::size_t objective, double value) const {
    const double* const values = columns_[objective].data();
    return count_before(orders_[objective], [=](Seat seat) { return values[seat] <= value; });
}

std::size_t FrontIndex::place_in(std::size_t objective, Seat seat) const {
    std::size_t place = lower(objective, columns_[objective][seat]);
    while (orders_[objective][place] != seat) ++place;
    return place;
}

// Returns whether somebody is nowhere worse: dominates the point, or is the same. If nobody is, whoever is
// nowhere better than the point is dominated.
bool FrontIndex::find_dominated() {
    seats_.clear();
    if (find_dominated_seats(columns_, point_, seats_)) return true;
    for (const Seat seat : seats_) dominated_.push_back(static_cast<std::uint32_t>(place_in(0, seat)));
    std::ranges::sort(dominated_);
    return false;
}

void FrontIndex::insert(std::size_t place) {
    const Seat seat = take_seat();
    for (std::size_t i = 0; i < point_.size(); ++i) columns_[i][seat] = point_[i];
    const std::size_t orders = has_orders_ ? orders_.size() : 1;
    for (std::size_t i = 0; i < orders; ++i) {
        auto& order = orders_[i];
        std::size_t its = place;
        if (i > 0) {
            its = lower(i, point_[i]);
            while (its < order.size() && columns_[i][order[its]] == point_[i] &&
                   place_in(0, order[its]) < place)
                ++its;
        }
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(its), seat);
        if (has_orders_) measure_around(i, its);
    }
}

void FrontIndex::erase(std::size_t place) {
    const Seat seat = orders_.front()[place];
    const std::size_t orders = has_orders_ ? orders_.size() : 1;
    // The first order is what the places of the others are found by.
    for (std::size_t i = orders; i-- > 0;) {
        const std::size_t its = i == 0 ? place : place_in(i, seat);
        orders_[i].erase(orders_[i].begin() + static_cast<std::ptrdiff_t>(its));
        if (has_orders_ && !orders_[i].empty()) measure_around(i, its);
    }
    leave_seat(seat);
}

void FrontIndex::clear() {
    flat_.clear();
    for (const Seat seat : orders_.front()) leave_seat(seat);
    for (auto& order : orders_) order.clear();
    has_orders_ = false;
}

void FrontIndex::sort_orders() {
    for (std::size_t i = 1; i < orders_.size(); ++i) {
        orders_[i] = orders_.front();
        std::ranges::stable_sort(orders_[i], {}, [&](Seat seat) { return columns_[i][seat]; });
    }
    for (std::size_t i = 0; i < orders_.size(); ++i) measure_all(i);
    has_orders_ = true;
}

// How far apart its neighbours are in one objective, as a share of how far apart the first and the last are;
// these two are beyond all measure.
void FrontIndex::measure(std::size_t objective, std::size_t begin, std::size_t end) {
    const Seat* const order = orders_[objective].data();
    const double* const values = columns_[objective].data();
    double* const shares = shares_[objective].data();
    const std::size_t last = orders_[objective].size() - 1;
    const double range = ranges_[objective];
    for (std::size_t place = begin; place < end; ++place) {
        const Seat seat = order[place];
        shares[seat] = place == 0 || place == last
                           ? infinite
                           : share_of(range, values[order[place + 1]] - values[order[place - 1]]);
        double distance = shares_[0][seat];
        for (std::size_t o = 1; o < shares_.size(); ++o) distance += shares_[o][seat];
        distances_[seat] = distance;
    }
}

// After somebody came to a place, or left it. Whoever stood at an end is at one no more if the new one does.
void FrontIndex::measure_around(std::size_t objective, std::size_t place) {
    const auto& order = orders_[objective];
    const auto& values = columns_[objective];
    if (values[order.back()] - values[order.front()] != ranges_[objective]) return measure_all(objective);
    measure(objective, place > 0 ? place - 1 : 0, std::min(place + 2, order.size()));
}

void FrontIndex::measure_all(std::size_t objective) {
    const auto& order = orders_[objective];
    const auto& values = columns_[objective];
    ranges_[objective] = values[order.back()] - values[order.front()];
    measure(objective, 0, order.size());
}

std::size_t FrontIndex::most_crowded() {
    if (size() < 2) return 0;
    if (!has_orders_) sort_orders();
    // Whoever is best in the first objective stays: it is what is reported.
    const double least = find_least_seats(distances_, seats_);
    if (least == infinite) return 1;
    std::size_t first = size();
    for (const Seat seat : seats_) first = std::min(first, place_in(0, seat));
    return first;
}

FrontIndex::Change FrontIndex::offer_flat() {
    std::size_t begin = 0;
    std::size_t end = 0;
    if (flat_.beats(point_[0], point_[1], begin, end)) return {};
    if (end > begin) {
        dominated_.resize(end - begin);
        std::iota(dominated_.begin(), dominated_.end(), static_cast<std::uint32_t>(begin));
        flat_.erase(begin, end);
    }
    return squeezed(begin);
}

// Puts the point in; of too many, one leaves.
FrontIndex::Change FrontIndex::squeezed(std::size_t place) {
    const bool flat = is_flat();
    flat ? flat_.insert(place, point_[0], point_[1]) : insert(place);
    Change change{.entered = {true, true}, .dominated = dominated_, .place = place};
    if (size() <= most_) return change;
    const std::size_t leaving = flat ? flat_.most_crowded() : most_crowded();
    flat ? flat_.erase(leaving, leaving + 1) : erase(leaving);
    change.crowded = leaving;
    change.entered = {leaving != place, !dominated_.empty()};
    return change;
}

FrontIndex::Change FrontIndex::offer(RecordView record) {
    load(record);
    dominated_.clear();
    const bool is_empty = size() == 0;
    // All of a front miss equally much, and who misses as much as they do dominates none of them.
    if (!is_empty && its_violation_ > violation_) return {};
    if (is_empty || its_violation_ < violation_) {
        dominated_.resize(size());
        std::iota(dominated_.begin(), dominated_.end(), 0U);
        clear();
        violation_ = its_violation_;
    } else if (violation_ > 0.0) {
        for (const Seat seat : orders_.front()) {
            std::size_t objective = 0;
            while (objective < point_.size() && columns_[objective][seat] == point_[objective]) ++objective;
            if (objective == point_.size()) return {};
        }
    } else if (is_flat()) {
        return offer_flat();
    } else {
        if (find_dominated()) return {};
        for (auto place = dominated_.rbegin(); place != dominated_.rend(); ++place) erase(*place);
    }
    return squeezed(is_flat() ? 0 : upper(0, point_.front()));
}

} // namespace knossos
