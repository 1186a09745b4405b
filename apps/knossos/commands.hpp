#pragma once

#include <knossos/recipe/registry.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/runner.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

/// Exit codes that scripts can rely on.
enum Exit : int { reached = 0, not_reached = 1, bad_input = 2, failure = 3 };

/// What the commands have in common.
struct CommonOptions {
    std::optional<std::uint64_t> seed{};
    unsigned threads = 0;
    std::optional<std::uint64_t> budget{};
    std::optional<double> time{};
    std::vector<std::string> outputs{};
    bool json = false;
    bool quiet = false;
    bool ascii = false;
    bool front = false; ///< every trade-off between several objectives, not the best in the first of them
};

struct RunOptions : CommonOptions {
    std::string recipe{};
    std::vector<std::string> overrides{};
    std::string folder{};
    std::optional<double> checkpoint_every{}; ///< the recipe's unless given
    std::string device{};                     ///< where it runs; where the recipe says if empty
    render::FormatOptions format{};
    /// What else there is to say of a run that missed its goal: lines for people, or with --json an object
    /// whose members join those of the result.
    std::function<std::string(const Recipe&, const Result&)> when_missed{};
};

struct BreedOptions {
    std::string recipe{}; ///< or the folder of an earlier one
    std::vector<std::string> overrides{};
    std::optional<std::uint64_t> seed{};
    std::string folder{};
    std::vector<std::string> outputs{};
    bool ascii = false;
};

struct StudyOptions {
    std::string file{};
    std::string database{};
    std::optional<std::uint64_t> runs{};
    std::optional<std::uint64_t> seed{};
    std::optional<std::uint64_t> budget{};
    std::vector<std::string> overrides{};
    std::string ioh{};
    std::string device{}; ///< where the runs go; where each recipe says if empty
    unsigned threads = 0;
    double wait = 30.0;
    bool drop = false;
    bool json = false;
    bool quiet = false;
};

struct ReportOptions {
    std::string database{};
    std::string output{};
    std::string format{};
    std::string csv{};
    std::string svg{};
    std::string ioh{};
    double wait = 30.0;
    bool quiet = false;
};

struct StudioOptions {
    std::uint16_t port = 0; ///< 0 takes a free one
    std::string workspace{};
    bool open = true;
};

/// The recipe's overrides and the flags that stand for some, in order.
std::vector<std::string> all_overrides(const RunOptions& options);
/// The recipe with these. Throws RecipeError in the words of the flags.
Recipe load_recipe(const RunOptions& options, const Registry& registry);

/// What the recipe wants written, and what the command line adds.
std::vector<std::string> files_of(const Recipe& recipe, const RunOptions& options);
/// How a run went, for people.
void print_summary(const Recipe& recipe, const Result& result, bool ascii, bool front = false);

/// The settings for where the run is wanted. What the user left to us, they are told. One of several
/// processes on a machine has a rank.
Settings settings_there(const RunOptions& options, const Recipe& recipe, Settings settings,
                        std::optional<std::size_t> rank = {});
/// The same for the runs of each configuration.
std::vector<Settings> settings_there(const StudyOptions& options, const study::Study& study,
                                     const Registry& registry, std::optional<std::size_t> rank = {});

int run(const RunOptions& options, const Registry& registry);
/// Shows each generation and asks who goes on.
int breed(const BreedOptions& options, const Registry& registry);
/// What turns a recipe into one of that kind.
std::vector<std::string> breeding_overrides(const BreedOptions& options);
int run_study(const StudyOptions& options, const Registry& registry);
int report_study(const ReportOptions& options, const Registry& registry);
/// How a study's file is opened: with a word to the user, by the name of the program, if it has to be waited
/// for.
study::StoreOptions store_options(double wait, bool quiet, const std::string& program);
/// Opens a study's file for adding runs, and drops older configurations if that was asked for.
study::Store open_store(const StudyOptions& options, const std::string& database, const study::Study& study,
                        const Registry& registry);
/// A study's progress in a line, and what it found.
std::string progress_text(const study::StudyProgress& progress);
void print_findings(const study::Store& store, const std::string& database, bool complete, bool json,
                    const Registry& registry);
/// Says whether a study was interrupted or runs of it failed, and gives the exit code for that.
int end_study(const study::Store& store, const std::string& database, bool complete);
/// The file of a study's runs: as given, or named after the study's file.
std::string database_of(const StudyOptions& options);
/// Writes a study's runs in IOHprofiler's layout.
void write_ioh(const study::Store& store, const std::string& folder, bool quiet, const Registry& registry);
int resume(const RunOptions& options, const Registry& registry);
int verify_link(const std::string& link, unsigned threads, bool json, const Registry& registry);
int verify_folder(const std::string& folder, unsigned threads, bool json, const Registry& registry);
int compare_runs(const std::string& first, const std::string& second, bool json, const Registry& registry);
/// What OpenCL offers, with a measurement of each for so many seconds.
int list_devices(double seconds, bool json, const Registry& registry);
int list_recipes(bool json, const Registry& registry);
int show_recipe(const std::string& name, const std::vector<std::string>& overrides, const Registry& registry);
int check_recipe(const std::string& file, const std::vector<std::string>& overrides,
                 const Registry& registry);
int print_recipe_schema(const Registry& registry);
int show_result(const std::string& source, bool json, bool ascii, const Registry& registry);
int serve_studio(const StudioOptions& options, const Registry& registry);
/// Writes a folder with somebody's own program, to begin with.
int make_program(const std::string& name, const Registry& registry);
/// What things of each kind can be written as.
int list_formats(const Registry& registry);
int export_result(const std::string& source, const std::vector<std::string>& outputs, bool front,
                  const Registry& registry);

} // namespace knossos::app
