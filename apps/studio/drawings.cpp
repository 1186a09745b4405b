#include "drawings.hpp"

#include "studio.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace knossos::studio {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t longest_name = 80;
// Neither "studio.json" nor "recipe.toml", by which folders of runs are told.
constexpr std::string_view saved_end = ".level.json";
constexpr std::string_view draft_end = ".draft.json";

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// A name as a file name that every file system takes: other bytes as %XX.
std::string escaped(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (is_plain(c))
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return out;
}

std::int64_t now_in_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Json to_json(const std::string& name, const Drawn& drawn) {
    return {{"name", name}, {"domain", drawn.domain}, {"modified", drawn.modified}, {"level", drawn.level}};
}

} // namespace

void check_name(std::string_view name) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    const bool is_utf8 = Json(std::string{name}).dump(-1, ' ', false, Json::error_handler_t::ignore).size() ==
                         Json(std::string{name}).dump(-1, ' ', false, Json::error_handler_t::replace).size();
    if (name.empty() || name.size() > longest_name || !is_utf8 || std::ranges::any_of(name, is_control) ||
        name.front() == ' ' || name.back() == ' ' || name.find('/') != std::string_view::npos)
        throw InvalidInput{
            fmt::format("name must have 1 to {} characters, none of them /, the first and the last no space",
                        longest_name)};
}

Drawings::Drawings(fs::path folder, std::string_view program) : folder_{std::move(folder)} {
    std::error_code none; // nothing was drawn yet
    if (fs::is_directory(folder_, none)) remove_leftovers(folder_);
    for (fs::directory_iterator entry{folder_, none}; !none && entry != fs::directory_iterator{};
         entry.increment(none)) {
        const std::string file = entry->path().filename().string();
        if (!file.ends_with(".json") || !fs::is_regular_file(entry->symlink_status())) continue;
        try {
            const Json json = Json::parse(std::string_view{read_file(entry->path(), most_bytes)});
            const auto name = json.at("name").get<std::string>();
            const bool is_draft = file == escaped(name) + std::string{draft_end};
            if (!is_draft && file != escaped(name) + std::string{saved_end})
                throw InvalidInput{fmt::format("it holds a drawing of another name, '{}'", name)};
            Drawing& drawing = all_[name];
            (is_draft ? drawing.draft : drawing.saved) =
                Drawn{json.at("domain").get<std::string>(), json.at("level"),
                      json.at("modified").get<std::int64_t>()};
        } catch (const std::exception& failure) {
            fmt::print(stderr, "{}: {} is left out: {}\n", program, entry->path().string(), failure.what());
        }
    }
    std::erase_if(all_, [](const auto& one) { return !one.second.saved && !one.second.draft; });
}

std::vector<DrawingNote> Drawings::list() const {
    const std::lock_guard lock{mutex_};
    std::vector<DrawingNote> notes;
    for (const auto& [name, drawing] : all_) {
        const Drawn& newest = drawing.draft ? *drawing.draft : *drawing.saved;
        notes.push_back(
            {name, newest.domain, newest.modified, drawing.saved.has_value(), drawing.draft.has_value()});
    }
    std::ranges::stable_sort(notes, std::ranges::greater{}, &DrawingNote::modified);
    return notes;
}

std::optional<Drawing> Drawings::find(const std::string& name) const {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(name);
    return found == all_.end() ? std::nullopt : std::optional{found->second};
}

std::uint64_t Drawings::version() const {
    const std::lock_guard lock{mutex_};
    return version_;
}

fs::path Drawings::file_of(const std::string& name, bool draft) const {
    return folder_ / fmt::format("{}{}", escaped(name), draft ? draft_end : saved_end);
}

void Drawings::write(const std::string& name, const Drawn& drawn, bool draft) {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed)
        throw InputOutputError{
            fmt::format("{}: making the folder failed: {}", folder_.string(), failed.message())};
    write_file(file_of(name, draft), to_json(name, drawn).dump());
}

void Drawings::require_room(const std::string& name) const {
    check_name(name);
    if (!all_.contains(name) && all_.size() >= most_drawings)
        throw Busy{fmt::format("the workspace holds {} drawings, which is as many as it takes; delete some",
                               most_drawings)};
}

bool Drawings::save(const std::string& name, Drawn drawn) {
    const std::lock_guard lock{mutex_};
    require_room(name);
    drawn.modified = now_in_seconds();
    write(name, drawn, false);
    Drawing& drawing = all_[name];
    const bool is_new = !drawing.saved;
    drawing.saved = std::move(drawn);
    drawing.draft.reset();
    std::error_code ignored; // what was saved is newer
    fs::remove(file_of(name, true), ignored);
    ++version_;
    return is_new;
}

void Drawings::keep_draft(const std::string& name, Drawn drawn) {
    const std::lock_guard lock{mutex_};
    require_room(name);
    drawn.modified = now_in_seconds();
    write(name, drawn, true);
    all_[name].draft = std::move(drawn);
    ++version_;
}

bool Drawings::drop_draft(const std::string& name) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(name);
    if (found == all_.end() || !found->second.draft) return false;
    fs::remove(file_of(name, true));
    found->second.draft.reset();
    if (!found->second.saved) all_.erase(found);
    ++version_;
    return true;
}

bool Drawings::duplicate(const std::string& name, const std::string& copy) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(name);
    if (found == all_.end() || all_.contains(copy)) return false;
    require_room(copy);
    Drawing drawing = found->second;
    for (const bool draft : {true, false}) {
        auto& drawn = draft ? drawing.draft : drawing.saved;
        if (!drawn) continue;
        drawn->modified = now_in_seconds();
        write(copy, *drawn, draft);
    }
    all_[copy] = std::move(drawing);
    ++version_;
    return true;
}

bool Drawings::rename(const std::string& name, const std::string& other) {
    return duplicate(name, other) && remove(name); // a kill between the two leaves both
}

bool Drawings::remove(const std::string& name) {
    const std::lock_guard lock{mutex_};
    const auto found = all_.find(name);
    if (found == all_.end()) return false;
    fs::remove(file_of(name, true));
    fs::remove(file_of(name, false));
    all_.erase(found);
    ++version_;
    return true;
}

} // namespace knossos::studio
