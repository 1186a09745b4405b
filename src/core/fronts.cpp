#include <knossos/core/fronts.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace knossos {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What is sorted: a value, and whose it is, which decides among equals.
struct Keyed {
    double value;
    std::uint32_t who;
    friend bool operator<(const Keyed& a, const Keyed& b) {
        return a.value != b.value ? a.value < b.value : a.who < b.who;
    }
};

// Everybody in the order of their values.
std::vector<std::uint32_t> sorted_by(std::span<const double> values, std::vector<Keyed>& keyed) {
    keyed.resize(values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i) keyed[i] = {values[i], i};
    std::ranges::sort(keyed, std::less<>{});
    std::vector<std::uint32_t> sorted(values.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = keyed[i].who;
    return sorted;
}

// Those who hold everything, by one objective after the other: nobody is dominated by one who comes later,
// and equals stand side by side.
std::vector<std::uint32_t> one_objective_after_the_other(const Points& points,
                                                         std::vector<std::uint32_t> by_the_first) {
    auto& order = by_the_first;
    if (!points.violations.empty())
        std::erase_if(order, [&](std::uint32_t who) { return points.violations[who] > 0.0; });
    const auto first = points.of(0);
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && first[order[end]] == first[order[begin]]) ++end;
        if (end - begin > 1)
            std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](std::uint32_t a, std::uint32_t b) {
                          for (std::size_t o = 1; o < points.objectives; ++o)
                              if (points.of(o)[a] != points.of(o)[b])
                                  return points.of(o)[a] < points.of(o)[b];
                          return a < b;
                      });
        begin = end;
    }
    return by_the_first;
}

// Of two objectives, the newest of a front has the least second value of all in it: if it does not dominate,
// nobody there does.
std::uint32_t sweep(const Points& points, const std::vector<std::uint32_t>& order,
                    std::vector<std::uint32_t>& ranks) {
    using Tail = std::pair<double, double>; // second objective, first objective
    std::vector<Tail> tails;
    for (const std::uint32_t who : order) {
        const Tail point{points.of(1)[who], points.of(0)[who]};
        const auto front = std::ranges::lower_bound(tails, point);
        ranks[who] = static_cast<std::uint32_t>(front - tails.begin());
        if (front == tails.end())
            tails.push_back(point);
        else
            *front = point;
    }
    return static_cast<std::uint32_t>(tails.size());
}

// Sets of places in an order, a bit each.
class Sets {
  public:
    explicit Sets(std::size_t places) : words_{(places + 63) / 64} {}

    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::size_t count() const { return bits_.size() / words_; }
    [[nodiscard]] std::uint64_t* operator[](std::size_t set) { return bits_.data() + set * words_; }
    [[nodiscard]] const std::uint64_t* operator[](std::size_t set) const {
        return bits_.data() + set * words_;
    }
    void add_empty() { bits_.resize(bits_.size() + words_); }
    void add(const std::vector<std::uint64_t>& set) { bits_.insert(bits_.end(), set.begin(), set.end()); }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

void put(std::uint64_t* set, std::size_t place) { set[place / 64] |= std::uint64_t{1} << place % 64; }

// Who is no worse than somebody in one objective: those before him in its order, and his equals. Of n points
// some 64 such sets are kept, evenly spaced, and the others are worked out from the one before: that takes
// about as long as going through a set, and no more memory than the points.
class NoWorse {
  public:
    // `places` says where each stands in the order that the sets are about, `none` for those who are not.
    NoWorse(std::span<const double> values, const std::vector<std::uint32_t>& sorted,
            const std::vector<std::uint32_t>& places, std::size_t count)
        : apart_{1 + count / 64}, sets_{count}, counts_(count) {
        order_.reserve(count);
        std::vector<double> ordered;
        ordered.reserve(count);
        for (const std::uint32_t who : sorted) {
            if (places[who] == none) continue;
            order_.push_back(places[who]);
            ordered.push_back(values[who]);
        }
        std::vector<std::uint64_t> set(sets_.words());
        std::size_t end = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (i % apart_ == 0) sets_.add(set);
            put(set.data(), order_[i]);
            for (end = std::max(end, i + 1); end < count && ordered[end] == ordered[i];) ++end;
            counts_[order_[i]] = static_cast<std::uint32_t>(end);
        }
        if (count % apart_ == 0) sets_.add(set);
    }

