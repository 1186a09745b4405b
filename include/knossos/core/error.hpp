#pragma once

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
