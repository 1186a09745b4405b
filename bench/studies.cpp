// What a study costs beside its runs, and what a report of many runs takes.
//
//     studies [overhead] [duels] [report]
//
// The overhead is processor time of a study of runs of about a millisecond against the same runs made one
// after the other and thrown away. A figure that misses its bar is marked, and the exit code is then 1.
#include "measure.hpp"

#include <knossos/study/report.hpp>
#include <knossos/study/runner.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace knossos;
using namespace knossos::study;

using bench::all_bars_met;
using bench::median;
using bench::processor_seconds;
using bench::verdict;
using bench::wall_seconds;

Study study_of(const std::string& toml) { return Study::parse(toml, "benchmark.toml"); }

// The study, done from its beginning; returns the seconds by the given clock.
double carry_out_anew(const Study& study, const std::filesystem::path& file, unsigned threads,
                      bench::Clock clock) {
    std::filesystem::remove(file);
    const double start = clock();
    Store store = Store::open_for(file, study);
    if (!carry_out(study, store, {.threads = threads})) all_bars_met = false;
    return clock() - start;
}

double runs_alone(const Study& study) {
    const double start = processor_seconds();
    const Configuration& configuration = study.configurations.front();
    const Problem problem = configuration.recipe.problem();
    Settings settings = configuration.recipe.settings();
    settings.threads = 1;
    settings.history = 0;
    for (std::uint64_t number = 0; number < study.runs; ++number) {
        Settings one = settings;
        one.seed = study.seed_of(0, number);
        if (evolve(problem, one).evaluations == 0) all_bars_met = false;
    }
    return processor_seconds() - start;
}

void overhead(const std::filesystem::path& file) {
    const Study study = study_of("runs = 1000\nrecipes = [\"duel-queens\"]\n[set]\nstop.evaluations = 9000\n"
                                 "stop.solved = false");
    std::vector<double> ratios;
    double alone = 0.0;
    for (int turn = 0; turn < 5; ++turn) {
        alone = runs_alone(study);
        ratios.push_back(carry_out_anew(study, file, 1, processor_seconds) / alone);
    }
    const double ratio = median(ratios);
    fmt::print(
        "study against its runs alone ({:.2f} ms each)  {:6.3f} times the processor time (bar 1.05){}\n",
        alone, ratio, verdict(ratio < 1.05));
}

void duels(const std::filesystem::path& file) {
    const Study study = study_of("runs = 1000\nrecipes = [\"duel-queens\"]");
    std::vector<double> times;
    for (int turn = 0; turn < 3; ++turn)
        times.push_back(carry_out_anew(study, file, 2, processor_seconds) / 2.0);
    fmt::print("1,000 duel-queens runs on two threads          {:6.2f} s of each thread's processor time "
               "(bar 2){}\n",
               median(times), verdict(median(times) < 2.0));
}

void report(const std::filesystem::path& file) {
    const Study study = study_of(
        "runs = 25000\nrecipes = [\"pmx-queens\", \"half-breed-queens\"]\n[grid]\nproblem.n = [7, 8]");
    carry_out_anew(study, file, 0, wall_seconds);
    const double start = wall_seconds();
    const std::string page = html_report(analyse(Store::open(file)));
    const double time = wall_seconds() - start;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
    fmt::print("report of 100,000 runs                         {:6.2f} s (bar 10), {:.0f} MB (bar 500){}\n",
               time, megabytes, verdict(time < 10.0 && megabytes < 500.0 && !page.empty()));
}

} // namespace

int main(int argc, char** argv) {
    std::set<std::string> parts(argv + 1, argv + argc);
    if (parts.empty()) parts = {"overhead", "duels", "report"};
    const auto folder =
        std::filesystem::temp_directory_path() / ("knossos-bench-studies-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    if (parts.contains("overhead")) overhead(folder / "overhead.db");
    if (parts.contains("duels")) duels(folder / "duels.db");
    if (parts.contains("report")) report(folder / "report.db");
    std::filesystem::remove_all(folder);
    return all_bars_met ? 0 : 1;
}
