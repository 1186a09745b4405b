#include <knossos/core/error.hpp>
#include <knossos/queens/all_solutions.hpp>
#include <knossos/queens/symmetry.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <queue>

namespace knossos::queens {

namespace {

constexpr std::array<KnownCount, 27> known_counts{{{1, 1},
                                                   {0, 0},
                                                   {0, 0},
                                                   {2, 1},
                                                   {10, 2},
                                                   {4, 1},
                                                   {40, 6},
                                                   {92, 12},
                                                   {352, 46},
                                                   {724, 92},
                                                   {2680, 341},
                                                   {14200, 1787},
                                                   {73712, 9233},
                                                   {365596, 45752},
                                                   {2279184, 285053},
                                                   {14772512, 1846955},
                                                   {95815104, 11977939},
                                                   {666090624, 83263591},
                                                   {4968057848, 621012754},
                                                   {39029188884, 4878666808},
                                                   {314666222712, 39333324973},
                                                   {2691008701644, 336376244042},
                                                   {24233937684440, 3029242658210},
                                                   {227514171973736, 28439272956934},
                                                   {2207893435808352, 275986683743434},
                                                   {22317699616364044, 2789712466510289},
                                                   {234907967154122528, 29363495934315694}}};

using Columns = std::vector<std::uint32_t>;

// A board under improvement: queens per diagonal, so that a swap is evaluated by the eight diagonals it
// touches.
class Climber {
  public:
    explicit Climber(std::uint32_t size)
        : size_{size}, rising_(std::size_t{2} * size), falling_(std::size_t{2} * size) {}

    // Swaps queens until none attacks another (true) or no move has helped for a while (false).
    bool climb(Stream& stream, Columns& columns, std::uint64_t& evaluations) {
        count(columns);
        const std::uint32_t patience = 4 * size_;
        if (size_ == 1) return true;
        for (std::uint32_t unimproved = 0; unimproved < patience; ++unimproved) {
            const std::uint32_t row = stream.below(size_);
            if (rising_[row + columns[row]] < 2 && falling_[row + size_ - columns[row]] < 2) {
                if (conflicts_ == 0) return true;
                continue;
            }
            if (improve_row(stream, columns, row, evaluations)) unimproved = 0;
            if (conflicts_ == 0) return true;
        }
        return false;
    }

  private:
    void count(const Columns& columns) {
        std::ranges::fill(rising_, 0);
        std::ranges::fill(falling_, 0);
        conflicts_ = 0;
        for (std::uint32_t row = 0; row < size_; ++row) {
            conflicts_ += rising_[row + columns[row]]++;
            conflicts_ += falling_[row + size_ - columns[row]]++;
        }
    }

    [[nodiscard]] int delta(const Columns& columns, std::uint32_t i, std::uint32_t j) const {
        const std::uint32_t a = columns[i];
        const std::uint32_t b = columns[j];
        const int after = rising_[i + b] + rising_[j + a] + falling_[i + size_ - b] + falling_[j + size_ - a];
        const int before =
            rising_[i + a] + rising_[j + b] + falling_[i + size_ - a] + falling_[j + size_ - b];
        return after - before + 4 + (i + a == j + b ? 2 : 0) + (i + size_ - a == j + size_ - b ? 2 : 0);
    }

    // Takes the best swap of this row with another, the last of equals with growing reluctance; sideways
    // steps are taken, steps up are not. Returns whether it went down.
    bool improve_row(Stream& stream, Columns& columns, std::uint32_t row, std::uint64_t& evaluations) {
        int best = 1;
        std::uint32_t partner = row;
        std::uint32_t ties = 0;
        for (std::uint32_t other = 0; other < size_; ++other) {
            if (other == row) continue;
            const int change = delta(columns, row, other);
            if (change > best || (change == best && stream.below(++ties) != 0)) continue;
            if (change < best) ties = 1;
            best = change;
            partner = other;
        }
        evaluations += size_ - 1;
        if (best > 0 || partner == row) return false;
        move(columns, row, partner, best);
        return best < 0;
    }

    void move(Columns& columns, std::uint32_t i, std::uint32_t j, int change) {
        for (const std::uint32_t row : {i, j}) {
            --rising_[row + columns[row]];
            --falling_[row + size_ - columns[row]];
        }
        std::swap(columns[i], columns[j]);
        for (const std::uint32_t row : {i, j}) {
            ++rising_[row + columns[row]];
            ++falling_[row + size_ - columns[row]];
        }
        conflicts_ += change;
    }

