// The folders of a workspace: what is found there, and runs and galleries that come and go.
#include "studio.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/recipe/gallery.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <system_error>

namespace knossos::studio {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_studio_bytes = 4'000'000; // of the files that this program wrote itself

std::int64_t seconds_since_epoch() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Json to_json(const Order& order, std::int64_t created) {
    return {{"recipe", order.recipe}, {"toml", order.toml}, {"set", order.overrides}, {"created", created}};
}

// A folder that is being made or deleted has a name that no run has.
constexpr std::string_view unborn = ".new-";
constexpr std::string_view doomed = ".deleted-";

// Whether a folder is what a kill left of a run that was being deleted, or made and not accepted yet.
// Empty folders may be anybody's, and so may those that can't be looked into.
bool is_debris(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    std::error_code error;
    if (entry.is_symlink(error) || !entry.is_directory(error)) return false;
    if (name.starts_with(unborn) || name.starts_with(doomed)) return true;
    if (name != tame(name)) return false;
    std::set<std::string> files;
    bool only_leftovers = true;
    for (fs::directory_iterator file{entry.path(), error}; !error && file != fs::directory_iterator{};
         file.increment(error)) {
        files.insert(file->path().filename().string());
        only_leftovers = only_leftovers && is_leftover(file->path());
    }
    if (error || files.empty() || files.contains("recipe.toml")) return false;
    return files.contains("studio.json") || only_leftovers;
}

std::int64_t time_written(const fs::path& file) {
    const auto ago = fs::file_time_type::clock::now() - fs::last_write_time(file);
    return seconds_since_epoch() - std::chrono::duration_cast<std::chrono::seconds>(ago).count();
}

} // namespace

std::string tame(std::string_view name) {
    std::string result;
    for (const char c : name.substr(0, 40)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (plain)
            result += c;
        else if (!result.empty() && result.back() != '-')
            result += '-';
    }
    while (!result.empty() && result.back() == '-') result.pop_back();
    return result.empty() ? "run" : result;
}

// What is in the workspace from earlier, or was put there by the command line.
void Studio::find_runs() {
    std::vector<fs::path> debris;
    for (const auto& entry : fs::directory_iterator{workspace_})
        if (is_debris(entry)) debris.push_back(entry.path());
    std::error_code ignored; // it does no harm
    for (const fs::path& one : debris) fs::remove_all(one, ignored);
    for (const auto& entry : fs::directory_iterator{workspace_}) {
        const std::string id = entry.path().filename().string();
        if (!entry.is_directory(ignored) || entry.is_symlink(ignored) || id != tame(id) ||
            !fs::exists(entry.path() / "recipe.toml", ignored))
            continue;
        if (sessions_.size() >= limits_.most_runs) break;
        try {
            sessions_.emplace(id, found(entry.path()));
        } catch (const std::exception& failure) {
            fmt::print(stderr, "{}: {} is left out: {}\n", registry_.program(), entry.path().string(),
                       failure.what());
        }
    }
}

// The run in a folder, at rest.
SessionPtr Studio::found(const fs::path& path) const {
    RunFolder folder = RunFolder::open(path, registry_);
    refuse_outside(folder.recipe());
    Order order{.recipe = {}, .toml = {}, .overrides = {}};
    std::int64_t created = time_written(path / "recipe.toml");
    std::string imported;
    if (const fs::path note = path / "studio.json"; fs::exists(note)) {
        const Json json = Json::parse(std::string_view{read_file(note, most_studio_bytes)});
        order.recipe = json.at("recipe").get<std::string>();
        order.toml = json.at("toml").get<std::string>();
        order.overrides = json.at("set").get<std::vector<std::string>>();
        created = json.at("created").get<std::int64_t>();
        imported = json.value("gallery", "");
    }
    SessionPtr session{
        new Session{path.filename().string(), std::move(folder), std::move(order), created, limits_}};
    session->imported_ = std::move(imported);
    if (session->is_imported()) session->state_ = State::ended;
    Session::Seen& seen = session->seen_;
    const fs::path trace = path / "trace.csv";
    if (fs::exists(trace)) {
        const auto rows = read_trace(read_file(trace, most_frame_file), trace.string());
        if (!rows.empty()) seen.statistics = rows.back();
        seen.solved =
            !rows.empty() && session->problem().reached({seen.statistics.violation, seen.statistics.merit});
    }
    if (session->folder_.is_finished()) {
        const Json json = Json::parse(std::string_view{read_file(path / "result.json", most_frame_file)});
        session->state_ = State::ended;
        seen.stopped_by = json.at("result").at("stopped_by").get<std::string>();
        seen.digest = json.at("result").at("digest").get<std::string>();
    }
    return session;
}

