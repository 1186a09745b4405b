#pragma once

#include <knossos/recipe/registry.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/study.hpp>

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace knossos::studio {

enum class StudyState : unsigned char { waiting, running, paused, ended, failed };
std::string_view to_string(StudyState state);

/// One study of the workspace: recipes × values × seeds, and what has come of them so far.
class LiveStudy {
  public:
    // Parentheses for the note: braces would make a list of it.
    LiveStudy(std::string id, std::filesystem::path folder, nlohmann::ordered_json note)
        : id_{std::move(id)}, folder_{std::move(folder)}, note_(std::move(note)) {}

    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Grows with every change of what can be seen.
    [[nodiscard]] std::uint64_t version() const { return version_.load(); }
    [[nodiscard]] StudyState state() const { return state_.load(); }
    [[nodiscard]] std::int64_t created() const { return note_.value("created", std::int64_t{0}); }
    /// How far it is; with `whole` also what was ordered and the figures of every configuration.
    [[nodiscard]] nlohmann::ordered_json view(bool whole) const;
    [[nodiscard]] std::string toml() const;

  private:
    friend class Studies;

    void load();
    void note_run(const study::RunRecord& run);
    void change(StudyState state) {
        state_ = state;
        ++version_;
    }

    std::string id_;
    std::filesystem::path folder_;
    nlohmann::ordered_json note_; ///< what was ordered, and when
    std::atomic<StudyState> state_{StudyState::waiting};
    std::atomic<std::uint64_t> version_{1};
    std::atomic<bool> interrupt_{false};
    bool removed_ = false; // guarded by the mutex of Studies

    mutable std::mutex mutex_;
    study::RecordedStudy info_{};
    std::vector<study::AnalysedConfiguration> configurations_{};
    std::string message_{};  ///< why it failed
    std::uint64_t here_ = 0; ///< runs that were done since it was started
    double seconds_ = 0.0;   ///< since then
};
using LiveStudyPtr = std::shared_ptr<LiveStudy>;

/// The studies of a workspace, a folder each: the file, the database, the report at the end. One goes on at a
/// time; what was recorded stays, however the studio ends, and a study that was going goes on with the next.
class Studies {
  public:
    static constexpr std::size_t most_studies = 200;

    /// `threads`: runs at once; 0 takes half of the machine, as there are runs to be watched beside them.
    Studies(std::filesystem::path folder, std::size_t run_bytes, Registry registry, unsigned threads = 0);
    Studies(const Studies&) = delete;
    Studies& operator=(const Studies&) = delete;
    /// Runs under way are given up; the next start does them again.
    ~Studies();

    /// Newest first.
    [[nodiscard]] std::vector<LiveStudyPtr> list() const;
    [[nodiscard]] LiveStudyPtr find(std::string_view id) const;
    /// Grows with every change of any study and of the list.
    [[nodiscard]] std::uint64_t version() const;
    [[nodiscard]] std::size_t run_bytes() const { return run_bytes_; }
    [[nodiscard]] const Registry& registry() const { return registry_; }

    /// Writes it down and lets it begin when its turn comes. Throws InvalidInput or Busy; nothing is written
    /// then.
    LiveStudyPtr start(const nlohmann::ordered_json& order);
    void play(LiveStudy& study);
    void pause(LiveStudy& study);
    /// Forgets a study and deletes its folder.
    void remove(LiveStudy& study);

  private:
    void find_studies();
    void work();
    void carry_out(const LiveStudyPtr& live);
    void erase(const LiveStudy& study) const;
    void write_note(const LiveStudy& study, bool is_paused) const;

    std::filesystem::path folder_;
    std::size_t run_bytes_;
    Registry registry_;
    unsigned threads_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::map<std::string, LiveStudyPtr, std::less<>> all_;
    LiveStudyPtr current_;
    std::atomic<std::uint64_t> list_version_{1};
    std::atomic<bool> stopping_{false};
    std::jthread worker_; // last: ends before what it uses
};

} // namespace knossos::studio
