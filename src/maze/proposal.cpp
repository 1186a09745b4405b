#include "maze/proposal.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace knossos::maze {

namespace {

constexpr std::uint32_t most_nodes = 80;
constexpr int most_tries = 4;

constexpr std::array<std::uint8_t, 4> shuffled_directions(std::uint32_t number) {
    std::array<std::uint8_t, 4> order{0, 1, 2, 3};
    for (std::uint32_t i = 3; i > 0; --i) {
        std::swap(order[i], order[number % (i + 1)]);
        number /= i + 1;
    }
    return order;
}

} // namespace

void Proposer::prepare(const Blueprint& blueprint) {
    const Layout& layout = blueprint.layout();
    if (stride_ == layout.width + 1 && blank_.size() == (std::size_t{layout.height} + 2) * stride_ + 1 &&
        entrance_ == layout.entrance && exit_ == layout.exit && locked_rock_ == blueprint.locked_rock())
        return;
    stride_ = layout.width + 1;
    entrance_ = layout.entrance;
    exit_ = layout.exit;
    locked_rock_ = blueprint.locked_rock();
    blank_.assign((std::size_t{layout.height} + 2) * stride_ + 1, closed);
    cells_.resize(blank_.size());
    for (std::uint32_t y = 0; y < layout.height; ++y) {
        for (std::uint32_t x = 0; x < layout.width; ++x) {
            const std::uint32_t position = (y + 1) * stride_ + x + 1;
            cells_[position] = {x, y};
            if (!locked_rock_.is_rock({x, y})) blank_[position] = free;
        }
    }
    path_.resize(cells_.size());
    path_length_ = 0;
    known_.clear();
}

void Proposer::find_path(const Blueprint& blueprint, Bits genome) {
    const auto words = genome.words();
    if (std::ranges::equal(known_, words)) return;
    known_.assign(words.begin(), words.end());
    states_ = blank_;
    path_length_ = 0;
    flood_.visit(blueprint.area(), 0, [&](auto& flood) {
        flood.prepare(blueprint.width(), blueprint.height(), entrance_, exit_, {});
        flood.load(words.data());
        std::int32_t distance = flood.exit_path();
        if (distance < 0) return;
        std::uint32_t at = flood.exit();
        std::uint32_t* end = path_.data(); // no longer than there are cells
        *end++ = at;
        while (distance-- > 0) {
            std::uint32_t next = at;
            flood.for_each_step(at, [&](std::uint32_t to) {
                if (next == at && flood.distance(to) == distance) next = to;
            });
            at = next;
            *end++ = at;
        }
        path_length_ = static_cast<std::uint32_t>(end - path_.data());
    });
    for (const std::uint32_t at : path()) states_[at] = on_path;
}

bool Proposer::propose(const Blueprint& blueprint, const ProposalMix& mix, Stream& stream, Bits genome) {
    prepare(blueprint);
    find_path(blueprint, genome);
    if (path_length_ > shortest_stretch && stream.chance(mix.rerouted) &&
        reroute(blueprint, mix.shortens ? Length::any : Length::longer_or_same, stream, genome))
        return true;
    const std::uint32_t count = 1 + stream.below(mix.most_flips);
    bool changed = false;
    for (std::uint32_t i = 0; i < count; ++i) changed |= flip(blueprint, stream, genome);
    return changed;
}

bool Proposer::flip(const Blueprint& blueprint, Stream& stream, Bits genome) const {
    for (int attempt = 0; attempt < 16; ++attempt) {
        const std::size_t index = blueprint.ruler(stream.below(static_cast<std::uint32_t>(genome.size())));
        const Cell cell{static_cast<std::uint32_t>(index % blueprint.width()),
                        static_cast<std::uint32_t>(index / blueprint.width())};
        if (blueprint.locked_rock().is_rock(cell) || blueprint.locked_open().is_rock(cell)) continue;
        genome.flip(index);
        return true;
    }
    return false;
}

