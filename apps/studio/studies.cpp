#include "studies.hpp"

#include "studio.hpp"
#include "study_order.hpp"
#include "views.hpp"

#include <knossos/core/files.hpp>
#include <knossos/study/report.hpp>
#include <knossos/study/runner.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

namespace knossos::studio {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_study_file = 4'000'000;
constexpr const char* toml_name = "study.toml";
constexpr const char* note_name = "order.json";
constexpr const char* database_name = "study.db";
constexpr const char* report_name = "report.html";
constexpr std::string_view unborn_study = ".new-";
constexpr std::string_view doomed_study = ".deleted-";

std::int64_t study_clock() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Json interval_view(const study::Interval& interval) {
    return Json::array({number(interval.low), number(interval.high)});
}

// The figures that the report will have, but for those that take their time.
Json figures_view(const study::AnalysedConfiguration& one) {
    std::vector<double> times;
    std::vector<double> best;
    std::vector<double> seconds;
    std::uint64_t failed = 0;
    for (const study::AnalysedRun& run : one.runs) {
        best.push_back(one.final_value(run));
        seconds.push_back(run.seconds);
        failed += run.outcome == study::Outcome::failed ? 1U : 0U;
        if (one.info.target && run.outcome == study::Outcome::solved)
            times.push_back(one.time_to(run, *one.info.target));
    }
    const double expected =
        one.info.target ? study::expected_running_time(one.attempts(*one.info.target)) : study::never;
    const study::Summary values = study::summarise(std::move(best));
    Json varied = Json::object();
    for (const auto& [key, value] : one.info.varied) varied[key] = value;
    return {{"label", one.info.label},
            {"problem", one.info.problem},
            {"varied", varied},
            {"runs", one.info.runs},
            {"done", one.runs.size()},
            {"solved", one.solved()},
            {"failed", failed},
            {"target", one.info.target ? number(*one.info.target) : Json(nullptr)},
            {"success", interval_view(study::wilson_interval(one.solved(), one.runs.size()))},
            {"expected", number(expected)},
            {"evaluations", number(study::summarise(std::move(times)).median)},
            {"best", number(values.median)},
            {"best_quartiles", interval_view({values.lower_quartile, values.upper_quartile})},
            {"seconds", number(study::summarise(std::move(seconds)).median)}};
}

} // namespace

std::string_view to_string(StudyState state) {
    constexpr std::array<std::string_view, 5> names{"waiting", "running", "paused", "ended", "failed"};
    return names[static_cast<std::size_t>(state)];
}

// --- one study ---------------------------------------------------------------

void LiveStudy::note_run(const study::RunRecord& run) {
    const std::lock_guard lock{mutex_};
    study::AnalysedConfiguration& one = configurations_.at(run.configuration);
    const std::size_t begin = one.traces.size();
    one.traces.insert(one.traces.end(), run.trace.begin(), run.trace.end());
    one.runs.push_back({.number = run.number,
                        .seed = run.seed,
                        .outcome = run.outcome,
                        .evaluations = run.evaluations,
                        .generations = run.generations,
                        .found_at = run.found_at,
                        .found_generation = run.found_generation,
                        .seconds = run.seconds,
                        .best = run.best,
                        .is_record = !run.values.empty(),
                        .trace_begin = begin,
                        .trace_end = one.traces.size()});
}

// What its database holds.
void LiveStudy::load() {
    const study::Store store = study::Store::open(folder_ / database_name);
    {
        const std::lock_guard lock{mutex_};
        info_ = store.study();
        configurations_.clear();
        for (const study::RecordedConfiguration& one : info_.configurations)
            configurations_.push_back({.info = one});
    }
    store.for_each_run(true, false, [&](const study::RunRecord& run) { note_run(run); });
    ++version_;
}

std::string LiveStudy::toml() const { return read_file(folder_ / toml_name, most_study_file); }

