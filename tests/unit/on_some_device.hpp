#pragma once

#include "sanitized.hpp"

#include <knossos/core/error.hpp>
#include <knossos/device/devices.hpp>

#include <gtest/gtest.h>

namespace knossos::test {

/// A device to try kernels on: PoCL's, which is the processor, where there is nothing else. Where there is
/// none, tests say so.
class OnSomeDevice : public testing::Test {
  protected:
    void SetUp() override {
        // Sanitizers would report what belongs to drivers, and to what their compilers make of kernels.
        if (is_sanitized) GTEST_SKIP() << "drivers are not instrumented";
        try {
            for (const device::Device& one : device::devices())
                if (one.unfit.empty() && (device_.id == nullptr || one.kind == "cpu")) device_ = one;
        } catch (const InvalidInput& error) {
            GTEST_SKIP() << error.what();
        }
        if (device_.id == nullptr) GTEST_SKIP() << "no device here can be used";
    }

    device::Device device_{};
};

} // namespace knossos::test
