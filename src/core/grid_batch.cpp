#include <knossos/core/error.hpp>
#include <knossos/core/grid_batch.hpp>
#include <knossos/core/thread_pool.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace knossos {

void check_cells(const GridBatch& batch, std::size_t grid, unsigned values, std::string_view meaning) {
    for (std::size_t y = 0; y < batch.height; ++y)
        for (std::size_t x = 0; x < batch.width; ++x)
            if (batch.at(grid, x, y) >= values)
                throw InvalidInput{
                    fmt::format("levels[{}, {}, {}] is {}; {}", grid, y, x, batch.at(grid, x, y), meaning)};
}

void for_each_stretch(std::size_t count, std::size_t together, unsigned threads,
                      const std::function<void(std::size_t workers)>& prepare,
                      const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
    const std::size_t stretches = (count + together - 1) / together;
    const std::size_t wanted = threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    ThreadPool pool{static_cast<unsigned>(std::clamp<std::size_t>(stretches, 1, wanted))};
    prepare(pool.size());
    pool.for_each(stretches, [&](std::size_t index, std::size_t worker) {
        work(index * together, std::min(count, (index + 1) * together), worker);
    });
}

} // namespace knossos
