#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/random.hpp>
#include <knossos/maze/representation.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knossos::maze {

/// Checkpoints spread evenly, by a rule that knows the size, the entrance, the exit and the locks and nothing
/// else: see docs/mazes.md, Checkpoints. Throws InvalidInput if there are fewer free cells.
std::vector<Cell> laid_out_checkpoints(const Blueprint& blueprint, std::size_t count);

/// Moves each checkpoint that lies on a cell that is not free, or where one before it lies, to the next free
/// cell in reading order, which after the last cell goes on at the first.
void settle_checkpoints(const Blueprint& blueprint, std::vector<Cell>& checkpoints);

/// Where checkpoints lie, as genes behind those of the maze: a column and a row for each, in as many digits
/// of the genome's own alphabet as the side takes, the first digit counting most. With B numbers that so many
/// digits can write, number v is column v · width div B: every column can be written, none much oftener than
/// another.
class CheckpointGenes {
  public:
    /// No genes: checkpoints stay where the layout has them.
    CheckpointGenes() = default;
    /// Those of the blueprint's checkpoints, behind the genes of `maze`. Throws InvalidSetting if there are
    /// no checkpoints, or fewer free cells.
    CheckpointGenes(const Blueprint& blueprint, const Space& maze);

    [[nodiscard]] std::size_t size() const { return count_ * (column_.digits + row_.digits); }
    [[nodiscard]] bool empty() const { return count_ == 0; }

    template <class View>
    void write(View genome, std::size_t checkpoint, Cell cell) const {
        write_digits(genome, column_, first_of(checkpoint), cell.x);
        write_digits(genome, row_, first_of(checkpoint) + column_.digits, cell.y);
    }

    /// As written: perhaps where nobody may lie.
    template <class View>
    [[nodiscard]] Cell read(View genome, std::size_t checkpoint) const {
        return {read_digits(genome, column_, first_of(checkpoint)),
                read_digits(genome, row_, first_of(checkpoint) + column_.digits)};
    }

    /// All of them, settled.
    template <class View>
    void read_all(const Blueprint& blueprint, View genome, std::vector<Cell>& checkpoints) const {
        checkpoints.clear();
        for (std::size_t i = 0; i < count_; ++i) checkpoints.push_back(read(genome, i));
        settle_checkpoints(blueprint, checkpoints);
    }

    /// Moves one checkpoint: in one of two cases by a step, else to any cell.
    void propose(Stream& stream, Bits genome) const;

  private:
    struct Number {
        std::uint32_t side = 0;
        std::uint32_t digits = 0;
        std::uint64_t range = 1; ///< how many numbers the digits can write
    };

    static Number number_for(std::uint32_t side, std::uint32_t alphabet);

    [[nodiscard]] std::size_t first_of(std::size_t checkpoint) const {
        return first_ + checkpoint * (column_.digits + row_.digits);
    }

    template <class View>
    void write_digits(View genome, const Number& number, std::size_t first, std::uint64_t place) const {
        std::uint64_t value = (place * number.range + number.side - 1) / number.side;
        for (std::size_t i = number.digits; i-- > 0; value /= alphabet_) {
            const std::uint64_t digit = value % alphabet_;
            if constexpr (std::same_as<View, Bits>)
                genome.set(first + i, digit != 0);
            else
                genome.set(first + i, static_cast<std::uint32_t>(digit));
        }
    }

    template <class View>
    [[nodiscard]] std::uint32_t read_digits(View genome, const Number& number, std::size_t first) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < number.digits; ++i)
            value = value * alphabet_ + static_cast<std::uint64_t>(genome[first + i]);
        return static_cast<std::uint32_t>(value * number.side / number.range);
    }

    std::size_t first_ = 0; ///< genes of the maze
    std::size_t count_ = 0; ///< checkpoints
    std::uint32_t alphabet_ = 2;
    Number column_{};
    Number row_{};
};

} // namespace knossos::maze
