#include <knossos/core/error.hpp>
#include <knossos/dungeon/judge_batch.hpp>

#include <fmt/format.h>

#include <vector>

namespace knossos::dungeon {

namespace {

struct Worker {
    Judge judge{};
    Level level{};
};

void read(const GridBatch& dungeons, std::size_t index, Level& level) {
    level.width = dungeons.width;
    level.height = dungeons.height;
    level.cells.clear();
    bool are_tiles = true;
    for (std::size_t y = 0; y < dungeons.height; ++y)
        for (std::size_t x = 0; x < dungeons.width; ++x) {
            const std::uint8_t cell = dungeons.at(index, x, y);
            are_tiles = are_tiles && cell < tile_kinds;
            level.cells.push_back(static_cast<Tile>(cell));
        }
    if (are_tiles) return;
    check_cells(dungeons, index, tile_kinds,
                fmt::format("tiles are 0 ({}) to {} ({})", name_of(Tile::rock), tile_kinds - 1,
                            name_of(Tile::one_way_west)));
    throw InvalidInput{fmt::format("levels[{}] changed while it was judged", index)};
}

} // namespace

void judge(const GridBatch& dungeons, MeasureSet wanted, unsigned threads,
           const std::function<void(std::size_t index, const Judgement& judgement)>& judged) {
    std::vector<Worker> workers;
    for_each_stretch(
        dungeons.count, 4, threads, [&](std::size_t count) { workers.resize(count); },
        [&](std::size_t first, std::size_t end, std::size_t worker) {
            auto& [its, level] = workers[worker];
            for (std::size_t i = first; i < end; ++i) {
                read(dungeons, i, level);
                try {
                    judged(i, its.judge(level, wanted));
                } catch (const InvalidInput& error) {
                    throw InvalidInput{fmt::format("levels[{}]: {}", i, error.what())};
                }
            }
        });
}

} // namespace knossos::dungeon
