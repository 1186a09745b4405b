#pragma once

#include "terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

/// What the command lines of knossos and knossos-mpi share. For their main files only: CLI11 takes long to
/// compile.
namespace knossos::app {

// Validators say what would be right; in --help they would only repeat what the description says.
inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    return CLI::Validator{
        [=](std::string& text) {
            std::uint64_t value = 0;
            const char* const end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            if (read.ec == std::errc{} && read.ptr == end && value >= least && value <= most)
                return std::string{};
            return fmt::format("is '{}'; it must be a whole number in {}..{}", text, least, most);
        },
        ""};
}

inline CLI::Validator positive() { return whole_number(1, std::numeric_limits<std::int64_t>::max()); }
inline CLI::Validator seed() { return whole_number(0, std::numeric_limits<std::int64_t>::max()); }
inline CLI::Validator threads() { return whole_number(0, 1024); }

inline CLI::Validator seconds(bool more_than_none) {
    return CLI::Validator{[=](std::string& text) {
                              double value = 0.0;
                              const char* const end = text.data() + text.size();
                              const auto read = std::from_chars(text.data(), end, value);
                              const bool fits = read.ec == std::errc{} && read.ptr == end &&
                                                std::isfinite(value) &&
                                                (more_than_none ? value > 0.0 : value >= 0.0);
                              if (fits) return std::string{};
                              return fmt::format("is '{}'; it must be a number of seconds, {}", text,
                                                 more_than_none ? "more than 0" : "0 or more");
                          },
                          ""};
}

// An option that was given and holds nothing is a mistake (a variable of a script that is not set), never a
// wish for the usual.
inline void refuse_empty_values(CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() == 0) continue;
        const std::string type = option->get_type_name();
        const std::string wanted =
            option->get_positional() || type == "TEXT" ? "" : fmt::format("; it must be a {}", type);
        option->check(CLI::Validator{
            [wanted](std::string& text) { return text.empty() ? "is empty" + wanted : std::string{}; }, ""});
    }
    for (CLI::App* inner : command.get_subcommands({})) refuse_empty_values(*inner);
}

// Help that fits into 80 columns.
class NarrowHelp : public CLI::Formatter {
  public:
    [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(CLI::Formatter::make_option_desc(option), "", 80 - get_column_width());
    }
};

} // namespace knossos::app
