#pragma once

#include <knossos/core/error.hpp>

namespace knossos {

/// A device has run out of memory, was reset or is gone in the middle of a run, and what was in its memory
/// with it. Like a kill: the run goes on from its last checkpoint, on any machine.
class DeviceLost : public Error {
  public:
    using Error::Error;
};

} // namespace knossos
