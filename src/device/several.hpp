#pragma once

#include "device/each_of.hpp"

#include <knossos/algorithms/island.hpp>
#include <knossos/core/thread_pool.hpp>
#include <knossos/run/exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace knossos::device {

/// The engines of the devices that share the islands of a run: each has as many in a row, or one more.
template <class Engine>
class Engines {
  public:
    Engines(std::vector<std::shared_ptr<Engine>> engines, std::uint32_t islands)
        : engines_{std::move(engines)}, islands_{islands} {
        if (engines_.size() > 1) drivers_ = std::make_shared<Drivers>(engines_.size());
    }

    /// That of an island.
    [[nodiscard]] Engine& of(const Island& island) const {
        if (!drivers_) return *engines_.front();
        return *engines_[owner_of(islands_, narrow(engines_.size()), island.index)];
    }

    /// Lets each work on its share, at the same time, of all islands of a run: work(engine, context,
    /// islands).
    template <class Work>
    void each(const Context& context, std::span<Island> islands, Work work) const {
        if (!drivers_) return work(*engines_.front(), context, islands);
        const std::scoped_lock lock{drivers_->mutex};
        // The threads of the run wait meanwhile, so that every device may have its share of as many.
        const std::size_t threads = context.pool != nullptr ? context.pool->size() / engines_.size() : 1;
        if (drivers_->threads != threads) {
            drivers_->helpers.clear();
            for (std::size_t i = 0; threads > 1 && i < engines_.size(); ++i)
                drivers_->helpers.push_back(std::make_unique<ThreadPool>(narrow(threads)));
            drivers_->threads = threads;
        }
        drivers_->pool.for_each(engines_.size(), [&](std::size_t i, std::size_t /*driver*/) {
            const IslandRange its = share_of(narrow(islands.size()), narrow(engines_.size()), narrow(i));
            if (its.count == 0) return;
            const Context own{context.problem,   context.stages,
                              context.hall_size, threads > 1 ? drivers_->helpers[i].get() : nullptr,
                              context.workers,   context.slow};
            work(*engines_[i], own, islands.subspan(its.first, its.count));
        });
    }

  private:
    struct Drivers {
        explicit Drivers(std::size_t devices) : pool{narrow(devices)} {}

        std::mutex mutex{}; ///< several runs may share the devices
        ThreadPool pool;
        std::size_t threads = 0; ///< that help with each device
        std::vector<std::unique_ptr<ThreadPool>> helpers{};
    };

    std::vector<std::shared_ptr<Engine>> engines_;
    std::uint32_t islands_ = 1;
    std::shared_ptr<Drivers> drivers_{};
};

} // namespace knossos::device