    std::uint32_t size_;
    std::vector<int> rising_;
    std::vector<int> falling_;
    int conflicts_ = 0;
};

// The solutions so far, one of each class, with how often the search has come by each.
class Archive {
  public:
    [[nodiscard]] bool empty() const { return classes_.empty(); }
    [[nodiscard]] std::uint64_t fundamental() const { return classes_.size(); }
    [[nodiscard]] std::uint64_t solutions() const { return solutions_; }

    void add(const Columns& columns) {
        Columns representative = canonical(columns);
        const auto [place, fresh] = classes_.try_emplace(std::move(representative), std::uint64_t{0});
        if (fresh) {
            solutions_ += orbit(place->first).size();
            least_visited_.push({0, place});
        } else {
            ++place->second;
        }
    }

    // The class visited least, in one of its orientations; the choice counts as a visit.
    Columns parent(Stream& stream) {
        while (true) {
            auto [visits, place] = least_visited_.top();
            least_visited_.pop();
            const bool stale = visits != place->second;
            if (!stale) ++place->second;
            least_visited_.push({place->second, place});
            if (stale) continue;
            return transform(place->first, symmetries[stream.below(8)]);
        }
    }

    [[nodiscard]] std::vector<Columns> classes() const {
        std::vector<Columns> found;
        for (const auto& [columns, visits] : classes_) found.push_back(columns);
        return found;
    }

  private:
    using Classes = std::map<Columns, std::uint64_t>;
    struct Candidate {
        std::uint64_t visits;
        Classes::iterator place;
        bool operator<(const Candidate& other) const {
            if (visits != other.visits) return visits > other.visits;
            return place->first > other.place->first;
        }
    };

    Classes classes_;
    std::uint64_t solutions_ = 0;
    std::priority_queue<Candidate> least_visited_;
};

void swap_some(Stream& stream, Columns& columns) {
    const auto size = static_cast<std::uint32_t>(columns.size());
    const std::uint32_t swaps = 1 + stream.below(std::max(size / 2, 1U));
    for (std::uint32_t i = 0; i < swaps; ++i)
        std::swap(columns[stream.below(size)], columns[stream.below(size)]);
}

} // namespace

std::optional<KnownCount> known_count(std::uint32_t size) {
    if (size < 1 || size > known_counts.size()) return std::nullopt;
    return known_counts[size - 1];
}

Collection collect_solutions(std::uint32_t size, const Streams& streams, const CollectionOptions& options) {
    if (size == 0) throw InvalidInput{"n is 0; a board has at least one row"};
    const auto known = known_count(size);
    Collection collection;
    Archive archive;
    Climber climber{size};
    Columns columns(size);
    const auto done = [&] { return known && archive.solutions() >= known->all; };
    const auto point = [&] {
        return CollectionPoint{collection.evaluations, archive.solutions(), archive.fundamental()};
    };
    std::uint64_t next_point = 1000;
    while (!done() && collection.evaluations < options.max_evaluations) {
        Stream stream = streams.at(Purpose::solve, collection.attempts, 0);
        // Half of the attempts look around known solutions, half anywhere.
        if (!archive.empty() && collection.attempts % 2 == 0) {
            columns = archive.parent(stream);
            swap_some(stream, columns);
        } else {
            std::iota(columns.begin(), columns.end(), 0U);
            stream.shuffle(std::span{columns});
        }
        ++collection.attempts;
        ++collection.evaluations;
        if (climber.climb(stream, columns, collection.evaluations)) archive.add(columns);
        if (collection.evaluations >= next_point) {
            collection.progress.push_back(point());
            next_point = 2 * collection.evaluations;
        }
        if (options.keep_going && collection.attempts % 256 == 0 && !options.keep_going(point())) break;
    }
    collection.progress.push_back(point());
    collection.fundamental = archive.classes();
    collection.solutions = archive.solutions();
    collection.complete = done();
    return collection;
}

std::vector<std::vector<std::uint32_t>> all_boards(const Collection& collection) {
    std::vector<Columns> boards;
    for (const auto& columns : collection.fundamental)
        for (auto& image : orbit(columns)) boards.push_back(std::move(image));
    std::ranges::sort(boards);
    return boards;
}

} // namespace knossos::queens
