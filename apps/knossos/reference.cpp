#include "reference.hpp"

#include <knossos/core/error.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::app {

namespace {

// troff takes a leading dot or quote as a command and a plain hyphen as a typographic one.
std::string troff(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    if (!result.empty() && (result[0] == '.' || result[0] == '\'')) result.insert(0, "\\&");
    return result;
}

std::string upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : std::string{separator}) + word;
    return text;
}

void manual_command(const CommandInfo& command, const std::string& path, std::string& page) {
    std::string usage = path;
    for (const auto& option : command.options)
        if (!option.positional.empty()) usage += " " + option.positional;
    page += fmt::format(".SS {}\n{}\n", troff(usage), troff(command.meaning + "."));
    for (const auto& option : command.options) {
        const std::string head =
            option.positional.empty()
                ? joined(option.names, ", ") + (option.value.empty() ? "" : " " + option.value)
                : option.positional;
        page += fmt::format(".TP\n.B {}\n{}\n", troff(head), troff(option.meaning));
    }
    if (!command.examples.empty()) {
        page += ".PP\nExamples:\n.nf\n";
        std::string_view rest = command.examples;
        for (rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size())); !rest.empty();) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            page += troff(rest.substr(0, end)) + "\n";
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        page += ".fi\n";
    }
    for (const auto& inner : command.commands) manual_command(inner, path + " " + inner.name, page);
}

std::string option_words(const CommandInfo& command) {
    std::string words;
    for (const auto& option : command.options)
        words += (option.names.empty() ? "" : " ") + joined(option.names, " ");
    for (const auto& inner : command.commands) words += " " + inner.name + option_words(inner);
    return words;
}

std::string recipe_words(const Registry& registry) {
    std::string words;
    for (const auto& recipe : registry.recipes()) words += " " + recipe.name;
    return words;
}

// Of a shell function that serves the program.
std::string function_name(const std::string& program) {
    std::string name = "_" + program;
    std::ranges::replace_if(
        name, [](char c) { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9'); },
        '_');
    return name;
}

bool takes_recipe(const CommandInfo& command) {
    for (const auto& option : command.options)
        if (option.positional == "recipe") return true;
    for (const auto& inner : command.commands)
        if (takes_recipe(inner)) return true;
    return false;
}

// Single quotes as each shell wants them inside single quotes.
std::string quoted(std::string_view text, std::string_view quote) {
    std::string result;
    for (const char c : text) result += c == '\'' ? std::string{quote} : std::string{c};
    return result;
}

std::string bash_script(const CommandInfo& program, const Registry& registry) {
    const std::string function = function_name(program.name);
    std::string script = fmt::format("# bash completion for {}\n{}() {{\n", program.name, function) +
                         "    local current=${COMP_WORDS[COMP_CWORD]} words=\n"
                         "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
    std::string names;
    for (const auto& command : program.commands) names += " " + command.name;
    script +=
        fmt::format("        words='{} --help --version'\n    else\n        case ${{COMP_WORDS[1]}} in\n",
                    names.substr(1));
    for (const auto& command : program.commands)
        script += fmt::format("        {}) words='{} --help' ;;\n", command.name,
                              option_words(command) + (takes_recipe(command) ? recipe_words(registry) : ""));
    return script + "        esac\n    fi\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n" +
           fmt::format("complete -o default -F {} {}\n", function, program.name);
}

std::string zsh_script(const CommandInfo& program, const Registry& registry) {
    const std::string function = function_name(program.name);
    std::string script = fmt::format("#compdef {0}\n{1}_words() {{ compadd -- \"$@\"; _files }}\n{1}() {{\n"
                                     "    local -a commands\n    commands=(\n",
                                     program.name, function);
    for (const auto& command : program.commands)
        script += fmt::format("        '{}:{}'\n", command.name, quoted(command.meaning, "'\\''"));
    script += "    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n    case "
              "$words[2] in\n";
    for (const auto& command : program.commands) {
        script += fmt::format("    {}) _arguments", command.name);
        for (const auto& option : command.options)
            for (const auto& name : option.names)
                script += fmt::format(" \\\n        '{}[{}]{}'", name, quoted(option.meaning, "'\\''"),
                                      option.value.empty() ? "" : ":" + option.value + ":_files");
        std::string choices;
        for (const auto& inner : command.commands) choices += " " + inner.name;
        if (takes_recipe(command)) choices += recipe_words(registry);
        // The space keeps _arguments from adding arguments of its own.
        script += fmt::format(" \\\n        '*:argument:{}' ;;\n",
                              choices.empty() ? "_files" : fmt::format(" {}_words{}", function, choices));
    }
    return script + fmt::format("    esac\n}}\n{} \"$@\"\n", function);
}

std::string fish_script(const CommandInfo& program, const Registry& registry) {
    std::string script = fmt::format("# fish completion for {}\n", program.name);
    for (const auto& command : program.commands) {
        script += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d '{}'\n", program.name,
                              command.name, quoted(command.meaning, "\\'"));
        const std::string condition =
            fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program.name, command.name);
        for (const auto& option : command.options) {
            for (const auto& name : option.names) {
                const bool is_long = name.starts_with("--");
                script += fmt::format("{} -{} {}{} -d '{}'\n", condition, is_long ? "l" : "s",
                                      name.substr(is_long ? 2 : 1), option.value.empty() ? "" : " -r",
                                      quoted(option.meaning, "\\'"));
            }
        }
        for (const auto& inner : command.commands)
            script += fmt::format("{} -a {} -d '{}'\n", condition, inner.name, quoted(inner.meaning, "\\'"));
        if (takes_recipe(command))
            script += fmt::format("{} -a '{}'\n", condition, recipe_words(registry).substr(1));
    }
    return script;
}

} // namespace

std::string manual_page(const CommandInfo& program) {
    std::string page = fmt::format(".TH {} 1 \"\" \"knossos {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n"
                                   ".SH SYNOPSIS\n.B {}\nCOMMAND [OPTIONS]\n.SH COMMANDS\n",
                                   upper(program.name), version, troff(program.name), troff(program.meaning),
                                   troff(program.name));
    for (const auto& command : program.commands)
        manual_command(command, program.name + " " + command.name, page);
    page += ".SH EXIT STATUS\n.TP\n0\nThe target was reached.\n.TP\n1\nThe run ended without reaching it.\n"
            ".TP\n2\nBad usage or bad input.\n.TP\n3\nInput, output or internal failure.\n";
    return page + ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set, no colours are used.\n";
}

std::string completion_script(const CommandInfo& program, std::string_view shell, const Registry& registry) {
    if (shell == "bash") return bash_script(program, registry);
    if (shell == "zsh") return zsh_script(program, registry);
    if (shell == "fish") return fish_script(program, registry);
    throw InvalidInput{
        fmt::format("there is no completion for '{}'; there is one for bash, zsh and fish", shell)};
}

} // namespace knossos::app