bool Proposer::propose(const Blueprint& blueprint, Move move, Stream& stream, Bits genome) {
    prepare(blueprint);
    const auto flip_some = [&](std::uint32_t most) {
        bool changed = false;
        for (std::uint32_t left = 1 + stream.below(most); left > 0; --left)
            changed |= flip(blueprint, stream, genome);
        return changed;
    };
    if (move == Move::flips) return flip_some(4);
    if (move == Move::blocks) return set_block(blueprint, stream, genome);
    if (move == Move::copies) return copy_block(blueprint, stream, genome);
    find_path(blueprint, genome);
    if (move == Move::fillings) return fill(blueprint, stream, genome);
    if (move == Move::clearings) return clear(blueprint, stream, genome);
    const Length change = move == Move::longer_ways    ? Length::longer
                          : move == Move::shorter_ways ? Length::shorter
                                                       : Length::same;
    if (path_length_ > shortest_stretch && reroute(blueprint, change, stream, genome)) return true;
    return flip_some(1);
}

std::uint32_t Proposer::position_of(const Blueprint& blueprint, std::size_t index) const {
    const std::size_t width = blueprint.width();
    return static_cast<std::uint32_t>((index / width + 1) * stride_ + index % width + 1);
}

// Open cells that the path does not need become rock: the path stays as long as it is.
bool Proposer::fill(const Blueprint& blueprint, Stream& stream, Bits genome) const {
    bool changed = false;
    for (std::uint32_t left = 4 + stream.below(12); left > 0; --left) {
        const std::size_t index = blueprint.ruler(stream.below(static_cast<std::uint32_t>(genome.size())));
        if (genome[index] || states_[position_of(blueprint, index)] == on_path) continue;
        genome.set(index, true);
        changed = true;
    }
    return changed;
}

// Rock is opened where that makes no shortcut: whatever lies beside it is as far from the entrance, give or
// take the two steps across it.
bool Proposer::clear(const Blueprint& blueprint, Stream& stream, Bits genome) {
    constexpr int most_looks = 32;
    std::uint32_t left = 1 + stream.below(8);
    bool changed = false;
    flood_.visit(blueprint.area(), 0, [&](const auto& flood) {
        for (int look = 0; look < most_looks && left > 0; ++look) {
            const std::size_t index =
                blueprint.ruler(stream.below(static_cast<std::uint32_t>(genome.size())));
            if (!genome[index]) continue;
            const std::uint32_t at = position_of(blueprint, index);
            std::int32_t nearest = std::numeric_limits<std::int32_t>::max();
            std::int32_t farthest = -1;
            for (const std::uint32_t beside : {at - stride_, at - 1, at + 1, at + stride_}) {
                const std::int32_t distance = flood.distance(beside);
                if (distance < 0) continue;
                nearest = std::min(nearest, distance);
                farthest = std::max(farthest, distance);
            }
            if (farthest - 2 > nearest) continue;
            genome.set(index, false);
            changed = true;
            --left;
        }
    });
    return changed;
}

bool Proposer::set_block(const Blueprint& blueprint, Stream& stream, Bits genome) {
    constexpr std::uint32_t largest = 5;
    const std::uint32_t left = stream.below(blueprint.width());
    const std::uint32_t top = stream.below(blueprint.height());
    const std::uint32_t right = std::min(blueprint.width(), left + 1 + stream.below(largest));
    const std::uint32_t bottom = std::min(blueprint.height(), top + 1 + stream.below(largest));
    const bool rock = stream.below(2) != 0;
    bool changed = false;
    for (std::uint32_t y = top; y < bottom; ++y) {
        for (std::uint32_t x = left; x < right; ++x) {
            const std::size_t index = blueprint.ruler(std::size_t{y} * blueprint.width() + x);
            changed |= genome[index] != rock;
            genome.set(index, rock);
        }
    }
    return changed;
}

// What is good somewhere may be good elsewhere, too. All draws come before anything changes.
bool Proposer::copy_block(const Blueprint& blueprint, Stream& stream, Bits genome) {
    constexpr std::uint32_t largest = 8;
    const std::uint32_t width = std::min(blueprint.width(), 2 + stream.below(largest - 1));
    const std::uint32_t height = std::min(blueprint.height(), 2 + stream.below(largest - 1));
    const std::uint32_t from_x = stream.below(blueprint.width() - width + 1);
    const std::uint32_t from_y = stream.below(blueprint.height() - height + 1);
    const std::uint32_t to_x = stream.below(blueprint.width() - width + 1);
    const std::uint32_t to_y = stream.below(blueprint.height() - height + 1);
    const std::uint32_t mirrored = stream.below(4); // bit 0: left to right, bit 1: top to bottom
    std::array<std::array<bool, largest>, largest> rock{};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            rock[y][x] = genome[std::size_t{from_y + y} * blueprint.width() + from_x + x];
    bool changed = false;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const bool wanted =
                rock[(mirrored & 2) != 0 ? height - 1 - y : y][(mirrored & 1) != 0 ? width - 1 - x : x];
            const std::size_t index = blueprint.ruler(std::size_t{to_y + y} * blueprint.width() + to_x + x);
            changed |= genome[index] != wanted;
            genome.set(index, wanted);
        }
    }
    return changed;
}