    // Leaves those in the set who are no worse than the one at the place; all words up to his are looked at.
    void restrict(std::size_t place, std::vector<std::uint64_t>& set,
                  std::vector<std::uint64_t>& some) const {
        const std::size_t count = counts_[place];
        const std::size_t words = place / 64 + 1;
        const std::uint64_t* const kept = sets_[count / apart_];
        if (count % apart_ == 0) {
            for (std::size_t word = 0; word < words; ++word) set[word] &= kept[word];
            return;
        }
        std::copy_n(kept, some.size(), some.begin());
        for (std::size_t i = count / apart_ * apart_; i < count; ++i) put(some.data(), order_[i]);
        for (std::size_t word = 0; word < words; ++word) set[word] &= some[word];
    }

    static constexpr std::uint32_t none = ~0U;

  private:
    std::size_t apart_;
    Sets sets_;
    std::vector<std::uint32_t> counts_; ///< how many are no worse than the one at each place
    std::vector<std::uint32_t> order_;  ///< places by value
};

bool have_common(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    std::uint64_t common = 0;
    for (std::size_t word = 0; word < words; ++word) common |= a[word] & b[word];
    return common != 0;
}

// Taken in order, each belongs to the first front that has nobody of those who dominate it.
std::uint32_t search(const Points& points, const std::vector<std::uint32_t>& order,
                     const std::vector<std::vector<std::uint32_t>>& sorted,
                     std::vector<std::uint32_t>& ranks) {
    if (order.empty()) return 0;
    // Of those who are the same in everything the first stands for all.
    const auto is_same = [&](std::uint32_t a, std::uint32_t b) {
        for (std::size_t o = 0; o < points.objectives; ++o)
            if (points.of(o)[a] != points.of(o)[b]) return false;
        return true;
    };
    std::vector<std::uint32_t> places(points.size(), NoWorse::none);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        if (i == 0 || !is_same(order[i], order[i - 1])) places[order[i]] = count++;
    std::vector<NoWorse> no_worse;
    for (std::size_t o = 1; o < points.objectives; ++o)
        no_worse.emplace_back(points.of(o), sorted[o], places, count);
    Sets fronts{count};
    std::vector<std::uint64_t> dominators(fronts.words());
    std::vector<std::uint64_t> some(fronts.words());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t place = places[order[i]];
        if (place == NoWorse::none) {
            ranks[order[i]] = ranks[order[i - 1]];
            continue;
        }
        // In the first objective, that is whoever comes before.
        const std::size_t words = place / 64 + 1;
        std::fill_n(dominators.begin(), words, ~std::uint64_t{0});
        dominators[words - 1] = (std::uint64_t{1} << place % 64) - 1;
        for (const NoWorse& one : no_worse) one.restrict(place, dominators, some);
        std::size_t low = 0;
        for (std::size_t high = fronts.count(); low < high;) {
            const std::size_t middle = (low + high) / 2;
            if (have_common(dominators.data(), fronts[middle], words))
                low = middle + 1;
            else
                high = middle;
        }
        if (low == fronts.count()) fronts.add_empty();
        put(fronts[low], place);
        ranks[order[i]] = static_cast<std::uint32_t>(low);
    }
    return static_cast<std::uint32_t>(fronts.count());
}

// Behind all who hold everything, those who miss equally much are a front.
std::uint32_t rank_by_violation(std::span<const double> violations, std::uint32_t fronts,
                                std::vector<Keyed>& keyed, std::vector<std::uint32_t>& ranks) {
    keyed.clear();
    for (std::uint32_t i = 0; i < violations.size(); ++i)
        if (violations[i] > 0.0) keyed.push_back({violations[i], i});
    std::ranges::sort(keyed, std::less<>{});
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        if (i == 0 || keyed[i].value != keyed[i - 1].value) ++fronts;
        ranks[keyed[i].who] = fronts - 1;
    }
    return fronts;
}

// Adds, for each that stands between two others, how far apart these are, as a share of how far apart the
// first and the last are; these two are beyond all measure. `places` are those of a front by their values.
void add_distances(std::span<const std::uint32_t> places, std::span<const double> values,
                   std::span<double> distances) {
    const std::size_t last = places.size() - 1;
    distances[places[0]] = distances[places[last]] = infinity;
    const double range = values[places[last]] - values[places[0]];
    if (!(range > 0.0) || !std::isfinite(range)) return;
    for (std::size_t i = 1; i < last; ++i)
        distances[places[i]] += (values[places[i + 1]] - values[places[i - 1]]) / range;
}

