#pragma once

#include <knossos/core/files.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knossos {

/// Everything of a run in one folder: recipe.toml (complete), checkpoint.bin, trace.csv, gallery.json where
/// the algorithm keeps an archive, result.json once it has ended, and with several objectives front.json and
/// front.csv. Pictures are put there by whoever can draw them. If a run is spread over several processes, all
/// of them call save() and finish() at the same time, each writes its islands to epochs/, and the first
/// writes the rest.
class RunFolder {
  public:
    /// Makes the folder, or takes an empty one. Throws InvalidInput if it already holds a run.
    static RunFolder create(const std::filesystem::path& path, const Recipe& recipe);
    /// Opens a run folder; throws InvalidInput if it isn't one. The recipe is read with the registry.
    static RunFolder open(const std::filesystem::path& path, const Registry& registry = Registry::built_in());

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const Recipe& recipe() const { return recipe_; }
    [[nodiscard]] bool is_finished() const;
    /// Whether another process is at work here.
    [[nodiscard]] bool is_in_use() const;

    /// For whoever writes: keeps other processes out as long as the lock lives, and removes what one that was
    /// killed left behind. Throws InvalidInput if another process is at work here.
    [[nodiscard]] FolderLock claim() const;

    /// Takes the run up where the newest intact checkpoint left it, or at its beginning if there is none yet.
    /// `remark` says which damaged ones were passed over. Throws InvalidInput if there are only such.
    [[nodiscard]] Run resume(Settings settings, std::string& remark, Exchange* exchange = nullptr) const;

    /// From now on no gallery.json is written: where no other program can open the folder it would only take
    /// time.
    void leave_out_gallery() { writes_gallery_ = false; }
    /// Writes checkpoint and trace.
    void save(const Run& run) const;
    /// Writes checkpoint, trace and result. If wall time ended the run, the recipe now ends at the same
    /// generation, so that it repeats the run.
    void finish(const Run& run) const;
    /// The same run with more for later generations to go by: the recipe is written, and has to fit the
    /// checkpoints.
    void change_recipe(Recipe recipe);
    /// Removes the result: the run goes on under later stop rules.
    void reopen() const;

  private:
    RunFolder(std::filesystem::path path, Recipe recipe);
    friend class BackgroundSaver;
    void write(std::span<const std::byte> snapshot, const std::vector<Statistics>& history) const;
    void write(const Gallery& gallery) const;
    void write_together(const Run& run, const Result& result, bool is_end) const;
    void write_end(const Result& result) const;

    std::filesystem::path path_;
    Recipe recipe_;
    std::function<std::uint64_t(std::uint64_t)> recipe_hash_; ///< at a generation
    bool writes_gallery_ = true;
};

/// Saves a run while it goes on. A generation waits only for the copy of what is to be written, never for the
/// disk.
class BackgroundSaver {
  public:
    explicit BackgroundSaver(const RunFolder& folder) : folder_{folder} {}
    /// Returns false, having done nothing, if the last save is still on its way to the disk. Throws what went
    /// wrong with an earlier one.
    bool save(const Run& run);
    /// Waits for the last save; throws what went wrong with it.
    void wait();

  private:
    const RunFolder& folder_;
    std::optional<std::chrono::steady_clock::time_point> shown_{}; ///< when a gallery was last written
    std::future<void> saving_;                                     // waits in its destructor
};

/// Runs a folder's recipe again, to the generation where its result was taken, and compares. Returns what
/// differs, or nothing if it is the same to the bit. Throws InvalidInput if the folder holds no result.
std::optional<std::string> verify(const RunFolder& folder, unsigned threads);

/// A generation's statistics as the rows of trace.csv have them, and back.
std::string trace_csv(const std::vector<Statistics>& history);
std::vector<Statistics> read_trace(std::string_view csv, std::string_view file);

} // namespace knossos
