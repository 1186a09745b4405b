#include "support.hpp"

#include <knossos/core/thread_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace knossos::thread_pool_test {
namespace {

constexpr unsigned sizes[] = {1, 2, 3, 8};
constexpr std::size_t counts[] = {0, 1, 2, 3, 7, 100, 1000};

TEST(ThreadPool, RunsEveryIndexExactlyOnce) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        EXPECT_EQ(pool.size(), threads);
        for (const std::size_t count : counts) {
            std::vector<std::atomic<int>> runs(count);
            pool.for_each(count, [&](std::size_t index, std::size_t worker) {
                ASSERT_LT(worker, threads);
                runs[index].fetch_add(1);
            });
            EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& run) { return run == 1; }));
        }
    }
}

// Plain memory, on purpose: the thread sanitizer sees whether the end of a round is one.
TEST(ThreadPool, WhatTheWorkersWroteIsThereAfterwards) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        std::vector<std::size_t> values(200);
        for (std::size_t round = 0; round < 50; ++round) {
            pool.for_each(values.size(), [&](std::size_t index, std::size_t) { values[index] += index; });
            for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i * (round + 1));
        }
    }
}

TEST(ThreadPool, AWorkersMemoryIsItsOwn) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        std::vector<std::size_t> scratch(pool.size());
        for (int round = 0; round < 20; ++round)
            pool.for_each(500, [&](std::size_t, std::size_t worker) { ++scratch[worker]; });
        EXPECT_EQ(std::accumulate(scratch.begin(), scratch.end(), std::size_t{0}), 10'000U);
    }
}

TEST(ThreadPool, SurvivesManyShortRounds) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        std::atomic<std::size_t> total{0};
        for (std::size_t round = 0; round < 3000; ++round)
            pool.for_each(round % 5, [&](std::size_t, std::size_t) { total.fetch_add(1); });
        EXPECT_EQ(total, 6000U);
    }
}

std::string message_of(ThreadPool& pool, std::size_t count, const ThreadPool::Task& task) {
    try {
        pool.for_each(count, task);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(ThreadPool, RethrowsTheExceptionOfTheLowestIndexAfterAllHaveRun) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        for (std::size_t round = 0; round < 200; ++round) {
            std::atomic<std::size_t> ran{0};
            const std::size_t lowest = round % 50;
            const std::string message = message_of(pool, 60, [&](std::size_t index, std::size_t) {
                ran.fetch_add(1);
                if (index >= lowest && (index - lowest) % 3 == 0)
                    throw std::runtime_error{std::to_string(index)};
            });
            ASSERT_EQ(message, std::to_string(lowest));
            ASSERT_EQ(ran, 60U);
        }
    }
}

TEST(ThreadPool, RethrowsForASingleIndexToo) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        EXPECT_EQ(message_of(pool, 1, [](std::size_t, std::size_t) { throw std::runtime_error{"alone"}; }),
                  "alone");
    }
}

TEST(ThreadPool, IsUsableAfterAnException) {
    for (const unsigned threads : sizes) {
        ThreadPool pool{threads};
        for (int round = 0; round < 100; ++round) {
            EXPECT_THROW(pool.for_each(10, [](std::size_t, std::size_t) { throw 1; }), int);
            std::atomic<std::size_t> ran{0};
            EXPECT_NO_THROW(pool.for_each(10, [&](std::size_t, std::size_t) { ran.fetch_add(1); }));
            ASSERT_EQ(ran, 10U);
        }
    }
}

TEST(ThreadPool, LeavesNoThreadBehind) {
    const std::size_t threads_there = test::threads_before();
    for (int round = 0; round < 50; ++round) {
        ThreadPool pool{4};
        if (round % 2 == 0) {
            EXPECT_THROW(pool.for_each(9, [](std::size_t, std::size_t) { throw 1; }), int);
        }
    }
    EXPECT_LE(test::threads_left(threads_there), threads_there);
}

TEST(ThreadPool, OfOneRunsOnTheCallingThread) {
    ThreadPool pool{1};
    std::vector<std::size_t> order;
    const std::thread::id caller = std::this_thread::get_id();
    pool.for_each(20, [&](std::size_t index, std::size_t worker) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_EQ(worker, 0U);
        order.push_back(index);
    });
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_EQ(order.size(), 20U);
}

TEST(ThreadPool, OfZeroTakesOnePerHardwareThread) {
    const ThreadPool pool{0};
    EXPECT_EQ(pool.size(), std::max(1U, std::thread::hardware_concurrency()));
}

} // namespace
} // namespace knossos::thread_pool_test
