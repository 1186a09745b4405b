#pragma once

#include "command_line.hpp"
#include "commands.hpp"

#include <knossos/version.hpp>

#include <filesystem>
#include <functional>
#include <string>

/// What the verbs of knossos and knossos-mpi have in common. For their main files only, as command_line.hpp.
namespace knossos::app {

/// What the user calls the program: the last part of the path that it was started by.
inline std::string program_name(int argc, char** argv, const std::string& otherwise) {
    std::string name = argc > 0 ? std::filesystem::path{argv[0]}.filename().string() : "";
    return name.empty() ? otherwise : name;
}

/// Of somebody's own program, the version of what it is made with.
inline std::string version_text(const std::string& program, const std::string& ours) {
    return program == ours ? fmt::format("{} {}", program, version)
                           : fmt::format("{}, with {} {}", program, ours, version);
}

/// What the command line asks for, to be done once it is understood.
using Action = std::function<int()>;

struct ShowOptions {
    std::string source{};
    bool json = false;
    bool ascii = false;
};

/// How a result is told: for every command that has one.
inline void add_result_options(CLI::App& command, CommonOptions& options) {
    command
        .add_option("-o,--output", options.outputs,
                    "Write the best to a file, by its extension; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    command.add_flag("--json", options.json, "Print one JSON object");
    command.add_flag("--quiet", options.quiet, "Print nothing; the exit code tells");
    command.add_flag("--ascii", options.ascii, "Plain characters and no colours");
}

/// For every command whose result may be a front.
inline void add_front_option(CLI::App& command, CommonOptions& options) {
    command.add_flag("--front", options.front,
                     "Every trade-off between several objectives: a table, a plot, and -o numbers its files");
}

inline void add_common_options(CLI::App& command, CommonOptions& options) {
    command
        .add_option("--seed", options.seed, "Seed of the random streams (1, or the recipe's, if not given)")
        ->check(seed())
        ->type_name("SEED");
    command.add_option("--threads", options.threads, "Threads; 0 takes what pays. Never changes the result")
        ->check(threads());
    command.add_option("--budget", options.budget, "Stop after this many evaluations")
        ->check(positive())
        ->type_name("COUNT");
    command.add_option("--time", options.time, "Stop after this many seconds")
        ->check(seconds(true))
        ->type_name("SECONDS");
    add_result_options(command, options);
}

} // namespace knossos::app
