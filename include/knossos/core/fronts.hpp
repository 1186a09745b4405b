#pragma once

#include <knossos/core/record.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace knossos {

/// Points to be sorted into fronts: objective after objective the values of all of them, the lower the
/// better, and by how much each misses what must hold. Values are numbers, infinite ones included.
struct Points {
    std::size_t objectives = 0;
    std::vector<double> values{};
    std::vector<double> violations{}; ///< empty: nobody misses anything

    [[nodiscard]] std::size_t size() const { return objectives == 0 ? 0 : values.size() / objectives; }
    [[nodiscard]] std::span<const double> of(std::size_t objective) const {
        return std::span{values}.subspan(objective * size(), size());
    }
};

/// For each point the front that it belongs to, counted from 0, and how far apart its neighbours there are,
/// summed over the objectives, each by its range in the front; infinite at the ends.
struct Fronts {
    std::vector<std::uint32_t> ranks{};
    std::vector<double> distances{};
};

/// Non-dominated sorting and crowding distances, under constraint domination: who misses less is better, and
/// of those who miss equally much nobody is. K. Deb, A. Pratap, S. Agarwal, T. Meyarivan: "A fast and elitist
/// multiobjective genetic algorithm: NSGA-II", 2002. Two objectives take a sweep, n log n steps; more of them
/// n²/64 or so: taken in order, each belongs to the first front that nobody dominates it in, and if a front
/// dominates it, so do all before that one (X. Zhang, Y. Tian, R. Cheng, Y. Jin: "An efficient approach to
/// nondominated sorting for evolutionary multiobjective optimization", 2015). Who dominates whom is told by
/// sets, a bit each.
Fronts sort_into_fronts(const Points& points);

/// What became of one who wanted into a front.
struct Entered {
    bool is_in = false;
    bool is_progress = false; ///< the front has grown, or somebody in it was dominated
};

/// Where those in a front of two objectives stand that misses nothing: the better in the first, the worse in
/// the second, so that one order is enough. The lower the better.
class FlatFront {
  public:
    [[nodiscard]] std::size_t size() const { return first_.size(); }
    void append(double first, double second);
    void clear();
    /// Whether somebody is nowhere worse than a point. If nobody is, those from `begin` to `end` are nowhere
    /// better than it.
    [[nodiscard]] bool beats(double first, double second, std::size_t& begin, std::size_t& end) const;
    void insert(std::size_t place, double first, double second);
    void erase(std::size_t begin, std::size_t end);
    /// Who stands closest to his neighbours, the first of several, but never the very first.
    [[nodiscard]] std::size_t most_crowded();

  private:
    void measure(std::size_t begin, std::size_t end);

    std::vector<double> first_;
    std::vector<double> second_;
    std::vector<double> distances_; ///< kept up once they have been asked for
    bool has_distances_ = false;
    double first_range_ = 0.0;
    double second_range_ = 0.0;
};

/// Where those in a front stand, best in the first objective first, so that it is soon found out who may
/// enter and who has to leave. What else is known of them is kept by a Front.
class FrontIndex {
  public:
    /// `most` is how many there may be.
    FrontIndex(const Schema& schema, std::size_t most);

    /// One that is in already, behind all that are.
    void append(RecordView record);

    struct Change {
        Entered entered{};
        std::span<const std::uint32_t> dominated{}; ///< places of those who leave, ascending
        std::size_t place = 0;                      ///< where the new one stands, once they have left
        std::optional<std::size_t> crowded{};       ///< who leaves after that
    };
    /// One who wants in. Whoever is as good as somebody in it, or dominated, does not enter.
    Change offer(RecordView record);

  private:
    using Seat = std::uint32_t;