bool Proposer::reroute(const Blueprint& blueprint, Length change, Stream& stream, Bits genome) {
    const std::uint32_t longest = std::min(longest_stretch, path_length_ - 1);
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        const std::uint32_t length = shortest_stretch + stream.below(longest - shortest_stretch + 1);
        const std::uint32_t first = stream.below(path_length_ - length);
        // Ways between two cells differ by an even number of steps. As long as before is what is found most
        // easily, and it is such changes that make room for longer ways.
        std::uint32_t wanted = length;
        const bool may_differ = change == Length::any || change == Length::longer_or_same;
        const std::uint32_t lot = may_differ ? stream.below(10) : 9;
        if (lot == 0 || change == Length::longer) wanted += 2;
        if ((lot == 1 && change == Length::any) || change == Length::shorter) wanted -= 2;
        const auto stretch = path().subspan(first + 1, length - 1);
        for (const std::uint32_t at : stretch) states_[at] = free;
        goal_ = path_[first + length];
        goal_cell_ = cells_[goal_];
        nodes_ = most_nodes;
        way_length_ = 0;
        const bool found =
            steps_to_goal(path_[first]) <= wanted && search(stream, path_[first], path_[first], wanted);
        if (found) write(blueprint, first, length, genome);
        for (const std::uint32_t at : way()) states_[at] = free;
        for (const std::uint32_t at : stretch) states_[at] = on_path;
        if (found) return true;
    }
    return false;
}

// Whether a way of `left` more steps leads from a cell to the goal; way_ holds its cells then.
bool Proposer::search(Stream& stream, std::uint32_t from, std::uint32_t came_from, std::uint32_t left) {
    if (left == 1) return steps_to_goal(from) == 1;
    if (nodes_ == 0) return false;
    --nodes_;
    const std::array<std::uint32_t, 4> neighbours{from - stride_, from - 1, from + 1, from + stride_};
    for (const std::uint8_t direction : shuffled_directions(stream.below(24))) {
        const std::uint32_t to = neighbours[direction];
        if (to == came_from || states_[to] != free || steps_to_goal(to) >= left ||
            touches_path(to, from, left == 2))
            continue;
        states_[to] = on_path;
        way_[way_length_++] = to;
        if (search(stream, to, from, left - 1)) return true;
        --way_length_;
        states_[to] = free;
        if (nodes_ == 0) return false;
    }
    return false;
}

// Whether a cell has a neighbour on the path, other than where the way comes from and, if it is the last cell
// before it, the goal.
bool Proposer::touches_path(std::uint32_t at, std::uint32_t from, bool last) const {
    const auto touches = [&](std::uint32_t neighbour) {
        return states_[neighbour] == on_path && neighbour != from && !(last && neighbour == goal_);
    };
    return touches(at - stride_) || touches(at - 1) || touches(at + 1) || touches(at + stride_);
}

std::uint32_t Proposer::steps_to_goal(std::uint32_t position) const {
    const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
    const Cell cell = cells_[position];
    return apart(cell.x, goal_cell_.x) + apart(cell.y, goal_cell_.y);
}

// Fills the old stretch, opens the new way and closes what lies beside it.
void Proposer::write(const Blueprint& blueprint, std::size_t first, std::size_t length, Bits genome) {
    for (std::size_t i = first + 1; i < first + length; ++i) put(blueprint, genome, path_[i], true);
    for (const std::uint32_t at : way()) put(blueprint, genome, at, false);
    for (const std::uint32_t at : way())
        for (const std::uint32_t beside : {at - stride_, at - 1, at + 1, at + stride_})
            if (states_[beside] == free) put(blueprint, genome, beside, true);
}

void Proposer::put(const Blueprint& blueprint, Bits genome, std::uint32_t position, bool rock) const {
    const Cell cell = cells_[position];
    genome.set(blueprint.ruler(std::size_t{cell.y} * blueprint.width() + cell.x), rock);
}

} // namespace knossos::maze
