#include <knossos/maze/automaton.hpp>

#include <algorithm>
#include <utility>

namespace knossos::maze {

namespace {

// The next state as a function of the state and the five binary digits of the neighbours' sum, as constants
// for a multiplexer: all ones or zero for each m.
template <class Word>
struct Rule {
    Word when_open[9];
    Word when_rock[9];

    explicit Rule(AutomatonRules rules) {
        for (unsigned m = 0; m < 9; ++m) {
            when_open[m] = static_cast<Word>(Word{0} - (rules.bits >> m & 1U));
            when_rock[m] = static_cast<Word>((rules.bits >> (9 + m) & 1U) - Word{1});
        }
    }
};

template <class Word>
struct Sum {
    Word ones, twos, fours, eights;
};

template <class Word>
Word choose(Word which, Word zero, Word one) {
    return zero ^ ((zero ^ one) & which);
}

template <class Word>
Word look_up(const Word* value, Sum<Word> sum) {
    const Word low =
        choose(sum.twos, choose(sum.ones, value[0], value[1]), choose(sum.ones, value[2], value[3]));
    const Word high =
        choose(sum.twos, choose(sum.ones, value[4], value[5]), choose(sum.ones, value[6], value[7]));
    return choose(sum.eights, choose(sum.fours, low, high), value[8]);
}

// Sum of the eight neighbours of each cell of a row, digit by digit: three cells above, three below, two
// beside. `left` holds each cell's western neighbour, and so on.
template <class Word>
Sum<Word> neighbours(Word above_left, Word above, Word above_right, Word left, Word right, Word below_left,
                     Word below, Word below_right) {
    const auto majority = [](Word a, Word b, Word c) { return static_cast<Word>((a & b) | (c & (a ^ b))); };
    const Word a_ones = above_left ^ above ^ above_right;
    const Word a_twos = majority(above_left, above, above_right);
    const Word b_ones = below_left ^ below ^ below_right;
    const Word b_twos = majority(below_left, below, below_right);
    const Word c_ones = left ^ right;
    const Word c_twos = left & right;
    const Word ones = a_ones ^ b_ones ^ c_ones;
    const Word carry = majority(a_ones, b_ones, c_ones);
    const Word partial = a_twos ^ b_twos ^ c_twos;
    const Word first_fours = majority(a_twos, b_twos, c_twos);
    const Word second_fours = partial & carry;
    return {ones, static_cast<Word>(partial ^ carry), static_cast<Word>(first_fours ^ second_fours),
            static_cast<Word>(first_fours & second_fours)};
}

template <class Word>
Word next_state(const Rule<Word>& rule, Word state, Sum<Word> sum) {
    return choose(state, look_up(rule.when_open, sum), look_up(rule.when_rock, sum));
}

// Rows of one word, with a column of rock on either side: cell x is bit x + 1. Rows are independent of each
// other within a step, so the compiler does several at once.
template <class Word>
void step_narrow(const Rule<Word>& rule, const Word* __restrict rows, Word* __restrict next,
                 std::size_t height, Word border) {
    for (std::size_t y = 1; y <= height; ++y) {
        const Word above = rows[y - 1];
        const Word here = rows[y];
        const Word below = rows[y + 1];
        const Sum<Word> sum =
            neighbours<Word>(static_cast<Word>(above << 1), above, static_cast<Word>(above >> 1),
                             static_cast<Word>(here << 1), static_cast<Word>(here >> 1),
                             static_cast<Word>(below << 1), below, static_cast<Word>(below >> 1));
        next[y] = next_state(rule, here, sum) | border;
    }
}

template <class Word>
void run_narrow(AutomatonRules rules, std::uint32_t steps, Grid& grid) {
    constexpr std::size_t tallest = largest_drawn_side + 2;
    Word buffers[2][tallest];
    const std::size_t height = grid.height();
    const Rule<Word> rule{rules};
    const Word inside = static_cast<Word>((Word{1} << grid.width()) - 1);
    const Word border = static_cast<Word>(~(inside << 1));
    Word* rows = buffers[0];
    Word* next = buffers[1];
    for (Word* buffer : {rows, next}) buffer[0] = buffer[height + 1] = static_cast<Word>(~Word{0});
    for (std::size_t y = 0; y < height; ++y)
        rows[y + 1] = static_cast<Word>(static_cast<Word>(grid.rock_row(y)[0]) << 1 | border);
    for (std::uint32_t step = 0; step < steps; ++step) {
        step_narrow(rule, rows, next, height, border);
        std::swap(rows, next);
    }
    for (std::size_t y = 0; y < height; ++y) grid.rock_row(y)[0] = rows[y + 1] >> 1 & inside;
}

// Rows of several words, between rows of rock. Bits past the width are rock too.
class WideRows {
  public:
    WideRows(const Grid& grid, std::uint64_t last_border)
        : words_{grid.words_per_row()}, bits_(words_ * (grid.height() + 2), ~std::uint64_t{0}) {
        for (std::size_t y = 0; y < grid.height(); ++y) {
            std::ranges::copy(grid.rock_row(y), row(y + 1));
            row(y + 1)[words_ - 1] |= last_border;
        }
    }
    std::uint64_t* row(std::size_t y) { return bits_.data() + y * words_; }
    [[nodiscard]] const std::uint64_t* row(std::size_t y) const { return bits_.data() + y * words_; }
    // Each cell's western (eastern) neighbour; beyond the row lies rock.
    [[nodiscard]] std::uint64_t west(std::size_t y, std::size_t i) const {
        return row(y)[i] << 1 | (i > 0 ? row(y)[i - 1] >> 63 : 1);
    }
    [[nodiscard]] std::uint64_t east(std::size_t y, std::size_t i) const {
        return row(y)[i] >> 1 | (i + 1 < words_ ? row(y)[i + 1] << 63 : std::uint64_t{1} << 63);
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

void run_wide(AutomatonRules rules, std::uint32_t steps, Grid& grid) {
    const std::size_t words = grid.words_per_row();
    const std::size_t height = grid.height();
    const std::uint32_t spare = grid.width() % 64;
    const std::uint64_t border = spare == 0 ? 0 : ~std::uint64_t{0} << spare;
    const Rule<std::uint64_t> rule{rules};
    WideRows rows{grid, border};
    WideRows next = rows;
    for (std::uint32_t step = 0; step < steps; ++step) {
        for (std::size_t y = 1; y <= height; ++y) {
            for (std::size_t i = 0; i < words; ++i) {
                const auto sum = neighbours<std::uint64_t>(
                    rows.west(y - 1, i), rows.row(y - 1)[i], rows.east(y - 1, i), rows.west(y, i),
                    rows.east(y, i), rows.west(y + 1, i), rows.row(y + 1)[i], rows.east(y + 1, i));
                next.row(y)[i] = next_state(rule, rows.row(y)[i], sum) | (i + 1 == words ? border : 0);
            }
        }
        std::swap(rows, next);
    }
    for (std::size_t y = 0; y < height; ++y) {
        std::copy_n(rows.row(y + 1), words, grid.rock_row(y).begin());
        grid.rock_row(y)[words - 1] &= ~border;
    }
}

} // namespace

void run_automaton(AutomatonRules rules, std::uint32_t steps, Grid& grid) {
    if (grid.width() <= 30)
        run_narrow<std::uint32_t>(rules, steps, grid);
    else if (grid.width() <= 62)
        run_narrow<std::uint64_t>(rules, steps, grid);
    else
        run_wide(rules, steps, grid);
}

} // namespace knossos::maze
