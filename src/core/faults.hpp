#pragma once

#include <string_view>

namespace knossos {

/// A place where tests can make things go wrong. The environment variable KNOSSOS_FAULT names one place, what
/// happens there and at which visit: "file.written=kill@3" ends the process as SIGKILL would,
/// "file.write=full@1" makes the disk full from then on. Returns the error number to fail with, or 0. Costs
/// one comparison where the variable is not set.
int fault(std::string_view place);

} // namespace knossos
