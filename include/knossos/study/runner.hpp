#pragma once

#include <knossos/study/store.hpp>
#include <knossos/study/study.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace knossos::study {

/// How far a study is.
struct StudyProgress {
    std::uint64_t runs = 0;   ///< of the whole study
    std::uint64_t done = 0;   ///< recorded or about to be, those of earlier starts included
    std::uint64_t solved = 0; ///< of those
    std::uint64_t here = 0;   ///< done by this process since it started
    double seconds = 0.0;     ///< since it started
    bool is_waiting = false;  ///< what is left is being done by other processes
};

/// Other processes that do some of the runs. The one that asks them keeps the store.
class Helpers {
  public:
    Helpers() = default;
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    virtual ~Helpers() = default;

    /// Gives them runs to be busy with for a while. `claim` takes up to so many out of the store; whatever it
    /// returns is theirs, as nobody else will do it.
    virtual void feed(const std::function<std::vector<Task>(std::size_t)>& claim) = 0;
    /// Runs that were given and not collected yet.
    [[nodiscard]] virtual std::size_t open() const = 0;
    /// What has arrived; does not wait.
    [[nodiscard]] virtual std::vector<RunRecord> collect() = 0;
    /// Makes them end, and returns what they had finished.
    [[nodiscard]] virtual std::vector<RunRecord> stop() = 0;
};

/// So many runs keep threads busy for a while that have done `done` in these seconds: two for each, or what
/// takes some tenths of a second, as fetching more must not show; but no more than that, as others may want
/// some as well.
[[nodiscard]] std::size_t enough_for_a_while(std::size_t threads, std::uint64_t done, double seconds);

/// How many runs of a study go on at the same time with so many threads; 0 takes one per hardware thread.
[[nodiscard]] std::size_t runs_at_once(const Study& study, unsigned threads);

struct RunnerOptions {
    unsigned threads = 0; ///< runs at once, each on one thread; 0 takes one per hardware thread
    /// Of each configuration, where they are not those of its recipe: told to run on a device, say.
    std::vector<Settings> settings{};
    Helpers* helpers = nullptr;
    std::function<bool()> should_stop{};
    std::function<void(const StudyProgress&)> on_progress{}; ///< called several times a second
    /// Called with each run that is done here, just after it was recorded.
    std::function<void(const RunRecord&)> on_run{};
};

/// Does the runs that are missing in the store, several at once, and records each batch as soon as it is
/// there. Returns whether all runs of the study are recorded; false if it was asked to stop before, in which
/// case runs under way are given up and done again by the next start. What is recorded does not depend on the
/// number of threads or processes.
bool carry_out(const Study& study, Store& store, const RunnerOptions& options = {});

/// What a helper does: the runs it receives. `receive` returns new ones, none if there are none just now, or
/// nothing if it is to end; `deliver` takes what is finished. `settings` are as in RunnerOptions.
void help(const Study& study, unsigned threads, std::span<const Settings> settings,
          const std::function<std::optional<std::vector<Task>>()>& receive,
          const std::function<void(std::vector<RunRecord>)>& deliver);

/// One run with these settings, seed included, to be recorded under a number. `should_stop` may end it early;
/// then nothing is returned.
std::optional<RunRecord> run_once(const Problem& problem, Settings settings, std::uint64_t number,
                                  const std::function<bool()>& should_stop = {});

} // namespace knossos::study
