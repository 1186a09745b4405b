#pragma once

namespace knossos {

/// Base of what a value of any type is kept behind: an interface that is neither copied nor assigned.
struct Erased {
    Erased() = default;
    Erased(const Erased&) = delete;
    Erased& operator=(const Erased&) = delete;
    virtual ~Erased() = default;
};

} // namespace knossos
