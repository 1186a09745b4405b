#include "measure.hpp"

#include "../tests/unit/device_batch.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/device/devices.hpp>
#include <knossos/maze/distance_batch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

/// devices [NAME [MAZES]]: exit distances of mazes that lie in the memory of a device, beside BatchMeasurer
/// on all processors, in the same run. 20 × 20, ways of about 130 steps.
namespace knossos::maze {
namespace {

constexpr std::uint32_t side = 20;
constexpr std::size_t area = std::size_t{side} * side;
constexpr std::int32_t wanted_way = 130;
constexpr std::size_t tile = 1024;

const Places& places() {
    static const Places all{
        .width = side, .height = side, .entrance = {0, 0}, .exit = {side - 1, side - 1}, .checkpoints = {}};
    return all;
}

/// A measurer for each thread, and the batch in tiles.
class Processors {
  public:
    Processors() {
        for (std::size_t worker = 0; worker < pool_.size(); ++worker) measurers_.emplace_back(places());
    }

    [[nodiscard]] std::size_t count() const { return pool_.size(); }
    void exit_paths(const Population& mazes, std::vector<std::int32_t>& out) {
        pool_.for_each((mazes.size() + tile - 1) / tile, [&](std::size_t index, std::size_t worker) {
            const std::size_t first = index * tile;
            const std::size_t count = std::min(tile, mazes.size() - first);
            const Batch some{&mazes.space(), mazes.genome(first), mazes.stride(), count};
            measurers_[worker].exit_paths(some, std::span{out}.subspan(first, count));
        });
    }

  private:
    ThreadPool pool_{0};
    std::vector<BatchMeasurer> measurers_;
};

/// Different mazes, each of which has climbed from an empty one, by flips, until its way is long enough.
Population climbed(std::size_t count, Processors& processors) {
    Population mazes{Space::bits(area), count};
    Population children = mazes;
    std::vector<std::int32_t> ways(count, 0);
    std::vector<std::int32_t> next(count, 0);
    for (std::uint64_t round = 1; *std::ranges::min_element(ways) < wanted_way; ++round) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(children.genome(i), mazes.genome(i), mazes.stride());
            if (ways[i] >= wanted_way) continue;
            Stream stream = Streams{side}.at(Purpose::mutate, round, static_cast<std::uint32_t>(i));
            const Bits child = view_as<Bits>(children.space(), children.genome(i));
            for (std::uint32_t flips = 1 + stream.below(3); flips > 0; --flips)
                child.flip(1 + stream.below64(area - 2));
        }
        processors.exit_paths(children, next);
        for (std::size_t i = 0; i < count; ++i) {
            if (next[i] < ways[i]) continue;
            ways[i] = next[i];
            std::memcpy(mazes.genome(i), children.genome(i), mazes.stride());
        }
    }
    return mazes;
}

// So many mazes, those that there are dealt at random.
Population dealt(const Population& mazes, std::size_t count) {
    Population all{mazes.space(), count};
    Stream stream = Streams{side}.at(Purpose::initialise, 0, 0);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(all.genome(i), mazes.genome(stream.below64(mazes.size())), mazes.stride());
    return all;
}

bool measure(const device::Device& device, std::size_t count) {
    Processors processors;
    constexpr std::size_t different = 1024;
    const Population mazes = dealt(climbed(different, processors), count);
    const Recipe recipe = Recipe::load("maze-direct", {"problem.width=20", "problem.height=20",
                                                       "problem.entrance=0,0", "problem.exit=19,19"});
    const test::DeviceBatch batch{device, recipe, mazes};
    std::vector<std::int32_t> expected(count);
    const auto here = [&] { processors.exit_paths(mazes, expected); };
    const auto there = [&] { batch.evaluate(); };
    const bench::Comparison times = bench::compare(bench::wall_seconds, 5, here, there);
    if (batch.values() != expected) {
        fmt::print("the device finds other ways than the processors\n");
        return false;
    }
    double steps = 0.0;
    for (const std::int32_t way : expected) steps += way;
    const double millions = static_cast<double>(count) * 1e-6;
    fmt::print("exit distances of {} mazes of {} x {}, ways of {:.0f} steps on the average\n", count, side,
               side, steps / static_cast<double>(count));
    fmt::print("  {}: {:.1f} M/s\n  {} processors: {:.1f} M/s\n  ratio {:.2f}\n", device.name,
               millions / bench::median(times.second), processors.count(),
               millions / bench::median(times.first), times.ratio());
    return true;
}

int main_of(int argc, char** argv) {
    try {
        const device::Device device = argc > 1 ? device::device_named(argv[1]) : device::devices().front();
        const std::size_t usual = device.kind == "cpu" ? 65'536 : 4'194'304;
        const std::size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : usual;
        return measure(device, std::max<std::size_t>(count, 1)) ? 0 : 1;
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}

} // namespace
} // namespace knossos::maze

int main(int argc, char** argv) { return knossos::maze::main_of(argc, argv); }