// Where two objectives are all there is and nobody in a front misses anything, the order by one is the other
// way round by the other; equals keep theirs.
void turn_round(std::span<std::uint32_t> members, std::span<const double> values) {
    std::ranges::reverse(members);
    for (std::size_t begin = 0; begin < members.size();) {
        std::size_t end = begin + 1;
        while (end < members.size() && values[members[end]] == values[members[begin]]) ++end;
        std::ranges::reverse(members.subspan(begin, end - begin));
        begin = end;
    }
}

// The members of each front side by side, in the order of one objective after the other.
void measure_crowding(const Points& points, const std::vector<std::vector<std::uint32_t>>& sorted,
                      std::uint32_t fronts, std::uint32_t feasible_fronts, Fronts& result) {
    std::vector<std::uint32_t> begins(std::size_t{fronts} + 1);
    for (const std::uint32_t rank : result.ranks) ++begins[rank + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> ends(fronts);
    std::vector<std::uint32_t> members(points.size());
    result.distances.assign(points.size(), 0.0);
    for (std::size_t objective = 0; objective < points.objectives; ++objective) {
        const bool is_sorted = objective < sorted.size();
        if (is_sorted) {
            std::copy_n(begins.begin(), fronts, ends.begin());
            for (const std::uint32_t who : sorted[objective]) members[ends[result.ranks[who]]++] = who;
        }
        const auto values = points.of(objective);
        for (std::uint32_t front = 0; front < fronts; ++front) {
            const auto its = std::span{members}.subspan(begins[front], begins[front + 1] - begins[front]);
            if (!is_sorted && front < feasible_fronts)
                turn_round(its, values);
            else if (!is_sorted)
                std::ranges::sort(its, [&](std::uint32_t a, std::uint32_t b) {
                    return values[a] != values[b] ? values[a] < values[b] : a < b;
                });
            add_distances(its, values, result.distances);
        }
    }
}

} // namespace

Fronts sort_into_fronts(const Points& points) {
    Fronts result;
    if (points.size() == 0) return result;
    std::vector<Keyed> keyed;
    std::vector<std::vector<std::uint32_t>> sorted;
    const std::size_t wanted = points.objectives == 2 ? 1 : points.objectives;
    for (std::size_t o = 0; o < wanted; ++o) sorted.push_back(sorted_by(points.of(o), keyed));
    result.ranks.resize(points.size());
    const auto order = one_objective_after_the_other(points, sorted.front());
    const std::uint32_t feasible = points.objectives == 2 ? sweep(points, order, result.ranks)
                                                          : search(points, order, sorted, result.ranks);
    const std::uint32_t all = rank_by_violation(points.violations, feasible, keyed, result.ranks);
    measure_crowding(points, sorted, all, feasible, result);
    return result;
}

FrontIndex::FrontIndex(const Schema& schema, std::size_t most)
    : schema_{schema}, most_{most}, columns_(schema.objectives().size()), orders_(columns_.size() - 1),
      point_(columns_.size()) {}

void FrontIndex::load(RecordView record) {
    for (std::size_t i = 0; i < point_.size(); ++i) {
        const std::size_t column = schema_.objectives()[i];
        point_[i] = lower_is_better(schema_.columns()[column], record[column]);
    }
    its_violation_ = schema_.violation(record);
}

void FrontIndex::append(RecordView record) {
    load(record);
    violation_ = its_violation_;
    for (std::size_t i = 0; i < point_.size(); ++i) columns_[i].push_back(point_[i]);
}

namespace {

constexpr std::size_t some_members = 16;

// Of some members in a row, who is on the wrong side of a point in any objective but the first: what
// `is_wrong` says of their value and the point's. Without branches, which a compiler turns into vectors.
template <class IsWrong>
std::array<std::int64_t, some_members> wrong_ones(const std::vector<std::vector<double>>& columns,
                                                  std::span<const double> point, std::size_t begin,
                                                  std::size_t count, IsWrong is_wrong) {
    std::array<std::int64_t, some_members> wrong{};
    for (std::size_t objective = 1; objective < point.size(); ++objective) {
        const double* const values = columns[objective].data() + begin;
        const double its = point[objective];
        if (count == some_members)
            for (std::size_t i = 0; i < some_members; ++i) wrong[i] |= is_wrong(values[i], its) ? 1 : 0;
        else
            for (std::size_t i = 0; i < count; ++i) wrong[i] |= is_wrong(values[i], its) ? 1 : 0;
    }
    return wrong;
}

} // namespace

