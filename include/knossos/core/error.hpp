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

/// A setting that is fine by itself but does not fit the others. Says where it stands in a recipe, so that
/// whoever reads recipes can point at it: `section` is such as "stages.select", "algorithm" or "islands";
/// `field` is empty where the whole part does not fit. `owner` is what messages call the part, if anything.
class InvalidSetting : public InvalidInput {
  public:
    InvalidSetting(std::string_view section, std::string_view owner, std::string_view field,
                   std::string_view fault)
        : InvalidInput{told(section, owner, field, fault)}, section_{section}, field_{field}, fault_{fault} {}

    [[nodiscard]] const std::string& section() const { return section_; }
    [[nodiscard]] const std::string& field() const { return field_; }
    [[nodiscard]] const std::string& fault() const { return fault_; } ///< what() without whose it is

  private:
    // "replace: tournament.size is 50; …": selection and replacement have parts of the same name.
    static std::string told(std::string_view section, std::string_view owner, std::string_view field,
                            std::string_view fault) {
        constexpr std::string_view stages = "stages.";
        std::string text;
        if (section.starts_with(stages)) text.append(section.substr(stages.size())).append(": ");
        if (!owner.empty()) text.append(owner).append(".");
        if (!field.empty()) text.append(field).append(" ");
        return text.append(fault);
    }

    std::string section_;
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
