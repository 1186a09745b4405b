#pragma once

#include "session.hpp"

#include <condition_variable>
#include <filesystem>
#include <map>
#include <thread>

namespace knossos::studio {

/// The queue is full, too many runs are open, or the workspace is full.
class Busy : public Error {
  public:
    using Error::Error;
};

/// The name of a folder for what people call so: made of what no file system and no page minds.
std::string tame(std::string_view name);

/// The runs of a workspace and the threads that drive them, a slice of time each in turn.
class Studio {
  public:
    /// Takes the workspace for itself and finds the runs in it. Throws InvalidInput if another studio has it.
    explicit Studio(std::filesystem::path workspace, Limits limits = {},
                    Registry registry = Registry::built_in());
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;
    /// Writes down every run. One whose generation takes too long is left as its last checkpoint has it.
    ~Studio();

    [[nodiscard]] const std::filesystem::path& workspace() const { return workspace_; }
    [[nodiscard]] const Limits& limits() const { return limits_; }
    [[nodiscard]] const Registry& registry() const { return registry_; }
    /// How the recipe in a folder is called in commands that somebody is to type.
    [[nodiscard]] std::filesystem::path recipe_file(const std::filesystem::path& folder) const {
        return limits_.has_disk ? folder / "recipe.toml" : "recipe.toml";
    }

    /// Throws InvalidInput or Busy; nothing is written then.
    SessionPtr start(Order order);
    [[nodiscard]] SessionPtr find(std::string_view id) const;
    /// Keeps a gallery (gallery.json) as a run that has ended, of which nothing else is known. Throws
    /// InvalidInput that names the file and what is wrong with it, or Busy.
    SessionPtr open_gallery(const std::string& json, const std::string& file);
    /// Newest first.
    [[nodiscard]] std::vector<SessionPtr> sessions() const;

    /// Throws Busy if too many wait already.
    void play(Session& session);
    void pause(Session& session);
    /// Pauses, then makes so many generations. Throws Busy if too many wait already.
    void step(Session& session, std::uint64_t count);
    void set_speed(Session& session, double generations_per_second);
    /// Forgets a run and deletes its folder.
    void remove(Session& session);

    /// Forgets a run and leaves its folder, written down, to the studio that takes it. Throws InvalidInput if
    /// a thread is at it.
    Handed give(Session& session);
    /// Takes a run whose folder has been put into the workspace. Throws InvalidInput if it is none.
    void take(const Handed& handed);

    /// A slice of work, where no threads do it (Limits::by_itself). Returns whether there was any.
    bool pump();

    /// Grows with every change of any run and of the list.
    [[nodiscard]] std::uint64_t version() const;

  private:
    using Clock = Session::Clock;
    struct Slice;

    void find_runs();
    [[nodiscard]] SessionPtr found(const std::filesystem::path& folder) const;
    void require_place_among_open() const;
    void require_place_in_queue() const;
    void work();
    bool serve_next(std::unique_lock<std::mutex>& lock, Clock::time_point& wake);
    std::optional<Slice> choose(Clock::time_point now, Clock::time_point& wake);
    void serve(const Slice& slice);
    void advance(Session& session, std::uint64_t steps) const;
    void release_memory();
    /// A gallery that was not found here, and the file that it came in.
    struct Imported {
        std::string file;
        std::string json;
    };
    void require_place_in_workspace() const;
    /// Returns the id that it has made of the stem.
    std::string make_folder(const std::string& stem, const Recipe& recipe, const Order& order,
                            const Imported& imported) const;
    void erase_folder(const Session& session) const;

    std::filesystem::path workspace_;
    Limits limits_;
    Registry registry_;
    std::optional<FolderLock> lock_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::map<std::string, SessionPtr, std::less<>> sessions_;
    std::atomic<std::uint64_t> list_version_{1};
    bool stopping_ = false;
    std::vector<std::jthread> workers_;
};

} // namespace knossos::studio
