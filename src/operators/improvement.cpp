#include <knossos/operators/improvement.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace knossos {

namespace {

// A position below `length`, which is hardly ever past 32 bits: what it takes then is done in place, twice
// for every neighbour that is looked at, instead of by a call.
[[gnu::always_inline]] inline std::size_t position_below(Stream& stream, std::size_t length) {
    if (length > 0xFFFFFFFFU) [[unlikely]]
        return stream.below64(length);
    return stream.below(static_cast<std::uint32_t>(length));
}

// A neighbourhood can draw a random move and go through all moves that have position `i` as their first.

struct Flips {
    std::size_t length;

    [[nodiscard]] Flip draw(Stream& stream) const { return {position_below(stream, length)}; }

    template <class Visit>
    void each_at(std::size_t i, Visit visit) const {
        visit(Flip{i});
    }
};

struct Assignments {
    std::size_t length;
    std::uint32_t alphabet;

    [[nodiscard]] Assign draw(Stream& stream) const {
        const std::size_t position = position_below(stream, length);
        return {position, stream.below(alphabet)};
    }

    template <class Visit>
    void each_at(std::size_t i, Visit visit) const {
        for (std::uint32_t value = 0; value < alphabet; ++value) visit(Assign{i, value});
    }
};

template <class Move>
struct Pairs {
    std::size_t length;

    [[nodiscard]] Move draw(Stream& stream) const {
        if (length < 2) return {0, 0};
        std::size_t first = position_below(stream, length);
        std::size_t second = position_below(stream, length - 1);
        second += second >= first ? 1U : 0U;
        return {std::min(first, second), std::max(first, second)};
    }

    template <class Visit>
    void each_at(std::size_t i, Visit visit) const {
        for (std::size_t second = i + 1; second < length; ++second) visit(Move{i, second});
    }
};

// Calls search with the neighbourhood of the chosen kind of move.
template <class Search>
Improved with_neighbourhood(MoveChoice choice, const Space& space, Search search) {
    switch (move_kind(choice, space)) {
    case MoveKind::flip:
        return search(Flips{space.length});
    case MoveKind::assign:
        return search(Assignments{space.length, space.alphabet});
    case MoveKind::swap:
        return search(Pairs<Swap>{space.length});
    case MoveKind::reverse:
        break;
    }
    return search(Pairs<Reverse>{space.length});
}

} // namespace

MoveKind move_kind(MoveChoice choice, const Space& space) {
    switch (choice) {
    case MoveChoice::flip:
        return MoveKind::flip;
    case MoveChoice::assign:
        return MoveKind::assign;
    case MoveChoice::swap:
        return MoveKind::swap;
    case MoveChoice::reverse:
        return MoveKind::reverse;
    case MoveChoice::automatic:
        break;
    }
    if (space.kind == GenomeKind::bits) return MoveKind::flip;
    return space.kind == GenomeKind::permutation ? MoveKind::swap : MoveKind::assign;
}

Improved HillClimb::operator()(Stream& stream, DeltaEvaluator& deltas, const Space& space,
                               Objective objective, std::byte* genome) const {
    return with_neighbourhood(move, space, [&](auto neighbourhood) {
        double fitness = deltas.start(genome);
        for (std::uint32_t attempt = 0; attempt < attempts; ++attempt) {
            const auto candidate = neighbourhood.draw(stream);
            const double after = deltas.evaluate(candidate);
            if (better(objective, after, fitness) || (accept_equal && after == fitness) ||
                std::isnan(after)) {
                deltas.apply(candidate, after);
                fitness = after;
            }
            // Whoever asked names the individual: it is left as it was when its fitness stopped being a
            // number.
            if (std::isnan(after)) return Improved{after, std::uint64_t{attempt} + 2};
        }
        return Improved{fitness, std::uint64_t{attempts} + 1};
    });
}

Improved Descent::operator()(Stream& stream, DeltaEvaluator& deltas, const Space& space, Objective objective,
                             std::byte* genome) const {
    return with_neighbourhood(move, space, [&](auto neighbourhood) {
        double fitness = deltas.start(genome);
        std::uint64_t looked_at = 1;
        const auto consider = [&](auto candidate) {
            if (looked_at >= limit) return;
            const double after = deltas.evaluate(candidate);
            ++looked_at;
            if (!better(objective, after, fitness) && !std::isnan(after)) return;
            deltas.apply(candidate, after);
            fitness = after;
        };
        // A sweep that ends where the last improvement was made has seen the whole neighbourhood of the final
        // genome.
        std::size_t position = stream.below64(space.length);
        for (std::size_t unimproved = 0;
             unimproved < space.length && looked_at < limit && !std::isnan(fitness);) {
            const double before = fitness;
            neighbourhood.each_at(position, consider);
            unimproved = fitness != before ? 0 : unimproved + 1;
            position = position + 1 == space.length ? 0 : position + 1;
        }
        return Improved{fitness, looked_at};
    });
}

} // namespace knossos
