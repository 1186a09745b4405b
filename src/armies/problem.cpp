#include "armies/lines.hpp"

#include <knossos/armies/campaign.hpp>
#include <knossos/armies/problem.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace knossos::armies {

namespace {

// Which army stands on each line, while queens are let in one by one.
class Owners {
  public:
    explicit Owners(std::uint32_t size) : size_{size}, owners_(count_of_lines(size)) {}

    /// Whether a queen may stand here; if so, she does from now on.
    bool admit(std::uint32_t square, std::uint8_t army) {
        const auto lines = lines_through(square, size_);
        for (const std::uint16_t line : lines)
            if (owners_[line] != 0 && owners_[line] != army) return false;
        for (const std::uint16_t line : lines) owners_[line] = army;
        return true;
    }

  private:
    std::uint32_t size_;
    std::vector<std::uint8_t> owners_;
};

// Covers the board with copies of a smaller one whose edges are joined, from a random square on.
void lay_tiles(Stream& stream, const PeaceableArmies& problem, Plan plan, Integers<std::uint8_t> squares) {
    const std::uint32_t side = problem.armies + stream.below(problem.size / 2 - problem.armies + 1);
    std::vector<std::uint8_t> tile(std::size_t{side} * side);
    plan.from_empty = true;
    plan.joined = true;
    plan.tries = std::uint64_t{problem.tries} * tile.size();
    campaign(stream, plan, side, problem.armies, tile);
    const std::uint32_t down = stream.below(side);
    const std::uint32_t right = stream.below(side);
    for (std::uint32_t row = 0; row < problem.size; ++row)
        for (std::uint32_t column = 0; column < problem.size; ++column)
            squares[row * problem.size + column] = tile[(row + down) % side * side + (column + right) % side];
}

} // namespace

double PeaceableArmies::evaluate(IntegerView<std::uint8_t> squares) const {
    Owners owners{size};
    std::array<std::uint32_t, most_armies + 1> sizes{};
    for (std::uint32_t square = 0; square < squares.size(); ++square) {
        const std::uint8_t army = squares[square];
        if (army == 0) continue;
        if (!owners.admit(square, army)) return 0.0;
        ++sizes[army];
    }
    return *std::min_element(sizes.begin() + 1, sizes.begin() + 1 + armies);
}

void PeaceableArmies::initialise(Stream& stream, Integers<std::uint8_t> squares) const {
    for (std::uint8_t& square : squares) square = static_cast<std::uint8_t>(stream.below(armies + 1));
    repair(stream, squares);
}

void PeaceableArmies::repair(Stream& stream, Integers<std::uint8_t> squares) const {
    Owners owners{size};
    std::vector<std::uint32_t> order(squares.size());
    std::iota(order.begin(), order.end(), 0U);
    stream.shuffle(std::span{order});
    for (const std::uint32_t square : order)
        if (squares[square] != 0 && !owners.admit(square, squares[square])) squares[square] = 0;
}

bool PeaceableArmies::propose(Stream& stream, Integers<std::uint8_t> squares) const {
    // By experiment: where armies form, and where they are fixed. The more there are, the fewer queens each
    // has to lose.
    constexpr double forming = 2.5;
    constexpr double fixed = 0.4;
    constexpr double kept = 0.9; // of the heat, where a board is not to be forgotten altogether
    constexpr std::array<Turn, 4> turns{Turn::none, Turn::half, Turn::half, Turn::quarter};
    constexpr std::uint32_t most_doublings = 4;
    const std::uint32_t kind = stream.below(8);
    Plan plan;
    plan.from_empty = kind > 2;
    if (plan.from_empty) plan.turn = turns[stream.below(turns.size())];
    plan.hot = forming / armies * (0.75 + 0.5 * stream.real()) * (plan.from_empty ? 1.0 : kept);
    plan.cold = fixed * plan.hot;
    // Most boards are found soon, some only by patience: every length takes about as much time in all.
    plan.tries = std::uint64_t{tries} * squares.size();
    for (std::uint32_t i = 0; i < most_doublings && stream.below(2) != 0; ++i) plan.tries *= 2;
    if (kind == 0 && size / 2 >= armies) {
        lay_tiles(stream, *this, plan, squares);
        plan.hot *= 0.6;
        plan.cold = fixed * plan.hot;
    }
    campaign(stream, plan, size, armies, {squares.data(), squares.size()});
    return true;
}

} // namespace knossos::armies
