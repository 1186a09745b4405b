#include <knossos/core/error.hpp>
#include <knossos/maze/grid_batch.hpp>

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <vector>

namespace knossos::maze {

namespace {

// Writes cells one after the other as bits.
class BitWriter {
  public:
    explicit BitWriter(std::uint64_t* words) : word_{words} {}

    // A bit a byte, each of which is 0 or 1: the product brings the eight together in its highest byte.
    // Returns the bits that no cell may have, of all that have them.
    [[nodiscard]] std::uint64_t put_bytes(const std::uint8_t* cells, std::size_t count) {
        std::uint64_t all = 0;
        std::size_t i = 0;
        for (; i + 8 <= count; i += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, cells + i, 8);
            all |= eight;
            put((eight & 0x0101010101010101U) * 0x0102040810204080U >> 56U, 8);
        }
        for (; i < count; ++i) {
            all |= cells[i];
            put(cells[i] & 1U, 1);
        }
        return all & 0xFEFEFEFEFEFEFEFEU;
    }
    void put(std::uint64_t bits, unsigned count) {
        pending_ |= bits << filled_;
        filled_ += count;
        if (filled_ < 64) return;
        *word_++ = pending_;
        filled_ -= 64;
        pending_ = filled_ == 0 ? 0 : bits >> (count - filled_);
    }
    void end() {
        if (filled_ > 0) *word_ = pending_;
    }

  private:
    std::uint64_t* word_;
    std::uint64_t pending_ = 0;
    unsigned filled_ = 0;
};

void pack(const GridBatch& mazes, std::size_t maze, std::uint64_t* words) {
    BitWriter bits{words};
    std::uint64_t others = 0;
    if (mazes.cell_stride == 1) {
        // Rows that follow one another are one.
        const bool is_whole = mazes.row_stride == static_cast<std::ptrdiff_t>(mazes.width);
        const std::size_t stretch = is_whole ? std::size_t{mazes.width} * mazes.height : mazes.width;
        for (std::size_t y = 0; y < (is_whole ? 1 : mazes.height); ++y)
            others |= bits.put_bytes(mazes.row(maze, y), stretch);
    } else {
        for (std::size_t y = 0; y < mazes.height; ++y)
            for (std::size_t x = 0; x < mazes.width; ++x) {
                const std::uint8_t cell = mazes.at(maze, x, y);
                others |= bits.put_bytes(&cell, 1);
            }
    }
    bits.end();
    if (others != 0) check_cells(mazes, maze, 2, "a cell of a maze is 0 (open) or 1 (rock)");
}

struct Worker {
    BatchMeasurer measurer;
    Population mazes;
    std::vector<Measures> measures{};
};

} // namespace

void measure(const GridBatch& mazes, const Places& places, MeasureSet wanted, unsigned threads,
             const Measured& measured) {
    constexpr std::size_t together = 128;
    if (mazes.width == 0 || mazes.height == 0 || mazes.width > largest_side || mazes.height > largest_side)
        throw InvalidInput{fmt::format("levels of {} × {}: both sides of a maze must be in 1..{}",
                                       mazes.width, mazes.height, largest_side)};
    const BatchMeasurer checked{places};
    std::vector<Worker> workers;
    const auto prepare = [&](std::size_t count) {
        const Space space = Space::bits(std::size_t{mazes.width} * mazes.height);
        workers.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            workers.push_back({BatchMeasurer{places}, Population{space, std::min(together, mazes.count)}});
    };
    for_each_stretch(mazes.count, together, threads, prepare,
                     [&](std::size_t first, std::size_t end, std::size_t worker) {
                         auto& [measurer, packed, measures] = workers[worker];
                         for (std::size_t i = first; i < end; ++i)
                             pack(mazes, i, reinterpret_cast<std::uint64_t*>(packed.genome(i - first)));
                         measures.resize(end - first);
                         Batch batch = packed.batch();
                         batch.count = end - first;
                         measurer.measure(batch, wanted, measures);
                         measured(first, measures);
                     });
}

} // namespace knossos::maze
