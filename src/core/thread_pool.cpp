#include <knossos/core/thread_pool.hpp>

#include <algorithm>
#include <utility>

namespace knossos {

ThreadPool::ThreadPool(unsigned threads) {
    const unsigned wanted = threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    workers_.reserve(wanted - 1);
    for (unsigned worker = 1; worker < wanted; ++worker)
        workers_.emplace_back([this, worker](const std::stop_token& stop) { work(worker, stop); });
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
        count_ = count;
        next_.store(0, std::memory_order_relaxed);
        failure_ = nullptr;
        busy_ = workers_.size();
        ++round_;
    }
    wake_.notify_all();
    drain(0);
    std::unique_lock lock{mutex_};
    done_.wait(lock, [this] { return busy_ == 0; });
    task_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(std::size_t worker, const std::stop_token& stop) {
    std::size_t seen = 0;
    while (true) {
        {
            std::unique_lock lock{mutex_};
            if (!wake_.wait(lock, stop, [&] { return round_ != seen; })) return;
            seen = round_;
        }
        drain(worker);
        const std::scoped_lock lock{mutex_};
        if (--busy_ == 0) done_.notify_one();
    }
}

void ThreadPool::drain(std::size_t worker) {
    for (std::size_t index = next_.fetch_add(1); index < count_; index = next_.fetch_add(1)) {
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

} // namespace knossos
