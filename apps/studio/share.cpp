#include "share.hpp"

#include "assets.hpp"
#include "drawing_requests.hpp"
#include "requests.hpp"
#include "views.hpp"

#include <knossos/render/theme.hpp>

#include <algorithm>
#include <map>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_replayed = 120;                        // moments of a run
constexpr std::size_t most_picture_bytes = std::size_t{8} << 20U; // of a file that is to be sent by mail

std::string_view asset_text(std::string_view path) {
    for (const Asset& one : assets())
        if (one.path == path) return one.bytes;
    return {};
}

std::string escaped_html(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else
            out += c;
    return out;
}

// Within a script nothing may look like its end.
std::string script_data(const Json& data) {
    const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

Response page_response(const std::string& title, const std::string& theme, const std::string& stem,
                       const Json& data) {
    std::string page = fmt::format(
        "<!doctype html>\n<html lang=\"en\" data-theme=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\">\n<title>{} · Knossos</title>\n<style>\n",
        theme, escaped_html(title));
    page += render::css_properties();
    page += asset_text("/shared.css");
    page += "</style>\n</head>\n<body>\n<main id=\"main\"></main>\n<noscript>This page needs JavaScript; "
            "nothing is loaded from elsewhere.</noscript>\n<script type=\"application/json\" id=\"data\">";
    page += script_data(data);
    page += "</script>\n<script>";
    page += asset_text("/shared.js");
    page += "</script>\n</body>\n</html>\n";
    return {.content_type = "text/html; charset=utf-8",
            .body = std::move(page),
            .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}.html\"", stem)},
                        {"Content-Security-Policy", "sandbox allow-scripts"}}};
}

std::string theme_in(const Request& request) {
    const std::string name = query(request, "theme", "light");
    (void)render::theme_named(name); // or it is refused
    return name;
}

// Pictures that look alike are kept once.
class Album {
  public:
    explicit Album(const std::string& theme)
        : options_{.theme = render::theme_named(theme), .max_side = 1200} {}

    // Its place, or nothing if there is none, or no room left.
    Json add(const Artefact& artefact) {
        std::string svg;
        try {
            svg = artefact.files("svg", options_, "picture").front().bytes;
        } catch (const InvalidInput&) {
            return nullptr; // nothing that can be drawn
        }
        const auto [found, is_new] = places_.emplace(svg, pictures_.size());
        if (!is_new) return found->second;
        if (bytes_ + svg.size() > most_picture_bytes) {
            places_.erase(found);
            return nullptr;
        }
        bytes_ += svg.size();
        pictures_.push_back(std::move(svg));
        return pictures_.size() - 1;
    }
    [[nodiscard]] const Json& pictures() const { return pictures_; }

  private:
    render::FormatOptions options_;
    std::map<std::string, std::size_t> places_;
    Json pictures_ = Json::array();
    std::size_t bytes_ = 0;
};

Json measures_of(const Artefact& artefact) {
    Json measures = Json::object();
    for (const Measured& one : artefact.measures()) measures[one.name] = number(one.value);
    return measures;
}

Response share_run(const Request& request, const Studio& studio, const Session& session) {
    const std::string theme = theme_in(request);
    Album album{theme};
    const std::vector<FramePtr> frames = session.frames();
    const std::size_t step = std::max<std::size_t>(1, (frames.size() + most_replayed - 1) / most_replayed);
    auto moments = Json::array();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (i % step != 0 && i + 1 != frames.size()) continue;
        const Frame& frame = *frames[i];
        const ArtefactPtr best = session.artefact(frame.best);
        Json moment{{"row", i}, {"remark", frame.remark}};
        if (best) {
            moment["picture"] = album.add(*best);
            moment["caption"] = best->caption();
        }
        moments.push_back(std::move(moment));
    }
    const Json run = summary_view(studio, session, session.seen());
    return page_response(session.id(), theme, session.id(),
                         {{"kind", "run"},
                          {"title", session.recipe().name().empty() ? session.id() : session.recipe().name()},
                          {"run", run},
                          {"recipe", session.recipe().to_toml()},
                          {"history", history_view(session)},
                          {"moments", moments},
                          {"pictures", album.pictures()}});
}

Response share_gallery(const Request& request, const Studio& studio, const Session& session) {
    const LiveGallery& gallery = session.gallery();
    if (gallery.version() == 0)
        throw Refusal{404, "this run keeps no archive; those of the algorithm map-elites do"};
    const std::string theme = theme_in(request);
    Album album{theme};
    LiveGallery::Seen seen = gallery.since(0);
    const Schema& schema = session.problem().schema();
    const auto quality = [&](const auto& one) { return schema.quality(one.second->elite.record); };
    // The best first: they have their pictures where there is no room for all.
    std::ranges::stable_sort(seen.elites, [&](const auto& a, const auto& b) {
        return better(session.problem().objective(), quality(a), quality(b));
    });
    auto elites = Json::array();
    for (const auto& one : seen.elites) {
        Json view{{"cell", one.first}, {"fitness", number(quality(one).fitness)}};
        if (const ArtefactPtr artefact = session.artefact(one.second->elite.genome)) {
            view["picture"] = album.add(*artefact);
            view["caption"] = artefact->caption();
            view["measures"] = measures_of(*artefact);
        }
        elites.push_back(std::move(view));
    }
    auto axes = Json::array();
    for (const Axis& axis : seen.axes)
        axes.push_back({{"name", axis.name}, {"low", axis.low}, {"high", axis.high}, {"cells", axis.cells}});
    return page_response(session.id(), theme, session.id() + "-gallery",
                         {{"kind", "gallery"},
                          {"title", session.recipe().name().empty() ? session.id() : session.recipe().name()},
                          {"run", summary_view(studio, session, session.seen())},
                          {"recipe", session.recipe().to_toml()},
                          {"grid", seen.is_grid},
                          {"axes", axes},
                          {"coverage", seen.coverage},
                          {"elites", elites},
                          {"pictures", album.pictures()}});
}

} // namespace

std::optional<Response> answer_share(const Request& request, const Studio& studio, const Session& session,
                                     std::string_view rest) {
    if (rest != "share" && rest != "archive/share") return std::nullopt;
    only(request, "GET");
    return rest == "share" ? share_run(request, studio, session) : share_gallery(request, studio, session);
}

Response share_level(const Request& request, const Registry& registry) {
    Json json = body_of(request);
    know_all_keys(json, {"domain", "level", "name"});
    std::string name = member<std::string>(json, "name").value_or("");
    if (name.empty()) name = "Level";
    json.erase("name");
    const std::string theme = theme_in(request);
    const ArtefactPtr level = artefact_in(json, registry);
    Album album{theme};
    const Json picture = album.add(*level);
    Json data{{"kind", "level"},
              {"title", name},
              {"caption", level->caption()},
              {"picture", picture},
              {"measures", measures_of(*level)},
              {"pictures", album.pictures()}};
    data["level"] = Json::parse(std::string_view{level->files("json", {}, "level").front().bytes});
    return page_response(name, theme, tame(name), data);
}

} // namespace knossos::studio
