#include <knossos/core/fronts.hpp>

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

// Of two objectives, where nobody misses anything: most fronts by far are such, and wanted twice a
// generation.
class Plane {
  public:
    explicit Plane(const Points& points) : size_{points.size()} {
        const auto first = points.of(0);
        const auto second = points.of(1);
        all_.resize(size_);
        sort(first);
        for (std::size_t i = 0; i < size_; ++i) all_[i].second = second[all_[i].who];
    }

    void sort_into(Fronts& result) {
        result.ranks.resize(size_);
        result.distances.resize(size_);
        rank();
        // The members of each front side by side, in order.
        begins_.assign(tails_.size() + 1, 0);
        for (const Member& one : all_) ++begins_[one.rank + 1];
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        members_.resize(size_);
        for (const Member& one : all_) {
            result.ranks[one.who] = one.rank;
            members_[begins_[one.rank]++] = one;
        }
        std::size_t begin = 0;
        for (std::size_t front = 0; front < tails_.size(); ++front) {
            const std::size_t end = begins_[front];
            measure(std::span{members_}.subspan(begin, end - begin), result.distances);
            begin = end;
        }
    }

  private:
    struct Member {
        double first;
        double second;
        std::uint32_t who;
        std::uint32_t rank;
    };
    struct Tail {
        double first;
        double second;
    };

    static bool comes_before(const Member& a, const Member& b) {
        return a.first < b.first || (a.first == b.first && a.who < b.who);
    }

    // By the first objective, and of equals who comes first. Values that are spread evenly are nearly in
    // order once each lies in one of as many boxes as there are values.
    void sort(std::span<const double> first) {
        const auto [low, high] = std::ranges::minmax(first);
        const double per_unit = static_cast<double>(size_ - 1) / (high - low);
        const bool has_boxes = high > low && std::isfinite(high - low) && std::isfinite(per_unit);
        if (!has_boxes) {
            for (std::uint32_t i = 0; i < size_; ++i) all_[i] = {first[i], 0.0, i, 0};
            std::ranges::sort(all_, comes_before);
            return;
        }
        begins_.assign(size_ + 1, 0);
        boxes_.resize(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            boxes_[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>((first[i] - low) * per_unit));
            ++begins_[boxes_[i] + 1];
        }
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        for (std::uint32_t i = 0; i < size_; ++i) all_[begins_[boxes_[i]]++] = {first[i], 0.0, i, 0};
        constexpr std::uint32_t few = 16;
        for (std::uint32_t box = 0, begin = 0; box < size_; begin = begins_[box++])
            if (begins_[box] - begin > few)
                std::ranges::sort(std::span{all_}.subspan(begin, begins_[box] - begin), comes_before);
        for (std::size_t i = 1; i < size_; ++i) {
            const Member one = all_[i];
            std::size_t place = i;
            for (; place > 0 && comes_before(one, all_[place - 1]); --place) all_[place] = all_[place - 1];
            all_[place] = one;
        }
    }

    // By one objective after the other, nobody is dominated by one who comes later, and the newest of a front
    // has the least second value of all in it: if it does not dominate, nobody there does.
    void rank() {
        tails_.clear();
        for (std::size_t begin = 0; begin < size_;) {
            std::size_t end = begin + 1;
            while (end < size_ && all_[end].first == all_[begin].first) ++end;
            if (end - begin == 1) {
                rank(all_[begin]);
            } else {
                equals_.clear();
                for (std::size_t i = begin; i < end; ++i)
                    equals_.push_back({all_[i].second, static_cast<std::uint32_t>(i)});
                std::ranges::sort(equals_, std::less<>{});
                for (const Keyed& one : equals_) rank(all_[one.who]);
            }
            begin = end;
        }
    }

    void rank(Member& one) {
        // Those who dominate it come first.
        std::size_t dominating = 0;
        std::size_t left = tails_.size();
        while (left > 0) {
            const std::size_t half = (left + 1) / 2;
            const Tail& tail = tails_[dominating + half - 1];
            const bool dominates = (static_cast<unsigned>(tail.second < one.second) |
                                    (static_cast<unsigned>(tail.second == one.second) &
                                     static_cast<unsigned>(tail.first < one.first))) != 0;
            dominating += dominates ? half : 0;
            left = dominates ? left - half : half - 1;
        }
        one.rank = static_cast<std::uint32_t>(dominating);
        if (dominating == tails_.size()) tails_.emplace_back();
        tails_[dominating] = {one.first, one.second};
    }

    // As add_distances() for both objectives. By the second, a front stands the other way round, but those
    // who are the same in both stand in the order of who they are either way.
    static void measure(std::span<const Member> front, std::vector<double>& distances) {
        const std::size_t size = front.size();
        const double range = front.back().first - front.front().first;
        const double second_range = front.front().second - front.back().second;
        const bool has_range = range > 0.0 && std::isfinite(range);
        const bool has_second_range = second_range > 0.0 && std::isfinite(second_range);
        for (std::size_t begin = 0; begin < size;) {
            std::size_t end = begin + 1;
            while (end < size && front[end].first == front[begin].first) ++end;
            for (std::size_t i = begin; i < end; ++i) {
                double& distance = distances[front[i].who];
                if (i == 0 || i + 1 == size || (i == begin && end == size) || (i + 1 == end && begin == 0)) {
                    distance = infinity;
                    continue;
                }
                distance = has_range ? (front[i + 1].first - front[i - 1].first) / range : 0.0;
                const double worse = i + 1 == end ? front[begin - 1].second : front[i].second;
                const double better = i == begin ? front[end].second : front[i].second;
                if (has_second_range) distance += (worse - better) / second_range;
            }
            begin = end;
        }
    }

    std::size_t size_;
    std::vector<Member> all_;
    std::vector<Member> members_;
    std::vector<Tail> tails_;
    std::vector<std::uint32_t> begins_;
    std::vector<std::uint32_t> boxes_;
    std::vector<Keyed> equals_;
};

} // namespace

Fronts sort_into_fronts(const Points& points) {
    Fronts result;
    if (points.size() == 0) return result;
    const auto misses = [](double violation) { return violation > 0.0; };
    if (points.objectives == 2 && std::ranges::none_of(points.violations, misses)) {
        Plane{points}.sort_into(result);
        return result;
    }
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

} // namespace knossos