Handed Studio::give(Session& session) {
    const std::lock_guard lock{mutex_};
    if (session.busy_) throw InvalidInput{fmt::format("{} is being worked on", session.id())};
    if (session.run_ && session.unsaved_) session.save(session.run_->finished());
    session.let_go();
    const State state = session.state_ == State::running ? State::waiting : session.state_.load();
    Handed handed{.id = session.id(),
                  .state = state,
                  .speed = session.speed_,
                  .message = session.seen().message,
                  .version = session.version(),
                  .gallery_version = session.gallery_.latest()};
    const SessionPtr kept = sessions_.find(session.id())->second;
    sessions_.erase(session.id());
    list_version_ += kept->version() + 1; // no smaller than before, as in remove()
    return handed;
}

void Studio::take(const Handed& handed) {
    const std::lock_guard lock{mutex_};
    SessionPtr& session = sessions_[handed.id];
    if (!session) {
        try {
            session = found(workspace_ / handed.id);
        } catch (...) {
            sessions_.erase(handed.id);
            throw;
        }
    }
    // One that had ended may come with what was written down before.
    if (session->state_ != State::ended)
        session->state_ = handed.state == State::ended ? State::waiting : handed.state;
    session->speed_ = handed.speed;
    session->seen_.message = handed.message;
    session->version_ = handed.version + 1;
    session->gallery_.begin_after(handed.gallery_version);
    // As in start(): one that has not begun has nothing to be seen yet.
    session->unsaved_ = session->state_ != State::ended && session->seen_.statistics.evaluations == 0;
    session->frames_loaded_ = session->unsaved_;
    ++list_version_;
    wake_.notify_all();
}

// All of it or nothing, whenever a kill or a full disk gets between.
std::string Studio::make_folder(const std::string& stem, const Recipe& recipe, const Order& order,
                                const Imported& imported) const {
    std::string id;
    for (std::size_t number = 1; id.empty() || sessions_.contains(id) || fs::exists(workspace_ / id);
         ++number)
        id = fmt::format("{}-{}", stem, number);
    Json note = to_json(order, seconds_since_epoch());
    if (!imported.file.empty()) note["gallery"] = imported.file;
    const fs::path made = workspace_ / fmt::format("{}{}", unborn, id);
    std::error_code ignored;
    fs::remove_all(made, ignored);
    try {
        (void)RunFolder::create(made, recipe);
        if (!imported.file.empty()) write_file(made / "gallery.json", imported.json);
        // The name of somebody's file may be no UTF-8.
        write_file(made / "studio.json", note.dump(-1, ' ', false, Json::error_handler_t::replace));
        fs::rename(made, workspace_ / id);
    } catch (...) {
        fs::remove_all(made, ignored);
        throw;
    }
    return id;
}

SessionPtr Studio::open_gallery(const std::string& json, const std::string& file) {
    const MeasuredGallery gallery = read_gallery(json, file, registry_);
    if (gallery.elites.empty()) throw InvalidInput{fmt::format("{}: holds no elites", file)};
    refuse_outside(gallery.recipe);
    const std::lock_guard lock{mutex_};
    require_place_in_workspace();
    const std::string stem = tame(file.substr(0, file.find('.')));
    const std::string id = make_folder(stem, gallery.recipe, {}, {.file = file, .json = json});
    SessionPtr session = found(workspace_ / id);
    sessions_.emplace(id, session);
    ++list_version_;
    return session;
}

void Studio::require_place_in_workspace() const {
    if (sessions_.size() >= limits_.most_runs)
        throw Busy{fmt::format("the workspace holds {} runs, which is as many as it takes; delete some",
                               limits_.most_runs)};
}

void Studio::erase_folder(const Session& session) const {
    const fs::path folder = workspace_ / session.id();
    const fs::path renamed = workspace_ / fmt::format("{}{}", doomed, session.id());
    std::error_code failed;
    std::error_code ignored;
    fs::rename(folder, renamed, failed);
    fs::remove_all(failed ? folder : renamed, ignored);
}

} // namespace knossos::studio
