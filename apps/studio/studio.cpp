#include "studio.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/result_json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <system_error>

namespace knossos::studio {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

namespace {

constexpr auto slice_time = 25ms;
constexpr auto frame_every = 40ms;
constexpr auto gallery_every = 100ms; // larger than frames, and enough to watch it fill

} // namespace

// --- studio ----------------------------------------------------------------

struct Studio::Slice {
    SessionPtr session;
    std::uint64_t steps; // 0: only to write it down
};

Studio::Studio(fs::path workspace, Limits limits, Registry registry)
    : workspace_{std::move(workspace)}, limits_{limits}, registry_{std::move(registry)} {
    std::error_code error;
    fs::create_directories(workspace_, error);
    if (error)
        throw InputOutputError{
            fmt::format("{}: making the workspace failed: {}", workspace_.string(), error.message())};
    try {
        lock_.emplace(workspace_);
    } catch (const InvalidInput&) {
        throw InvalidInput{fmt::format(
            "{}: another studio works there; close it, or choose another --workspace", workspace_.string())};
    }
    find_runs();
    const unsigned workers =
        limits_.workers != 0 ? limits_.workers : std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < workers && limits_.by_itself; ++i) workers_.emplace_back([this] { work(); });
}

Studio::~Studio() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
        for (const auto& [id, session] : sessions_) session->interrupt_ = true;
    }
    wake_.notify_all();
    workers_.clear();
    for (const auto& [id, session] : sessions_) {
        if (!session->run_ || !session->unsaved_) continue;
        try {
            session->save(session->run_->finished());
        } catch (const std::exception& failure) {
            fmt::print(stderr, "{}: {}: {}\n", registry_.program(), id, failure.what());
        }
    }
}

SessionPtr Studio::start(Order order) {
    const Recipe recipe = recipe_of(order, limits_.run_bytes, registry_);
    const std::lock_guard lock{mutex_};
    require_place_in_workspace();
    require_place_among_open();
    if (!order.paused) require_place_in_queue();
    const std::string id = make_folder(tame(recipe.name()), recipe, order, {});
    SessionPtr session = found(workspace_ / id);
    session->frames_loaded_ = true; // there are none yet
    session->state_ = order.paused ? State::paused : State::waiting;
    session->speed_ = order.speed;
    session->unsaved_ =
        true; // generation 0 is made even if the run is paused, so that there is something to see
    sessions_.emplace(id, session);
    ++list_version_;
    wake_.notify_all();
    return session;
}

// Called with the lock held.
void Studio::require_place_in_queue() const {
    const auto waiting = std::ranges::count_if(sessions_, [](const auto& one) {
        return one.second->state_ == State::waiting || one.second->steps_ > 0;
    });
    if (static_cast<std::size_t>(waiting) >= limits_.most_waiting)
        throw Busy{fmt::format("{} runs are waiting already; try again when some have ended", waiting)};
}

SessionPtr Studio::find(std::string_view id) const {
    const std::lock_guard lock{mutex_};
    const auto found = sessions_.find(id);
    return found == sessions_.end() ? nullptr : found->second;
}

std::vector<SessionPtr> Studio::sessions() const {
    const std::lock_guard lock{mutex_};
    std::vector<SessionPtr> all;
    for (const auto& [id, session] : sessions_) all.push_back(session);
    std::ranges::stable_sort(
        all, [](const SessionPtr& a, const SessionPtr& b) { return a->created_ > b->created_; });
    return all;
}

std::uint64_t Studio::version() const {
    std::uint64_t sum = list_version_.load();
    const std::lock_guard lock{mutex_};
    for (const auto& [id, session] : sessions_) sum += session->version();
    return sum;
}

void Studio::require_place_among_open() const {
    const auto open = std::ranges::count_if(sessions_, [](const auto& one) {
        const State state = one.second->state_;
        return state == State::waiting || state == State::running || state == State::paused;
    });
    if (static_cast<std::size_t>(open) >= limits_.most_open)
        throw Busy{fmt::format("{} runs are running, waiting or paused, which is as many as may be; let some "
                               "end or delete some",
                               open)};
}

void Studio::play(Session& session) {
    const std::lock_guard lock{mutex_};
    const bool enters = session.state_ == State::paused || session.state_ == State::failed;
    if (session.state_ == State::failed) require_place_among_open();
    if (enters && session.steps_ == 0) require_place_in_queue();
    session.steps_ = 0;
    session.interrupt_ = false;
    if (!session.turn(State::paused, State::waiting)) session.turn(State::failed, State::waiting);
    wake_.notify_all();
}

