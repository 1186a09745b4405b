#pragma once

#include <knossos/core/objective.hpp>
#include <knossos/study/study.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knossos::study {

/// One improvement of a run: after how many evaluations which value was reached.
struct TracePoint {
    std::uint64_t evaluations = 0;
    double best = 0.0;

    friend bool operator==(const TracePoint&, const TracePoint&) = default;
};

/// A column of the best record of a run, or what its archive came to.
struct NamedValue {
    std::string name;
    std::string role; ///< objective, violation, descriptor or guide; archive
    double value = 0.0;

    friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

/// What the archives of all islands together came to.
inline constexpr std::string_view archive_coverage = "archive.coverage";
inline constexpr std::string_view archive_qd_score = "archive.qd_score";

/// How a run ended. `failed`: an evaluation threw.
enum class Outcome : unsigned char { solved, unsolved, failed };

/// What is kept of one run.
struct RunRecord {
    std::size_t configuration = 0; ///< index in the study, or in the recorded study
    std::uint64_t number = 0;
    std::uint64_t seed = 0;
    Outcome outcome = Outcome::unsolved;
    std::uint64_t evaluations = 0;
    std::uint64_t generations = 0;
    double seconds = 0.0;
    double best = 0.0;                  ///< the worst there is if nothing was found that holds all it must
    std::uint64_t found_at = 0;         ///< evaluations after which the best was found
    std::uint64_t found_generation = 0; ///< generation in which it was found
    std::string stopped_by{};
    std::string genome{};
    std::string digest{};
    std::string host{}; ///< the machine that did it; the one that records it if empty
    std::vector<TracePoint> trace{};
    /// Of the best, where a record has more than one; of the archive, where the algorithm keeps one.
    std::vector<NamedValue> values{};
};

/// One run to be done.
struct Task {
    std::size_t configuration = 0;
    std::uint64_t number = 0;
};

struct StoreOptions {
    double wait = 30.0; ///< seconds to wait for a locked file before giving up
    /// Called while waiting, with the seconds so far; false gives up at once, with Interrupted.
    std::function<bool(double)> on_wait{};
    double claim_seconds = 60.0; ///< how long a claim holds that is not renewed
    double look_seconds = 0.2;   ///< how often to look for lapsed claims, once every run is claimed
    bool drop_older = false;     ///< forget configurations that are not in the study's file, with their runs
};

/// A configuration as the file holds it.
struct RecordedConfiguration {
    std::string label;
    std::string recipe; ///< complete TOML
    std::string hash;
    std::string problem; ///< kind
    Objective objective = Objective::minimise;
    std::optional<double> target{};
    std::optional<double> size{};
    std::vector<std::pair<std::string, std::string>> varied{};
    std::uint64_t runs = 0; ///< that were wanted
};

/// A configuration that is not in the study's file any more. Its runs are kept, and count nowhere.
struct OlderConfiguration {
    std::string label;
    std::string hash;
    std::uint64_t runs = 0; ///< that were done
};

struct RecordedStudy {
    std::string file; ///< the database
    std::string name;
    std::string description;
    std::string created;
    std::string version; ///< of Knossos, when the file was made
    bool paired = false;
    std::vector<double> targets{};
    std::vector<RecordedConfiguration> configurations{}; ///< of the file it was last opened for, in its order
    std::vector<OlderConfiguration> older{};
};

/// The results of a study in one SQLite file. Every program that opens it sees complete runs only, and
/// several processes may add to it at once: each claims the runs it is going to do. A claim that its process
/// does not renew lapses, at once if that process was on this machine and is gone.
class Store {
  public:
    /// Opens the file for adding runs, or makes it. Configurations that it does not know yet are added; those
    /// that the study does not have any more are older ones from now on. Throws InvalidInput if it holds
    /// another study, runs with other seeds, another format or no study at all, or if nothing would be left
    /// after dropping older ones; InputOutputError if it can't be written or stays locked.
    static Store open_for(const std::filesystem::path& file, const Study& study, StoreOptions options = {});
    /// Opens an existing file for reading.
    static Store open(const std::filesystem::path& file, StoreOptions options = {});
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    /// Runs of the study that were recorded when the file was opened, and of those the solved ones.
    struct Progress {
        std::uint64_t done = 0;
        std::uint64_t solved = 0;
    };
    [[nodiscard]] Progress progress() const;

    /// Runs of the study in which an evaluation failed, and what the first of them said.
    struct Failures {
        std::uint64_t count = 0;
        std::string first{};
    };
    [[nodiscard]] Failures failures() const;

    /// Takes up to `most` runs that nobody has done or is doing.
    std::vector<Task> claim(std::size_t most);
    /// Whether every run of the study is recorded; if not although claim() gives nothing, others are at it.
    [[nodiscard]] bool is_complete() const;
    /// Keeps this process's claims from lapsing.
    void renew_claims();
    /// Records finished runs, all or none of them, and lets go of their claims.
    void record(std::span<const RunRecord> runs);
    /// From now on a locked file is waited for as long as the options say, whatever on_wait() answers: for
    /// what is finished and should find its place.
    void insist();
    /// Lets go of what this process has claimed and not done.
    void release_claims();

    /// What was dropped when the file was opened.
    struct Dropped {
        std::uint64_t configurations = 0;
        std::uint64_t runs = 0;
    };
    [[nodiscard]] Dropped dropped() const;

    [[nodiscard]] RecordedStudy study() const;
    /// Calls visit for each run of the current configurations, by configuration and number. Traces and
    /// genomes are read only if asked for, the values of the best with either.
    void for_each_run(bool traces, bool genomes, const std::function<void(const RunRecord&)>& visit) const;

  private:
    struct State;
    explicit Store(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace knossos::study