    [[nodiscard]] std::size_t size() const { return is_flat() ? flat_.size() : orders_.front().size(); }
    [[nodiscard]] bool is_flat() const { return point_.size() == 2 && violation_ == 0.0; }
    [[nodiscard]] Change offer_flat();
    [[nodiscard]] Change squeezed(std::size_t place);
    void load(RecordView record);
    [[nodiscard]] Seat take_seat();
    void leave_seat(Seat seat);
    [[nodiscard]] bool find_dominated();
    [[nodiscard]] std::size_t lower(std::size_t objective, double value) const;
    [[nodiscard]] std::size_t upper(std::size_t objective, double value) const;
    [[nodiscard]] std::size_t place_in(std::size_t objective, Seat seat) const;
    void insert(std::size_t place);
    void erase(std::size_t place);
    void clear();
    void sort_orders();
    void measure(std::size_t objective, std::size_t begin, std::size_t end);
    void measure_around(std::size_t objective, std::size_t place);
    void measure_all(std::size_t objective);
    [[nodiscard]] std::size_t most_crowded();

    const Schema& schema_;
    std::size_t most_;
    double violation_ = 0.0; ///< that of all of them
    FlatFront flat_;         ///< where that is enough; the rest is for all other fronts
    /// Each has a seat as long as it is in. By objective the values, the lower the better; not a number on
    /// seats that are free, which is neither better nor worse than anything.
    std::vector<std::vector<double>> columns_;
    std::vector<Seat> free_;
    /// By objective the seats in the order of the values, equals in that of the front, which is the first
    /// one. The others are kept up once somebody had to leave because of the crowd, and so is what follows.
    std::vector<std::vector<Seat>> orders_;
    bool has_orders_ = false;
    std::vector<double> ranges_;              ///< from the first to the last of each order
    std::vector<std::vector<double>> shares_; ///< by objective and seat: what it adds to the distance
    std::vector<double> distances_;           ///< by seat; infinite on those that are free
    std::vector<double> point_;               ///< whoever wants in
    double its_violation_ = 0.0;
    std::vector<std::uint32_t> dominated_;
    std::vector<Seat> seats_; ///< some, for a moment
};

/// A front of entries, each with a `record`: none dominates another, no two have the same objectives, the
/// best in the first objective comes first and never leaves, and of more than `most` the one that stands
/// closest to its neighbours leaves, the first of several.
template <class Entry>
class Front {
  public:
    Front(const Schema& schema, std::vector<Entry>& entries, std::size_t most)
        : entries_{entries}, index_{schema, most} {
        for (const Entry& entry : entries) index_.append(entry.record);
    }

    /// Puts make() into the front if there is a place for its record.
    template <class Make>
    Entered enter(RecordView record, Make make) {
        const FrontIndex::Change change = index_.offer(record);
        const std::size_t place = change.place;
        const std::size_t dominated = change.dominated.size();
        if (!change.entered.is_in && dominated == 0) return change.entered;
        if (change.crowded && dominated == 0) {
            const std::size_t leaving = *change.crowded; // counted with the new one in its place
            if (leaving > place)
                replace(leaving - 1, place, make());
            else
                replace(leaving, place - 1, make());
        } else if (!change.crowded && dominated == 1) {
            replace(change.dominated.front(), place, make());
        } else {
            for (auto one = change.dominated.rbegin(); one != change.dominated.rend(); ++one)
                entries_.erase(at(*one));
            entries_.insert(at(place), make());
            if (change.crowded) entries_.erase(at(*change.crowded));
        }
        return change.entered;
    }

  private:
    [[nodiscard]] auto at(std::size_t place) { return entries_.begin() + static_cast<std::ptrdiff_t>(place); }
    // One leaves, and another comes, which stands at `place` in the end.
    void replace(std::size_t leaving, std::size_t place, Entry entry) {
        *at(leaving) = std::move(entry);
        if (leaving > place)
            std::rotate(at(place), at(leaving), at(leaving + 1));
        else
            std::rotate(at(leaving), at(leaving + 1), at(place + 1));
    }

    std::vector<Entry>& entries_;
    FrontIndex index_;
};

/// Puts one more into a front.
template <class Entry>
Entered enter_front(const Schema& schema, std::vector<Entry>& front, Entry entry, std::size_t most) {
    return Front<Entry>{schema, front, most}.enter(entry.record, [&] { return std::move(entry); });
}

} // namespace knossos
