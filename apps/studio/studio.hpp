#pragma once

#include "reel.hpp"

#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/run_folder.hpp>

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
#include <thread>
#include <vector>

namespace knossos::studio {

enum class State : unsigned char { waiting, running, paused, ended, failed };
std::string_view to_string(State state);

/// What the page asks for: a built-in recipe and what is changed in it, as on the command line.
struct Order {
    std::string recipe;                 ///< name of a built-in recipe
    std::string toml;                   ///< or a whole recipe
    std::vector<std::string> overrides; ///< "key=value", the seed among them
    bool paused = false;
    double speed = 0.0; ///< generations per second; 0 as fast as it goes
};

/// The order as a recipe of the registry. Throws InvalidInput, also for what would take more memory than a
/// run may have.
Recipe recipe_of(const Order& order, std::size_t most_bytes, const Registry& registry);

/// The command that repeats the order without the studio, quoted for a shell.
std::string command_line(const Order& order, const std::filesystem::path& folder, const std::string& program);

/// What the studio allows itself.
struct Limits {
    unsigned workers = 0;           ///< threads that runs share; 0 means one per hardware thread
    std::size_t most_running = 8;   ///< at once; others wait
    std::size_t most_waiting = 32;  ///< for their turn, to run or to make steps; beyond, it is refused
    std::size_t most_open = 100;    ///< running, waiting and paused; beyond, an order is refused
    std::size_t most_runs = 1000;   ///< kept in the workspace
    std::size_t most_resident = 16; ///< paused runs that keep their population in memory
    std::size_t run_bytes = std::size_t{256} << 20U; ///< of a population and what goes with it
    std::size_t all_bytes = std::size_t{1} << 30U;   ///< of all populations in memory
    std::size_t frame_bytes = std::size_t{8} << 20U; ///< of a run's frames
    std::size_t most_reels = 24;                     ///< runs whose frames are kept in memory
    double save_every = 10.0;                        ///< seconds between checkpoints
};

/// The queue is full, too many runs are open, or the workspace is full.
class Busy : public Error {
  public:
    using Error::Error;
};

/// A run in the workspace. What can be seen of it may be read at any time.
class Session {
  public:
    /// Everything at one moment.
    struct Seen {
        State state = State::paused;
        double speed = 0.0;
        std::string message{};    ///< why it failed
        std::string stopped_by{}; ///< the rule that ended it
        std::string digest{};     ///< of the result, once it has ended
        Statistics statistics{};
        bool solved = false;
        FramePtr frame{}; ///< the newest, if it is in memory
    };

    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] const Recipe& recipe() const { return folder_.recipe(); }
    [[nodiscard]] const RunFolder& folder() const { return folder_; }
    [[nodiscard]] const Order& order() const { return order_; }
    [[nodiscard]] std::int64_t created() const { return created_; }
    [[nodiscard]] const Space& space() const { return space_; }
    [[nodiscard]] const Problem& problem() const { return problem_; }
    /// What a genome of its problem stands for; null if there is nothing to show.
    [[nodiscard]] ArtefactPtr artefact(const std::vector<std::byte>& genome) const {
        return decoder_ ? decoder_(space_, genome.data()) : nullptr;
    }

    /// Grows with every change of what can be seen.
    [[nodiscard]] std::uint64_t version() const { return version_.load(); }
    [[nodiscard]] Seen seen() const;
    /// All frames that are kept; reads them from the folder if they are not in memory.
    [[nodiscard]] std::vector<FramePtr> frames() const;
    /// The last one not after a generation, else the first; null if the folder holds nothing yet.
    [[nodiscard]] FramePtr frame_at(std::uint64_t generation) const;

    /// A text made from what is seen, kept until that changes: many may watch one run.
    template <class Make>
    std::shared_ptr<const std::string> rendered(std::uint64_t& version, Make make) const {
        const std::lock_guard lock{rendered_mutex_};
        const std::uint64_t now = version_.load();
        if (!rendered_ || rendered_version_ != now) {
            rendered_ = std::make_shared<const std::string>(make());
            rendered_version_ = now;
        }
        version = rendered_version_;
        return rendered_;
    }

  private:
    friend class Studio;
    using Clock = std::chrono::steady_clock;

    Session(std::string id, RunFolder folder, Order order, std::int64_t created, const Limits& limits);
    void change(auto&& change);
    /// Whether the state was `from` and is `to` now.
    bool turn(State from, State to);
    void load_frames() const;
    void save(bool finished);
    void let_go();

    std::string id_;
    RunFolder folder_;
    Order order_;
    std::int64_t created_;
    Problem problem_;
    Space space_;
    Decoder decoder_;
    std::size_t sample_size_;
    double bytes_; // that its population takes while it is in memory

    // What can be seen.
    mutable std::mutex mutex_;
    Seen seen_;
    mutable Reel reel_;
    mutable std::atomic<bool> frames_loaded_{false};
    std::atomic<State> state_{State::paused};
    std::atomic<double> speed_{0.0};
    std::atomic<std::uint64_t> version_{1};
    mutable std::mutex rendered_mutex_;
    mutable std::shared_ptr<const std::string> rendered_;
    mutable std::uint64_t rendered_version_ = 0;

    // Guarded by the studio's mutex.
    bool busy_ = false; // a worker has it
    bool removed_ = false;
    bool unsaved_ = false;
    std::uint64_t steps_ = 0; // to be made although it is paused
    Clock::time_point due_{};
    Clock::time_point served_{};
    // Belongs to the worker that has the session.
    std::unique_ptr<Run> run_;
    std::optional<FolderLock> claim_; // as long as there is a run: keeps the command line out of the folder
    Clock::time_point saved_{};
    Clock::time_point published_{};
    // Asks the worker to come to an end.
    std::atomic<bool> interrupt_{false};
};
using SessionPtr = std::shared_ptr<Session>;

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

    /// Throws InvalidInput or Busy; nothing is written then.
    SessionPtr start(Order order);
    [[nodiscard]] SessionPtr find(std::string_view id) const;
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

    /// Grows with every change of any run and of the list.
    [[nodiscard]] std::uint64_t version() const;

  private:
    using Clock = Session::Clock;
    struct Slice;

    void find_runs();
    void require_place_among_open() const;
    void require_place_in_queue() const;
    void work();
    std::optional<Slice> choose(Clock::time_point now, Clock::time_point& wake);
    void serve(const Slice& slice);
    void advance(Session& session, std::uint64_t steps) const;
    void release_memory();
    void make_folder(const std::string& id, const Recipe& recipe, const std::string& note) const;
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
