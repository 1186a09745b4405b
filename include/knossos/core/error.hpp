#pragma once

#include <stdexcept>
#include <string>

namespace knossos {

/// Root of everything Knossos throws. The message is written for the person who can act on it.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A setting, recipe or file that can't be accepted: says which field, what it held and what would be right.
class InvalidInput : public Error {
  public:
    using Error::Error;
};

/// The problem's own evaluation failed: it threw, or it returned a fitness that is not a number.
class EvaluationError : public Error {
  public:
    using Error::Error;
};

/// A file could not be read or written.
class InputOutputError : public Error {
  public:
    using Error::Error;
};

/// The user did not want to wait any longer. Nothing is wrong, and nothing is lost.
class Interrupted : public Error {
  public:
    using Error::Error;
};

} // namespace knossos
