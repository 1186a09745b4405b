#pragma once

#include <knossos/core/problem.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace knossos {

/// What becomes of an evaluation that throws or is not a number: it ends the run; the individual gets the
/// worst value there is, plus or minus infinity; or it is made once more, and ends the run if it fails again.
enum class OnFailure : unsigned char { end, worst, retry };

/// How often that was done.
struct FailureCount {
    std::atomic<std::uint64_t> worst{0};
    std::atomic<std::uint64_t> retried{0};
};

/// The same problem, whose failures are dealt with so.
Problem tolerating(const Problem& problem, OnFailure policy, std::shared_ptr<FailureCount> count);

} // namespace knossos
