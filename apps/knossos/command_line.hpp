#pragma once

#include "terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

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

inline CLI::Validator share() {
    return CLI::Validator{[](std::string& text) {
                              double value = 0.0;
                              const char* const end = text.data() + text.size();
                              const auto read = std::from_chars(text.data(), end, value);
                              if (read.ec == std::errc{} && read.ptr == end && value >= 0.0 && value <= 1.0)
                                  return std::string{};
                              return fmt::format("is '{}'; it must be a share from 0 to 1, such as 0.25",
                                                 text);
                          },
                          ""};
}

// An option that was given and holds nothing is a mistake (a variable of a script that is not set), never a
// wish for the usual.
inline void refuse_empty_values(CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() == 0) continue;
        const std::string type = option->get_type_name();
        const std::string wanted = option->get_positional() || type == "TEXT"
                                       ? ""
                                       : fmt::format("; give it {} or leave it out", type);
        option->check(CLI::Validator{
            [wanted](std::string& text) { return text.empty() ? "is empty" + wanted : std::string{}; }, ""});
    }
    for (CLI::App* inner : command.get_subcommands({})) refuse_empty_values(*inner);
}

// What to say of an option that there is not, if another looks like it.
inline std::optional<std::string> unknown_option(const CLI::App& app, int argc, char** argv) {
    const CLI::App* command = &app;
    for (int i = 1; i < argc && std::string_view{argv[i]} != "--"; ++i) {
        const std::string word = argv[i];
        if (!word.starts_with("--")) {
            for (const CLI::App* inner : command->get_subcommands({}))
                if (inner->get_name() == word) command = inner;
            continue;
        }
        const std::string name = word.substr(2, word.find('=') - 2);
        std::vector<std::string> names;
        for (const CLI::Option* option : command->get_options())
            names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
        if (std::ranges::find(names, name) != names.end()) continue;
        const auto meant = nearest(name, names);
        return meant ? std::optional{fmt::format("there is no option --{}; did you mean --{}?", name, *meant)}
                     : std::nullopt;
    }
    return std::nullopt;
}

// Help that fits into 80 columns.
class NarrowHelp : public CLI::Formatter {
  public:
    [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(CLI::Formatter::make_option_desc(option), "", 80 - get_column_width());
    }
};

} // namespace knossos::app