// Whether somebody is nowhere worse: dominates, or is the same. Only those before it can be, and the nearest
// are the most likely to be.
bool FrontIndex::is_beaten() const {
    const auto last = std::ranges::upper_bound(columns_.front(), point_.front());
    for (auto end = static_cast<std::size_t>(last - columns_.front().begin()); end > 0;) {
        const std::size_t count = std::min(end, some_members);
        end -= count;
        const auto is_worse = wrong_ones(columns_, point_, end, count, std::greater<>{});
        if (std::find(is_worse.begin(), is_worse.begin() + static_cast<std::ptrdiff_t>(count), 0) !=
            is_worse.begin() + static_cast<std::ptrdiff_t>(count))
            return true;
    }
    return false;
}

// Nobody is the same, so whoever is nowhere better is dominated.
void FrontIndex::find_dominated() {
    const auto first = std::ranges::lower_bound(columns_.front(), point_.front());
    for (auto begin = static_cast<std::size_t>(first - columns_.front().begin()); begin < size();) {
        const std::size_t count = std::min(size() - begin, some_members);
        const auto is_better = wrong_ones(columns_, point_, begin, count, std::less<>{});
        for (std::size_t i = 0; i < count; ++i)
            if (is_better[i] == 0) dominated_.push_back(static_cast<std::uint32_t>(begin + i));
        begin += count;
    }
}

void FrontIndex::insert(std::size_t place) {
    for (std::size_t i = 0; i < point_.size(); ++i)
        columns_[i].insert(columns_[i].begin() + static_cast<std::ptrdiff_t>(place), point_[i]);
    if (!has_orders_) return;
    for (std::size_t i = 1; i < point_.size(); ++i) {
        auto& order = orders_[i - 1];
        for (std::uint32_t& one : order) one += one >= place ? 1U : 0U;
        const auto before = std::ranges::partition_point(order, [&](std::uint32_t one) {
            return columns_[i][one] != point_[i] ? columns_[i][one] < point_[i] : one < place;
        });
        order.insert(before, static_cast<std::uint32_t>(place));
    }
}

void FrontIndex::erase(std::size_t place) {
    for (auto& column : columns_) column.erase(column.begin() + static_cast<std::ptrdiff_t>(place));
    if (!has_orders_) return;
    for (auto& order : orders_) {
        order.erase(std::ranges::find(order, place));
        for (std::uint32_t& one : order) one -= one > place ? 1U : 0U;
    }
}

void FrontIndex::sort_orders() {
    for (std::size_t i = 1; i < point_.size(); ++i) {
        auto& order = orders_[i - 1];
        order.resize(size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t one) { return columns_[i][one]; });
    }
    has_orders_ = true;
}

std::size_t FrontIndex::most_crowded() {
    if (size() < 2) return 0;
    if (!has_orders_) sort_orders();
    distances_.assign(size(), 0.0);
    // As add_distances(), where everybody stands in order.
    const auto& first = columns_.front();
    distances_.front() = distances_.back() = infinity;
    const double range = first.back() - first.front();
    if (range > 0.0 && std::isfinite(range))
        for (std::size_t i = 1; i + 1 < first.size(); ++i)
            distances_[i] = (first[i + 1] - first[i - 1]) / range;
    for (std::size_t i = 1; i < point_.size(); ++i) add_distances(orders_[i - 1], columns_[i], distances_);
    // Whoever is best in the first objective stays: it is what is reported.
    return static_cast<std::size_t>(std::min_element(distances_.begin() + 1, distances_.end()) -
                                    distances_.begin());
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
    } else if (violation_ > 0.0) {
        for (std::size_t i = 0; i < size(); ++i) {
            std::size_t objective = 0;
            while (objective < point_.size() && columns_[objective][i] == point_[objective]) ++objective;
            if (objective == point_.size()) return {};
        }
    } else {
        if (is_beaten()) return {};
        find_dominated();
    }
    violation_ = its_violation_;
    for (auto place = dominated_.rbegin(); place != dominated_.rend(); ++place) erase(*place);
    const auto next = std::ranges::upper_bound(columns_.front(), point_.front());
    const auto place = static_cast<std::size_t>(next - columns_.front().begin());
    insert(place);
    Change change{.entered = {true, true}, .dominated = dominated_, .place = place};
    if (size() <= most_) return change;
    const std::size_t leaving = most_crowded();
    erase(leaving);
    change.crowded = leaving;
    change.entered = {leaving != place, !dominated_.empty()};
    return change;
}

} // namespace knossos