void Studio::pause(Session& session) {
    const std::lock_guard lock{mutex_};
    session.steps_ = 0;
    session.interrupt_ = true;
    if (!session.turn(State::running, State::paused)) session.turn(State::waiting, State::paused);
    wake_.notify_all();
}

void Studio::step(Session& session, std::uint64_t count) {
    const std::lock_guard lock{mutex_};
    if (session.state_ == State::failed) require_place_among_open();
    if (session.steps_ == 0 && session.state_ != State::waiting) require_place_in_queue();
    for (const State from : {State::running, State::waiting, State::failed})
        session.turn(from, State::paused);
    session.interrupt_ = session.busy_ && session.steps_ == 0; // a slice of many generations ends first
    session.steps_ += count;
    session.due_ = {};
    wake_.notify_all();
}

void Studio::set_speed(Session& session, double generations_per_second) {
    const std::lock_guard lock{mutex_};
    session.due_ = {};
    session.speed_ = generations_per_second;
    ++session.version_;
    wake_.notify_all();
}

void Studio::remove(Session& session) {
    const std::lock_guard lock{mutex_};
    const auto found = sessions_.find(session.id());
    if (found == sessions_.end()) return;
    const SessionPtr kept = found->second;
    sessions_.erase(found);
    kept->removed_ = true;
    kept->interrupt_ = true;
    // A worker that is at it deletes the folder when it is done; without a recipe it is no run from now on.
    std::error_code ignored;
    if (kept->busy_)
        fs::remove(workspace_ / kept->id() / "recipe.toml", ignored);
    else
        erase_folder(*kept);
    // No smaller than before, or watchers of the list would miss it.
    list_version_ += kept->version() + 1;
    kept->state_ = State::ended;
    ++kept->version_;
}

// --- workers ---------------------------------------------------------------

void Studio::work() {
    std::unique_lock lock{mutex_};
    while (!stopping_) {
        auto wake = Clock::now() + 1s;
        if (!serve_next(lock, wake)) wake_.wait_until(lock, wake);
    }
}

bool Studio::pump() {
    std::unique_lock lock{mutex_};
    auto wake = Clock::now() + 1s;
    return serve_next(lock, wake);
}

// Called with the lock held, which is given back for the work itself.
bool Studio::serve_next(std::unique_lock<std::mutex>& lock, Clock::time_point& wake) {
    if (!limits_.carries_out) {
        release_memory();
        return false;
    }
    const auto now = Clock::now();
    const auto slice = choose(now, wake);
    if (!slice) return false;
    Session& session = *slice->session;
    session.busy_ = true;
    session.served_ = now;
    session.interrupt_ = false;
    lock.unlock();
    serve(*slice);
    lock.lock();
    session.busy_ = false;
    if (session.removed_) erase_folder(session);
    release_memory();
    wake_.notify_all();
    return true;
}

// The session that has waited longest for its turn. Those that wait for a place begin when there is one.
std::optional<Studio::Slice> Studio::choose(Clock::time_point now, Clock::time_point& wake) {
    std::size_t running = 0;
    double bytes = 0.0;
    for (const auto& [id, session] : sessions_) {
        if (session->state_ != State::running) continue;
        ++running;
        bytes += session->bytes_;
    }
    SessionPtr best;
    for (const auto& [id, session] : sessions_) {
        if (session->busy_) continue;
        if (session->state_ == State::ended || session->state_ == State::failed) {
            session->steps_ = 0;
            session->unsaved_ = false;
            continue;
        }
        const bool fits = running == 0 || bytes + session->bytes_ <= static_cast<double>(limits_.all_bytes);
        if (session->state_ == State::waiting && running < limits_.most_running && fits) {
            session->turn(State::waiting, State::running);
            session->unsaved_ = true;
            ++running;
            bytes += session->bytes_;
        }
        const bool wanted = session->state_ == State::running || session->steps_ > 0 ||
                            (session->unsaved_ && session->state_ == State::paused);
        if (!wanted) continue;
        if (session->due_ > now) {
            wake = std::min(wake, session->due_);
            continue;
        }
        if (!best || session->served_ < best->served_) best = session;
    }
    if (!best) return std::nullopt;
    constexpr std::uint64_t all = ~std::uint64_t{0};
    if (best->steps_ > 0) {
        // One at a time, so that each is seen.
        --best->steps_;
        best->unsaved_ = true;
        return Slice{best, 1};
    }
    if (best->state_ != State::running) {
        best->unsaved_ = false;
        return Slice{best, 0};
    }
    const double speed = best->speed_;
    if (speed <= 0.0) return Slice{best, all};
    const double seconds = std::chrono::duration<double>(slice_time).count();
    const auto steps = static_cast<std::uint64_t>(std::max(1.0, speed * seconds));
    const auto pause = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(static_cast<double>(steps) / speed));
    best->due_ = std::max(best->due_, now - slice_time) + pause;
    return Slice{best, steps};
}

