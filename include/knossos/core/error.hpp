#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// A setting that is fine by itself but does not fit the others. `place` is what it is a setting of: a stage
/// such as "select", "algorithm", "islands"; `field` is empty where the whole part does not fit. `owner` is
/// what messages call the part, if anything. Whoever reads recipes knows where that stands in them.
class InvalidSetting : public InvalidInput {
  public:
    InvalidSetting(std::string_view place, std::string_view owner, std::string_view field,
                   std::string_view fault)
        : InvalidInput{told(place, owner, field, fault)}, place_{place}, field_{field}, fault_{fault} {}

    [[nodiscard]] const std::string& place() const { return place_; }
    [[nodiscard]] const std::string& field() const { return field_; }
    [[nodiscard]] const std::string& fault() const { return fault_; } ///< what() without whose it is

  private:
    // "replace: tournament.size is 50; …": selection and replacement have parts of the same name.
    static std::string told(std::string_view place, std::string_view owner, std::string_view field,
                            std::string_view fault) {
        std::string text;
        if (place != "algorithm" && place != owner) text.append(place).append(": ");
        if (!owner.empty()) text.append(owner).append(".");
        if (!field.empty()) text.append(field).append(" ");
        return text.append(fault);
    }

    std::string place_;
    std::string field_;
    std::string fault_;
};

/// The problem's own evaluation failed: it threw, or it returned a fitness that is not a number.
class EvaluationError : public Error {
  public:
    using Error::Error;
};

/// The same of one individual of a batch, by its place there; whoever made the batch knows which one that is.
class IndividualFailed : public EvaluationError {
  public:
    IndividualFailed(const std::string& fault, std::size_t place) : EvaluationError{fault}, place_{place} {}
    [[nodiscard]] std::size_t place() const { return place_; }

  private:
    std::size_t place_;
};

/// What is wrong by the exception that is being handled, which an evaluation threw. One that is not about
/// what was evaluated (InvalidInput, InputOutputError, DeviceLost, no memory) is thrown on.
std::string evaluation_fault();

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
