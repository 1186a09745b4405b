#include "study_requests.hpp"

#include "requests.hpp"
#include "studio.hpp"
#include "study_order.hpp"

#include <knossos/core/files.hpp>

#include <chrono>

namespace knossos::studio {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// Reports made by the command line, which lie in the workspace itself.
Json reports_view(const fs::path& workspace) {
    auto list = Json::array();
    for (const auto& entry : fs::directory_iterator{workspace}) {
        const std::string name = entry.path().filename().string();
        const bool is_folder =
            fs::is_directory(entry.symlink_status()) && is_plain_file(entry.path() / "report.html");
        const bool is_page = name.ends_with(".html") && is_plain_file(entry.path());
        if (is_folder || is_page) list.push_back(name);
    }
    return list;
}

Json studies_view(const Studies& studies, const fs::path& workspace) {
    auto list = Json::array();
    for (const LiveStudyPtr& one : studies.list()) list.push_back(one->view(false));
    return {{"studies", list}, {"reports", reports_view(workspace)}};
}

Json checked_view(const std::string& toml, const study::Study& study) {
    auto labels = Json::array();
    for (const study::Configuration& one : study.configurations) labels.push_back(one.label);
    return {{"toml", toml}, {"configurations", labels}, {"runs", study.runs * study.configurations.size()}};
}

// At most four times a second, and at once when the state changes: a table can't be read faster.
class Paced {
  public:
    [[nodiscard]] bool is_due(bool is_urgent) {
        const auto now = std::chrono::steady_clock::now();
        if (!is_urgent && now - told_ < std::chrono::milliseconds{250}) return false;
        told_ = now;
        return true;
    }

  private:
    std::chrono::steady_clock::time_point told_{};
};

Response study_events(const LiveStudyPtr& live) {
    return {.content_type = "text/event-stream",
            .events = [live, paced = Paced{}, state = std::optional<StudyState>{}](
                          std::uint64_t& last, bool& over) mutable -> std::shared_ptr<const std::string> {
                const std::uint64_t version = live->version();
                const StudyState now = live->state();
                const bool is_over = now == StudyState::ended;
                if (version == last) {
                    over = is_over;
                    return nullptr;
                }
                if (!paced.is_due(state != now)) return nullptr;
                last = version;
                state = now;
                return std::make_shared<const std::string>(
                    fmt::format("event: study\ndata: {}\n\n", live->view(true).dump()));
            }};
}

Response list_study_events(const Studies& studies, const fs::path& workspace) {
    return {.content_type = "text/event-stream",
            .events = [&studies, workspace, paced = Paced{}](
                          std::uint64_t& last, bool&) mutable -> std::shared_ptr<const std::string> {
                const std::uint64_t version = studies.version();
                if (version == last || !paced.is_due(false)) return nullptr;
                last = version;
                return std::make_shared<const std::string>(
                    fmt::format("event: studies\ndata: {}\n\n", studies_view(studies, workspace).dump()));
            }};
}

Response control_study(const Request& request, Studies& studies, LiveStudy& live) {
    const Json json = body_of(request);
    know_all_keys(json, {"action"});
    const std::string action = member<std::string>(json, "action").value_or("");
    if (action != "play" && action != "pause") throw Refusal{422, "action must be play or pause"};
    if (live.state() == StudyState::ended) throw Refusal{409, "the study has ended"};
    if (action == "play")
        studies.play(live);
    else
        studies.pause(live);
    return json_response(live.view(true));
}

Response one_study(const Request& request, Studies& studies, const LiveStudyPtr& live,
                   std::string_view rest) {
    if (rest.empty()) {
        only(request, "GET, DELETE");
        if (request.method != "DELETE") return json_response(live->view(true));
        studies.remove(*live);
        return {.status = 204, .content_type = "", .body = ""};
    }
    if (rest == "/control") {
        only(request, "POST");
        return control_study(request, studies, *live);
    }
    only(request, "GET");
    if (rest == "/events") return study_events(live);
    if (rest == "/study.toml") return {.content_type = "text/plain; charset=utf-8", .body = live->toml()};
    throw Refusal{404, "there is nothing here"};
}

constexpr std::size_t largest_report = std::size_t{64} << 20U;

// A report is a page of its own with its own script: it runs in a sandbox, where it can't reach the API.
Response report_named(std::string_view name, const Studies& studies, const fs::path& workspace) {
    const LiveStudyPtr live = studies.find(name);
    const fs::path parent = live ? live->folder().parent_path() : workspace;
    for (const auto& entry : fs::directory_iterator{parent}) {
        if (entry.path().filename().string() != name) continue;
        const bool folder = fs::is_directory(entry.symlink_status());
        const fs::path file = folder ? entry.path() / "report.html" : entry.path();
        if (file.extension() != ".html" || !is_plain_file(file)) break;
        return {.content_type = "text/html; charset=utf-8",
                .body = read_file(file, largest_report),
                .headers = {
                    {"Content-Security-Policy",
                     "sandbox allow-scripts allow-downloads; default-src 'none'; img-src data:; style-src "
                     "'unsafe-inline'; script-src 'unsafe-inline'"}}};
    }
    throw Refusal{404, "there is no such study"};
}

} // namespace

std::optional<Response> answer_studies(const Request& request, Studies& studies, const fs::path& workspace) {
    std::string_view path = request.path;
    if (path == "/api/studies") {
        only(request, "GET, POST");
        if (request.method != "POST") return json_response(studies_view(studies, workspace));
        const LiveStudyPtr live = studies.start(body_of(request));
        Response response = json_response(live->view(true), 201);
        response.headers.emplace_back("Location", "/api/studies/" + live->id());
        return response;
    }
    if (path == "/api/studies/check") {
        only(request, "POST");
        const std::string toml = study_toml(body_of(request), studies.registry());
        return json_response(
            checked_view(toml, checked_study(toml, studies.run_bytes(), studies.registry())));
    }
    if (path == "/api/studies/events") {
        only(request, "GET");
        return list_study_events(studies, workspace);
    }
    constexpr std::string_view reports = "/studies/";
    if (path.starts_with(reports)) {
        only(request, "GET");
        return report_named(path.substr(reports.size()), studies, workspace);
    }
    constexpr std::string_view under = "/api/studies/";
    if (!path.starts_with(under)) return std::nullopt;
    path.remove_prefix(under.size());
    const std::size_t slash = std::min(path.find('/'), path.size());
    const LiveStudyPtr live = studies.find(path.substr(0, slash));
    if (!live) throw Refusal{404, "there is no such study"};
    return one_study(request, studies, live, path.substr(slash));
}

Answerer with_studies(const Studio& studio) {
    const auto studies = std::make_shared<Studies>(studio.workspace() / "studies", studio.limits().run_bytes,
                                                   studio.registry());
    return [studies, workspace = studio.workspace()](const Request& request) {
        return answer_studies(request, *studies, workspace);
    };
}

} // namespace knossos::studio