void Studio::serve(const Slice& slice) {
    Session& session = *slice.session;
    try {
        advance(session, slice.steps);
    } catch (const std::exception& failure) {
        session.let_go();
        session.change([&](Session::Seen& seen) { seen.message = failure.what(); });
        session.state_ = State::failed;
        ++session.version_;
    }
}

void Studio::advance(Session& session, std::uint64_t steps) const {
    const auto save_every =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.save_every));
    const auto keep = [&](const FramePtr& frame) {
        const std::lock_guard lock{session.mutex_};
        session.reel_.add(frame);
    };
    if (!session.run_) {
        {
            const std::lock_guard lock{session.mutex_};
            session.load_frames();
        }
        std::string of_device, remark; // who watches sees the run itself, which is the same wherever it goes
        session.claim_.emplace(session.folder_.claim());
        const Recipe& recipe = session.recipe();
        Settings settings = device::on_wanted(recipe, recipe.settings(), recipe.output().device, of_device);
        settings.threads = limits_.run_threads;
        session.run_ = std::make_unique<Run>(session.folder_.resume(std::move(settings), remark));
        session.save_due_ = Clock::now() + save_every;
        keep(frame_of(*session.run_, session.sample_size_));
    }
    Run& run = *session.run_;
    const bool only_save = steps == 0;
    const auto until = Clock::now() + slice_time;
    while (steps > 0 && !run.finished()) {
        run.step();
        --steps;
        if (session.reel_.wants(run.status().statistics.generation))
            keep(frame_of(run, session.sample_size_));
        if (session.interrupt_ || Clock::now() >= until) break;
    }
    const auto now = Clock::now();
    const bool finished = run.finished();
    const bool pausing = session.interrupt_ || steps == 0;
    if (finished || pausing || now >= session.frame_due_) {
        const FramePtr frame = frame_of(run, session.sample_size_);
        session.frame_due_ = next_time(now, Clock::now(), frame_every);
        if (finished || pausing || now >= session.gallery_due_) {
            const auto began = Clock::now();
            if (const auto gallery = run.gallery()) session.gallery_.update(*gallery);
            session.gallery_loaded_ = true;
            session.gallery_due_ = next_time(began, Clock::now(), gallery_every);
        }
        if (finished) keep(frame);
        // Ended is said last, after everything that can then be read.
        if (finished) {
            session.save(true);
            session.let_go();
        }
        session.change([&](Session::Seen& seen) {
            seen.statistics = frame->statistics;
            seen.solved = frame->solved;
            seen.frame = frame;
            seen.message.clear();
            if (finished) session.state_ = State::ended;
        });
    }
    if (finished) return;
    if (!only_save && now < session.save_due_) return;
    session.save(false);
    session.save_due_ = next_time(now, Clock::now(), save_every);
}

// Called with the lock held: lets go of what can be read back from the folders.
void Studio::release_memory() {
    std::vector<Session*> resident;
    std::vector<Session*> reels;
    for (const auto& [id, session] : sessions_) {
        if (session->busy_ || session->unsaved_ || session->steps_ > 0) continue;
        if (session->state_ == State::running || session->state_ == State::waiting) continue;
        if (session->run_) resident.push_back(session.get());
        if (session->frames_loaded_ || session->gallery_loaded_) reels.push_back(session.get());
    }
    const auto shrink = [](std::vector<Session*>& all, std::size_t most, auto release) {
        if (all.size() <= most) return;
        std::ranges::sort(all, {}, &Session::served_);
        for (std::size_t i = 0; i + most < all.size(); ++i) release(*all[i]);
    };
    double bytes = 0.0;
    for (const Session* one : resident) bytes += one->bytes_;
    const bool heavy = bytes > static_cast<double>(limits_.all_bytes) / 2;
    shrink(resident, heavy ? 1 : limits_.most_resident, [](Session& one) { one.let_go(); });
    shrink(reels, limits_.most_reels, [](Session& one) {
        const std::lock_guard lock{one.mutex_};
        one.reel_.clear();
        one.seen_.frame.reset();
        one.frames_loaded_ = false;
        one.gallery_.clear();
        one.gallery_loaded_ = false;
    });
}

} // namespace knossos::studio
