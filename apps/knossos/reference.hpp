#pragma once

#include <knossos/recipe/registry.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace knossos::app {

struct OptionInfo {
    std::vector<std::string> names; ///< "-o", "--output"; empty for a positional argument
    std::string value;              ///< what it takes, "" for a switch
    std::string meaning;
    std::string positional; ///< name of a positional argument
    bool required = false;
};

/// One command as --help knows it: the source of man pages and completions alike.
struct CommandInfo {
    std::string name;
    std::string meaning;
    std::string examples;
    std::vector<OptionInfo> options;
    std::vector<CommandInfo> commands;
};

/// The manual page in troff.
std::string manual_page(const CommandInfo& program);

/// The completion script for bash, zsh or fish, which knows the registry's recipes. Throws InvalidInput for
/// another shell.
std::string completion_script(const CommandInfo& program, std::string_view shell, const Registry& registry);

} // namespace knossos::app
