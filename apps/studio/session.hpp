#pragma once

#include "live_gallery.hpp"
#include "order.hpp"
#include "reel.hpp"

#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/run_folder.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::studio {

/// The longest file of frames, trace or result that is read.
inline constexpr std::size_t most_frame_file = std::size_t{64} << 20U;

enum class State : unsigned char { waiting, running, paused, ended, failed };
std::string_view to_string(State state);

/// When something that took from `began` to `ended` may be done again: not more often than every `least`, and
/// so seldom that it takes a tenth of the time at most, however much there has come to be.
constexpr std::chrono::steady_clock::time_point next_time(std::chrono::steady_clock::time_point began,
                                                          std::chrono::steady_clock::time_point ended,
                                                          std::chrono::steady_clock::duration least) {
    return began + std::max(least, 10 * (ended - began));
}

/// What the studio allows itself.
struct Limits {
    unsigned workers = 0;           ///< threads that runs share; 0 means one per hardware thread
    unsigned run_threads = 1;       ///< of each run; 0 means as many as there are and pay
    bool by_itself = true;          ///< otherwise there are no threads, and runs go on in Studio::pump()
    bool has_disk = true;           ///< otherwise no other program can open what is in the workspace
    bool carries_out = true;        ///< otherwise runs wait until another studio takes them (Studio::give)
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

/// A run on its way from one studio to another, beside its folder.
struct Handed {
    std::string id;
    State state = State::paused; ///< waiting, if it is to go on
    double speed = 0.0;
    std::string message{};     ///< why it failed
    std::uint64_t version = 0; ///< of what was seen of it: later ones are greater
    std::uint64_t gallery_version = 0;
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
    /// The file that it came in, if it is no run but a gallery that was opened; else nothing.
    [[nodiscard]] const std::string& imported() const { return imported_; }
    [[nodiscard]] bool is_imported() const { return !imported_.empty(); }
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

    /// What its archives hold; reads it from the folder if it is not in memory. Without archives, its version
    /// is 0.
    [[nodiscard]] const LiveGallery& gallery() const;
    [[nodiscard]] const Decoder& decoder() const { return decoder_; }

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
    void change(auto&& change) {
        {
            const std::lock_guard lock{mutex_};
            change(seen_);
        }
        ++version_;
    }
    /// Whether the state was `from` and is `to` now.
    bool turn(State from, State to);
    void load_frames() const;
    void save(bool finished);
    void let_go();

    std::string id_;
    RunFolder folder_;
    Order order_;
    std::int64_t created_;
    std::string imported_{};
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
    mutable LiveGallery gallery_;
    mutable std::mutex gallery_mutex_; // of loading it
    mutable std::atomic<bool> gallery_loaded_{false};
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
    Clock::time_point save_due_{};
    Clock::time_point frame_due_{};
    Clock::time_point gallery_due_{};
    // Asks the worker to come to an end.
    std::atomic<bool> interrupt_{false};
};
using SessionPtr = std::shared_ptr<Session>;

} // namespace knossos::studio
