#include "armies/lines.hpp"

#include <knossos/armies/board.hpp>
#include <knossos/armies/campaign.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace knossos::armies {

namespace {

// A queen that is to be placed.
struct Placement {
    std::uint32_t square;
    std::uint32_t army;
};

// The lines of a board, and the squares of its lines.
struct Lines {
    std::vector<std::array<std::uint16_t, 4>> through;
    std::vector<std::vector<std::uint16_t>> squares_of;

    Lines(std::uint32_t size, bool joined) : squares_of(count_of_lines(size)) {
        for (std::uint32_t square = 0; square < size * size; ++square) {
            through.push_back(joined ? joined_lines_through(square, size) : lines_through(square, size));
            for (const std::uint16_t line : through.back())
                squares_of[line].push_back(static_cast<std::uint16_t>(square));
        }
    }
};

using Sizes = std::array<std::int32_t, most_armies + 1>; // by army; 0 is nobody

class Campaign {
  public:
    Campaign(Stream& stream, const Plan& plan, std::uint32_t size, std::uint32_t armies,
             std::span<std::uint8_t> squares)
        : stream_{stream}, plan_{plan}, size_{size}, armies_{armies}, squares_{squares},
          lines_{size, plan.joined}, owners_(lines_.squares_of.size()), queens_on_(lines_.squares_of.size()),
          marks_(squares.size()), roots_(squares.size() + turns() + 1) {
        for (std::size_t i = 0; i < roots_.size(); ++i) roots_[i] = std::sqrt(static_cast<double>(i));
        if (plan.from_empty) std::ranges::fill(squares_, std::uint8_t{0});
        for (std::uint32_t square = 0; square < squares_.size(); ++square)
            if (const std::uint8_t army = squares_[square]; army != 0) {
                squares_[square] = 0;
                add({square, army});
            }
        draw_names();
    }

    void go() {
        best_.assign(squares_.begin(), squares_.end());
        std::int32_t most = sizes_[smallest()];
        for (std::uint64_t done = 0; done < plan_.tries; ++done) {
            const double share = static_cast<double>(done) / static_cast<double>(plan_.tries);
            temperature_ = 1.0 / ((1.0 - share) / plan_.hot + share / plan_.cold);
            if (!try_one()) continue;
            const std::int32_t now = sizes_[smallest()];
            if (now < most) continue; // of equals the last, so that boards drift
            most = now;
            best_.assign(squares_.begin(), squares_.end());
        }
        std::ranges::copy(best_, squares_.begin());
    }

  private:
    [[nodiscard]] std::uint32_t turns() const {
        if (!plan_.from_empty) return 1; // what is there need not look the same from all sides
        return plan_.turn == Turn::none ? 1 : plan_.turn == Turn::half ? 2 : 4;
    }

    // What an army is called once the board has been turned: in circles of armies that a full turn closes.
    void draw_names() {
        std::array<std::uint32_t, most_armies> order{};
        for (std::uint32_t i = 0; i < armies_; ++i) order[i] = i + 1;
        if (turns() > 1) stream_.shuffle(std::span{order}.first(armies_));
        for (std::uint32_t first = 0; first < armies_;) {
            std::uint32_t circle = turns() == 1 ? 1 : 1U << stream_.below(turns() == 2 ? 2 : 3);
            if (first + circle > armies_) circle = 1;
            for (std::uint32_t i = 0; i < circle; ++i)
                renamed_[order[first + i]] = order[first + (i + 1) % circle];
            first += circle;
        }
    }

    [[nodiscard]] std::uint32_t turned(std::uint32_t square) const {
        const std::uint32_t last = size_ * size_ - 1;
        if (turns() == 2) return last - square;
        return square % size_ * size_ + (size_ - 1 - square / size_);
    }

    [[nodiscard]] std::uint32_t smallest() const {
        return static_cast<std::uint32_t>(std::min_element(sizes_.begin() + 1, sizes_.begin() + 1 + armies_) -
                                          sizes_.begin());
    }

    bool try_one() {
        const std::uint32_t square = stream_.below(static_cast<std::uint32_t>(squares_.size()));
        const std::uint32_t army = stream_.below(3) != 0 ? smallest() : 1 + stream_.below(armies_);
        if (squares_[square] == army || !gather({square, army})) return false;
        Sizes change{};
        for (const Placement& one : placements()) ++change[one.army];
        // Unless the edges are joined, two lines meet at one square, and who leaves for the first queen alone
        // is known from the lines' counts. More for the others, but never fewer.
        const bool is_counted = !plan_.joined;
        const bool is_exact = is_counted && turns() == 1;
        Draw draw{*this};
        if (is_counted && !draw.accepts(worth(less_those_on_lines(change, square, army), army))) return false;
        find_leavers();
        if (!is_exact) {
            for (const std::uint32_t leaver : leavers_) --change[squares_[leaver]];
            if (!draw.accepts(worth(change, army))) return false;
        }
        for (const std::uint32_t leaver : leavers_) remove(leaver);
        for (const Placement& one : placements()) add(one);
        return true;
    }

