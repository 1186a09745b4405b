#include "session.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/result_json.hpp>

#include <array>

namespace knossos::studio {

namespace fs = std::filesystem;

namespace {

std::size_t sample_size(const Recipe& recipe, const Space& space) {
    const Domain& domain = domain_of(recipe);
    if (domain.shown_beside) return domain.shown_beside(recipe.choice("problem")->values, space);
    return space.genome_bytes() <= 2048 ? 8 : 0;
}

std::size_t front_bytes(const Schema& schema) {
    const std::size_t objectives = schema.objectives().size();
    return objectives < 2 ? 0 : most_front_points * objectives * sizeof(double);
}

} // namespace

std::string_view to_string(State state) {
    constexpr std::array<std::string_view, 5> names{"waiting", "running", "paused", "ended", "failed"};
    return names[static_cast<std::size_t>(state)];
}

Session::Session(std::string id, RunFolder folder, Order order, std::int64_t created, const Limits& limits)
    : id_{std::move(id)}, folder_{std::move(folder)}, order_{std::move(order)}, created_{created},
      problem_{recipe().problem()}, space_{problem_.space()}, decoder_{recipe().decoder()},
      sample_size_{sample_size(recipe(), space_)},
      bytes_{bytes_needed(recipe().settings(), recipe().problem())},
      reel_{space_.genome_bytes() * (1 + sample_size_) + sizeof(Frame) + front_bytes(problem_.schema()),
            limits.frame_bytes} {
    if (!limits.has_disk) folder_.leave_out_gallery();
}

bool Session::turn(State from, State to) {
    if (!state_.compare_exchange_strong(from, to)) return false;
    ++version_;
    return true;
}

Session::Seen Session::seen() const {
    const std::lock_guard lock{mutex_};
    Seen copy = seen_;
    copy.state = state_;
    copy.speed = speed_;
    return copy;
}

std::vector<FramePtr> Session::frames() const {
    const std::lock_guard lock{mutex_};
    load_frames();
    std::vector<FramePtr> all;
    for (const auto& [generation, frame] : reel_.frames()) all.push_back(frame);
    if (seen_.frame &&
        (all.empty() || all.back()->statistics.generation < seen_.frame->statistics.generation))
        all.push_back(seen_.frame);
    return all;
}

FramePtr Session::frame_at(std::uint64_t generation) const {
    const std::lock_guard lock{mutex_};
    load_frames();
    if (seen_.frame && seen_.frame->statistics.generation <= generation) return seen_.frame;
    FramePtr found = reel_.at(generation);
    return found ? found : seen_.frame;
}

void Session::load_frames() const {
    if (frames_loaded_) return;
    frames_loaded_ = true;
    const fs::path file = folder_.path() / "frames.bin";
    try {
        if (fs::exists(file)) unpack_frames(read_file(file, most_frame_file), space_, reel_);
    } catch (const Error&) {
        reel_.clear(); // only for looking back: the run itself is in its checkpoint
    }
    if (!reel_.frames().empty()) return;
    try {
        if (is_imported()) return reel_.add(frame_of(load_gallery(folder_.path(), recipe().registry())));
        std::string remark;
        const Run run = folder_.resume(recipe().settings(), remark);
        reel_.add(frame_of(run, sample_size_));
    } catch (const Error&) {
        return; // nothing to be seen; going on will say why
    }
}

const LiveGallery& Session::gallery() const {
    const std::lock_guard lock{gallery_mutex_};
    if (gallery_loaded_) return gallery_;
    gallery_loaded_ = true;
    try {
        if (is_imported()) {
            gallery_.open(load_gallery(folder_.path(), recipe().registry()));
            return gallery_;
        }
        std::string remark;
        const Run run = folder_.resume(recipe().settings(), remark);
        if (const auto found = run.gallery()) gallery_.update(*found);
    } catch (const Error&) {
        return gallery_; // nothing to be seen; going on will say why
    }
    return gallery_;
}

void Session::save(bool finished) {
    if (!finished) folder_.save(*run_); // else all that is in finish()
    std::string frames;
    {
        const std::lock_guard lock{mutex_};
        frames = pack_frames(reel_);
    }
    write_file(folder_.path() / "frames.bin", frames);
    if (finished) {
        const Result result = run_->result();
        const render::Format& picture = format_named("svg", recipe().registry());
        if (const ArtefactPtr best = artefact(result.best.bytes); best && domain_of(recipe()).writes(picture))
            write_artefact(folder_.path() / "best.svg", *best, picture);
        // Last: a run that has its result counts as ended, and nobody would make up for what is missing.
        folder_.finish(*run_);
        change([&](Seen& seen) {
            seen.digest = digest_text(result.digest);
            seen.stopped_by = result.stopped_by;
        });
    }
}

void Session::let_go() {
    run_.reset();
    claim_.reset();
}

} // namespace knossos::studio
