// The other side of bench/python/run: measures the mazes of a file of bytes, 20 × 20 each, whenever a line
// comes in, on one thread, and prints the processor seconds that it took and a checksum.
#include "../measure.hpp"

#include <knossos/maze/grid_batch.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

int main(int /*count*/, char** words) {
    using namespace knossos;
    constexpr std::uint32_t side = 20;
    std::ifstream file{words[1], std::ios::binary};
    const std::vector<char> bytes{std::istreambuf_iterator<char>{file}, {}};
    const std::size_t mazes = bytes.size() / (std::size_t{side} * side);
    const GridBatch batch{.cells = reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          .count = mazes,
                          .width = side,
                          .height = side,
                          .grid_stride = std::ptrdiff_t{side} * side,
                          .row_stride = side,
                          .cell_stride = 1};
    const maze::Places places{
        .width = side, .height = side, .entrance = {0, 0}, .exit = {side - 1, side - 1}};
    std::vector<maze::Measures> found(mazes);
    for (std::string line; std::getline(std::cin, line);) {
        const double seconds = bench::seconds_of(bench::processor_seconds, [&] {
            maze::measure(batch, places, maze::MeasureSet::all(), 1,
                          [&](std::size_t first, std::span<const maze::Measures> measures) {
                              std::ranges::copy(measures, found.begin() + static_cast<std::ptrdiff_t>(first));
                          });
        });
        double sum = 0.0;
        for (const maze::Measures& one : found) sum += maze::value_of(one, maze::Measure::exit_path);
        fmt::print("{} {}\n", seconds, sum);
        std::fflush(stdout);
    }
}
