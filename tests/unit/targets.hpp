#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace knossos::test {

/// Runs the body once for every instruction set that this processor has and the kernels are compiled for.
template <class Body>
void for_each_target(Body body) {
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        SCOPED_TRACE(hwy::TargetName(target));
        body();
    }
    hwy::SetSupportedTargetsForTest(0);
}

} // namespace knossos::test