    // Decides by the rule of Metropolis, as often as asked, with one number drawn at most.
    struct Draw {
        Campaign& campaign;
        double least = 1.0; // drawn ones are at most 0

        bool accepts(double worth) {
            if (worth >= 0.0) return true;
            if (least > 0.0) least = campaign.temperature_ * portable_log(1.0 - campaign.stream_.real());
            return worth >= least;
        }
    };

    [[nodiscard]] Sizes less_those_on_lines(Sizes change, std::uint32_t square, std::uint32_t army) const {
        for (const std::uint16_t line : lines_.through[square])
            if (owners_[line] != army) change[owners_[line]] -= queens_on_[line];
        if (squares_[square] != 0) change[squares_[square]] += 3; // stands on all four
        return change;
    }

    // Finds what has to be placed with a queen: the same on every side. False if these attack each other.
    bool gather(Placement first) {
        placed_ = 1;
        placements_[0] = first;
        Placement one = first;
        for (std::uint32_t turn = 1; turn < turns(); ++turn) {
            one = {turned(one.square), renamed_[one.army]};
            bool is_new = true;
            for (const Placement& other : placements()) {
                if (other.square == one.square) is_new = false;
                if (other.army != one.army && meet(other.square, one.square)) return false;
            }
            if (is_new) placements_[placed_++] = one;
        }
        return true;
    }

    [[nodiscard]] std::span<const Placement> placements() const {
        return std::span{placements_}.first(placed_);
    }

    [[nodiscard]] bool meet(std::uint32_t a, std::uint32_t b) const {
        const auto& of_a = lines_.through[a];
        const auto& of_b = lines_.through[b];
        return of_a[0] == of_b[0] || of_a[1] == of_b[1] || of_a[2] == of_b[2] || of_a[3] == of_b[3];
    }

    void find_leavers() {
        leavers_.clear();
        ++mark_;
        for (const Placement& one : placements())
            for (const std::uint16_t line : lines_.through[one.square]) {
                if (owners_[line] == 0 || owners_[line] == one.army) continue;
                for (const std::uint16_t other : lines_.squares_of[line]) {
                    if (squares_[other] == 0 || marks_[other] == mark_) continue;
                    marks_[other] = mark_;
                    leavers_.push_back(other);
                }
            }
    }

    // By how much such changes of the armies' sizes are welcome, about in queens of the army that grows.
    [[nodiscard]] double worth(const Sizes& change, std::uint32_t army) const {
        double sum = 0.0;
        for (std::uint32_t one = 1; one <= armies_; ++one)
            if (change[one] != 0) sum += root(sizes_[one] + change[one]) - root(sizes_[one]);
        return 2.2 * root(std::max(1, sizes_[army])) * sum / turns();
    }

    [[nodiscard]] double root(std::int32_t size) const { return roots_[static_cast<std::uint32_t>(size)]; }

    void add(Placement one) {
        squares_[one.square] = static_cast<std::uint8_t>(one.army);
        ++sizes_[one.army];
        for (const std::uint16_t line : lines_.through[one.square]) {
            owners_[line] = static_cast<std::uint8_t>(one.army);
            ++queens_on_[line];
        }
    }

    void remove(std::uint32_t square) {
        --sizes_[squares_[square]];
        squares_[square] = 0;
        for (const std::uint16_t line : lines_.through[square])
            if (--queens_on_[line] == 0) owners_[line] = 0;
    }

    Stream& stream_;
    const Plan& plan_;
    std::uint32_t size_;
    std::uint32_t armies_;
    std::span<std::uint8_t> squares_;
    Lines lines_;
    std::vector<std::uint8_t> owners_;     // the army that stands on a line
    std::vector<std::uint16_t> queens_on_; // how many of it do
    std::vector<std::uint64_t> marks_;     // when a queen was last told to leave
    std::vector<double> roots_;
    std::vector<std::uint8_t> best_;
    std::vector<std::uint32_t> leavers_;
    std::array<Placement, 4> placements_{};
    std::size_t placed_ = 0;
    std::array<std::uint32_t, most_armies + 1> renamed_{};
    Sizes sizes_{};
    std::uint64_t mark_ = 0;
    double temperature_ = 1.0;
};

} // namespace

void campaign(Stream& stream, const Plan& plan, std::uint32_t size, std::uint32_t armies,
              std::span<std::uint8_t> squares) {
    Campaign{stream, plan, size, armies, squares}.go();
}

} // namespace knossos::armies
