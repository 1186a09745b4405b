#include <knossos/core/thread_pool.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace knossos {

namespace {

// Looks for a while before it is worth going to sleep: rounds follow each other within microseconds, and
// waking a thread takes longer than that. Gives the processor to whoever else wants it, and if that took
// long, sleeps at once.
template <class Condition>
bool comes_soon(Condition condition) {
    using Clock = std::chrono::steady_clock;
    constexpr auto soon = std::chrono::microseconds{200};
    if (condition()) return true;
    const auto began = Clock::now();
    do {
        std::this_thread::yield();
        if (condition()) return true;
    } while (Clock::now() - began < soon);
    return false;
}

} // namespace

ThreadPool::ThreadPool(unsigned threads) {
    const unsigned wanted = threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    shares_ = std::vector<Share>(wanted);
    workers_.reserve(wanted - 1);
    try {
        for (unsigned worker = 1; worker < wanted; ++worker)
            workers_.emplace_back([this, worker](const std::stop_token& stop) { work(worker, stop); });
    } catch (const std::system_error&) {
        return; // there are no more threads here, or none at all: fewer do the same
    }
}

ThreadPool::~ThreadPool() {
    for (auto& worker : workers_) worker.request_stop();
    workers_.clear();
}

void ThreadPool::for_each(std::size_t count, const Task& task) {
    // Every index runs even after a failure: which tasks ran must not depend on timing.
    if (workers_.empty() || count < 2) {
        std::exception_ptr failure;
        for (std::size_t index = 0; index < count; ++index) {
            try {
                task(index, 0);
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return;
    }
    {
        const std::scoped_lock lock{mutex_};
        task_ = &task;
        for (std::size_t worker = 0; worker < size(); ++worker) {
            shares_[worker].next.store(count * worker / size(), std::memory_order_relaxed);
            shares_[worker].end = count * (worker + 1) / size();
        }
        failure_ = nullptr;
        busy_.store(workers_.size(), std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    drain(0);
    const auto all_done = [this] { return busy_.load(std::memory_order_acquire) == 0; };
    if (!comes_soon(all_done)) {
        std::unique_lock lock{mutex_};
        done_.wait(lock, all_done);
    }
    task_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(std::size_t worker, const std::stop_token& stop) {
    std::size_t seen = 0;
    const auto called = [&] { return round_.load(std::memory_order_acquire) != seen; };
    while (true) {
        if (!comes_soon([&] { return called() || stop.stop_requested(); }) || !called()) {
            std::unique_lock lock{mutex_};
            if (!wake_.wait(lock, stop, called)) return;
        }
        ++seen; // no round begins before everybody has ended the last
        drain(worker);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            // Under the lock, so that it can't fall between the other's last look and its sleep.
            const std::scoped_lock lock{mutex_};
            done_.notify_one();
        }
    }
}

void ThreadPool::drain(std::size_t worker) {
    for (std::size_t other = 0; other < shares_.size(); ++other) {
        Share& share = shares_[(worker + other) % shares_.size()];
        // Looking costs the others nothing; taking would fetch the memory from whoever has used it last.
        if (other > 0 && share.next.load(std::memory_order_relaxed) >= share.end) continue;
        for (std::size_t index = share.next.fetch_add(1); index < share.end;
             index = share.next.fetch_add(1)) {
            try {
                (*task_)(index, worker);
            } catch (...) {
                const std::scoped_lock lock{mutex_};
                if (!failure_ || index < failed_index_) {
                    failure_ = std::current_exception();
                    failed_index_ = index;
                }
            }
        }
    }
}

} // namespace knossos