Json LiveStudy::view(bool whole) const {
    const std::lock_guard lock{mutex_};
    std::uint64_t runs = 0;
    std::uint64_t done = 0;
    std::uint64_t solved = 0;
    for (const study::AnalysedConfiguration& one : configurations_) {
        runs += one.info.runs;
        done += one.runs.size();
        solved += one.solved();
    }
    const StudyState state = state_.load();
    const bool is_told = state == StudyState::running && here_ > 0;
    Json view{{"id", id_},
              {"name", info_.name},
              {"description", info_.description},
              {"created", created()},
              {"state", to_string(state)},
              {"version", version_.load()},
              {"configurations", configurations_.size()},
              {"runs", runs},
              {"done", done},
              {"solved", solved},
              {"left", is_told
                           ? number(seconds_ * static_cast<double>(runs - done) / static_cast<double>(here_))
                           : Json(nullptr)},
              {"report", state == StudyState::ended}};
    if (!message_.empty()) view["message"] = message_;
    if (!whole) return view;
    view["order"] = note_.value("order", Json::object());
    view["rows"] = Json::array();
    for (const study::AnalysedConfiguration& one : configurations_) view["rows"].push_back(figures_view(one));
    return view;
}

// --- all of them ---------------------------------------------------------------

Studies::Studies(fs::path folder, std::size_t run_bytes, Registry registry, unsigned threads)
    : folder_{std::move(folder)}, run_bytes_{run_bytes}, registry_{std::move(registry)},
      threads_{threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency() / 2)} {
    find_studies();
    worker_ = std::jthread{[this] { work(); }};
}

Studies::~Studies() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
    }
    wake_.notify_all();
}

void Studies::find_studies() {
    std::error_code failed;
    std::vector<fs::path> folders;
    for (fs::directory_iterator entry{folder_, failed}; !failed && entry != fs::directory_iterator{};
         entry.increment(failed))
        if (fs::is_directory(entry->symlink_status())) folders.push_back(entry->path());
    std::error_code ignored; // what can't be removed does no harm
    for (const fs::path& one : folders) {
        const std::string id = one.filename().string();
        if (id.starts_with(unborn_study) || id.starts_with(doomed_study)) {
            fs::remove_all(one, ignored);
            continue;
        }
        if (id != tame(id) || !fs::exists(one / note_name, ignored)) continue;
        if (all_.size() >= most_studies) break;
        try {
            auto live = std::make_shared<LiveStudy>(id, one,
                                                    Json::parse(read_file(one / note_name, most_study_file)));
            live->load();
            live->state_ = fs::exists(one / report_name)        ? StudyState::ended
                           : live->note_.value("paused", false) ? StudyState::paused
                                                                : StudyState::waiting;
            all_.emplace(id, std::move(live));
        } catch (const std::exception& failure) {
            fmt::print(stderr, "{}: the study {} is left out: {}\n", registry_.program(), one.string(),
                       failure.what());
        }
    }
}

std::vector<LiveStudyPtr> Studies::list() const {
    const std::lock_guard lock{mutex_};
    std::vector<LiveStudyPtr> all;
    for (const auto& [id, live] : all_) all.push_back(live);
    std::ranges::stable_sort(
        all, [](const LiveStudyPtr& a, const LiveStudyPtr& b) { return a->created() > b->created(); });
    return all;
}

LiveStudyPtr Studies::find(std::string_view id) const {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(id);
    return found == all_.end() ? nullptr : found->second;
}

std::uint64_t Studies::version() const {
    std::uint64_t sum = list_version_.load();
    const std::lock_guard lock{mutex_};
    for (const auto& [id, live] : all_) sum += live->version();
    return sum;
}

// All of it or nothing, whenever a kill or a full disk gets between.
LiveStudyPtr Studies::start(const Json& order) {
    const std::string toml = study_toml(order, registry_);
    const study::Study study = checked_study(toml, run_bytes_, registry_);
    const std::lock_guard lock{mutex_};
    if (all_.size() >= most_studies)
        throw Busy{fmt::format("the workspace holds {} studies, which is as many as it takes; delete some",
                               most_studies)};
    std::string lower = study.name;
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const std::string stem = tame(lower);
    std::string id;
    for (std::size_t count = 1; id.empty() || all_.contains(id) || fs::exists(folder_ / id); ++count)
        id = fmt::format("{}-{}", stem, count);
    const fs::path made = folder_ / fmt::format("{}{}", unborn_study, id);
    std::error_code ignored;
    fs::remove_all(made, ignored);
    const Json note{{"created", study_clock()}, {"paused", false}, {"order", order}};
    try {
        fs::create_directories(made);
        write_file(made / toml_name, toml);
        write_file(made / note_name, note.dump());
        (void)study::Store::open_for(made / database_name, study);
        fs::rename(made, folder_ / id);
    } catch (const fs::filesystem_error& failure) {
        fs::remove_all(made, ignored);
        throw InputOutputError{failure.what()};
    } catch (...) {
        fs::remove_all(made, ignored);
        throw;
    }
    auto live = std::make_shared<LiveStudy>(id, folder_ / id, note);
    live->load();
    all_.emplace(id, live);
    ++list_version_;
    wake_.notify_all();
    return live;
}

