#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace knossos {

/// A fixed set of workers that share the indices of a loop. The calling thread works too, so a pool of one
/// starts no thread at all. What is computed must depend on the index alone; `worker` (0 .. size − 1) only
/// tells which scratch memory to use.
class ThreadPool {
  public:
    using Task = std::function<void(std::size_t index, std::size_t worker)>;

    /// threads = 0 takes one per hardware thread.
    explicit ThreadPool(unsigned threads = 1);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] std::size_t size() const { return workers_.size() + 1; }

    /// Runs task(i, worker) for every i below count and returns when all are done. If tasks throw, the
    /// exception of the lowest index is rethrown here after the others have ended: the same one, whatever the
    /// number of threads.
    void for_each(std::size_t count, const Task& task);

  private:
    void work(std::size_t worker, const std::stop_token& stop);
    void drain(std::size_t worker);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable done_;
    // Each worker has a share of the indices, the same from round to round, so that it finds in its cache
    // what it had there; who is done with his own helps the others.
    struct alignas(64) Share {
        std::atomic<std::size_t> next{0};
        std::size_t end = 0;
    };

    const Task* task_ = nullptr;
    std::vector<Share> shares_;
    std::atomic<std::size_t> busy_{0};
    std::atomic<std::size_t> round_{0};
    std::exception_ptr failure_;
    std::size_t failed_index_ = 0;
    std::vector<std::jthread> workers_;
};

} // namespace knossos