void Studies::write_note(const LiveStudy& study, bool is_paused) const {
    Json note = study.note_;
    note["paused"] = is_paused;
    write_file(study.folder() / note_name, note.dump());
}

void Studies::play(LiveStudy& study) {
    const std::lock_guard lock{mutex_};
    if (study.removed_ || (study.state() != StudyState::paused && study.state() != StudyState::failed))
        return;
    write_note(study, false);
    study.change(StudyState::waiting);
    wake_.notify_all();
}

void Studies::pause(LiveStudy& study) {
    const std::lock_guard lock{mutex_};
    if (study.removed_ || (study.state() != StudyState::running && study.state() != StudyState::waiting))
        return;
    write_note(study, true);
    study.interrupt_ = true;
    study.change(StudyState::paused);
}

void Studies::remove(LiveStudy& study) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(study.id());
    if (found == all_.end()) return;
    const LiveStudyPtr kept = found->second;
    all_.erase(found);
    kept->removed_ = true;
    kept->interrupt_ = true;
    // The worker, if it is at it, deletes the folder when it is done; without its note it is no study by
    // then.
    std::error_code ignored;
    if (current_ == kept)
        fs::remove(kept->folder() / note_name, ignored);
    else
        erase(*kept);
    list_version_ += kept->version() + 2; // no smaller than before, or watchers of the list would miss it
    kept->change(StudyState::ended);
}

void Studies::erase(const LiveStudy& study) const {
    const fs::path renamed = folder_ / fmt::format("{}{}", doomed_study, study.id());
    std::error_code failed;
    std::error_code ignored;
    fs::rename(study.folder(), renamed, failed);
    fs::remove_all(failed ? study.folder() : renamed, ignored);
}

void Studies::work() {
    std::unique_lock lock{mutex_};
    while (true) {
        wake_.wait(lock, [&] {
            return stopping_ || std::ranges::any_of(all_, [](const auto& one) {
                       return one.second->state() == StudyState::waiting;
                   });
        });
        if (stopping_) return;
        // The one that was ordered first.
        LiveStudyPtr next;
        for (const auto& [id, live] : all_)
            if (live->state() == StudyState::waiting && (!next || live->created() < next->created()))
                next = live;
        next->interrupt_ = false;
        next->change(StudyState::running);
        current_ = next;
        lock.unlock();
        carry_out(next);
        lock.lock();
        current_ = nullptr;
        if (next->removed_) erase(*next);
    }
}

void Studies::carry_out(const LiveStudyPtr& live) {
    LiveStudy& study = *live;
    const auto turn = [&](StudyState to) {
        const std::lock_guard lock{mutex_};
        if (study.state() == StudyState::running) study.change(to);
    };
    try {
        const study::Study ordered = checked_study(study.toml(), run_bytes_, registry_);
        study::Store store = study::Store::open_for(study.folder() / database_name, ordered);
        {
            const std::lock_guard lock{study.mutex_};
            study.message_.clear();
            study.here_ = 0;
        }
        const bool is_complete =
            study::carry_out(ordered, store,
                             {.threads = threads_,
                              .should_stop = [&] { return stopping_ || study.interrupt_; },
                              .on_progress =
                                  [&](const study::StudyProgress& progress) {
                                      {
                                          const std::lock_guard lock{study.mutex_};
                                          study.here_ = progress.here;
                                          study.seconds_ = progress.seconds;
                                      }
                                      ++study.version_;
                                  },
                              .on_run = [&](const study::RunRecord& run) { study.note_run(run); }});
        if (!is_complete) return; // paused, deleted, or the studio ends
        write_file(study.folder() / report_name, study::html_report(study::analyse(store, registry_)));
        turn(StudyState::ended);
    } catch (const std::exception& failure) {
        {
            const std::lock_guard lock{study.mutex_};
            study.message_ = failure.what();
        }
        turn(StudyState::failed);
    }
    ++study.version_;
}

} // namespace knossos::studio
