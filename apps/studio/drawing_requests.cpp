#include "drawing_requests.hpp"

#include "requests.hpp"

#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>

#include <algorithm>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

// Where a file would lie that somebody drops: nowhere, so that nothing is found beside it.
constexpr std::string_view nowhere = "/dev/null/";

std::string without_place(std::string_view message) {
    std::string text{message};
    for (std::size_t at = text.find(nowhere); at != std::string::npos; at = text.find(nowhere))
        text.erase(at, nowhere.size());
    return text;
}

const Json& level_in(const Json& json) {
    const auto found = json.find("level");
    if (found == json.end() || !found->is_object())
        throw Refusal{422, "level must be an object, as /api/levels/open gives it"};
    return *found;
}

struct ReadLevel {
    const Domain* domain;
    ArtefactPtr artefact;
};

// Asks every domain, the surest first, and says of each that knew it for its own what it could not read.
ReadLevel read_any(std::string_view bytes, const std::string& name, const Registry& registry) {
    const std::string file = std::string{nowhere} + name;
    std::vector<std::pair<Claim, const Domain*>> readers;
    for (const Domain& domain : registry.domains())
        if (domain.read)
            readers.emplace_back(domain.claims ? domain.claims(bytes, file) : Claim::perhaps, &domain);
    std::ranges::stable_sort(readers, std::greater{}, &std::pair<Claim, const Domain*>::first);
    std::vector<std::string> reasons;
    for (const auto& [claim, domain] : readers) {
        if (claim == Claim::no) break;
        try {
            if (ArtefactPtr artefact = domain->read(bytes, file)) return {domain, std::move(artefact)};
        } catch (const InvalidInput& refusal) {
            const std::string why = without_place(refusal.what());
            if (std::ranges::find(reasons, why) == reasons.end()) reasons.push_back(why);
        }
    }
    if (reasons.empty()) throw Refusal{422, fmt::format("{}: holds nothing that can be drawn", name)};
    throw Refusal{422, fmt::format("{}", fmt::join(reasons, "; or "))};
}

ReadLevel read_level(const Json& json, const Registry& registry) {
    const std::string text = level_in(json).dump(-1, ' ', false, Json::error_handler_t::replace);
    const auto name = member<std::string>(json, "domain");
    if (!name) return read_any(text, "level.json", registry);
    const Domain& domain = domain_read(*name, registry);
    try {
        if (ArtefactPtr artefact = domain.read(text, std::string{nowhere} + "level.json"))
            return {&domain, std::move(artefact)};
    } catch (const InvalidInput& refusal) {
        throw Refusal{422, without_place(refusal.what())};
    }
    throw Refusal{422, fmt::format("level is none of the {} that are drawn", domain.things)};
}

Drawn drawn_in(const Json& json, const Registry& registry) {
    know_all_keys(json, {"domain", "level"});
    const auto name = member<std::string>(json, "domain");
    if (!name) throw Refusal{422, "domain must say what the level is one of, such as a problem's kind"};
    return {.domain = domain_read(*name, registry).info.name, .level = level_in(json)};
}

Json drawn_view(const std::optional<Drawn>& drawn) {
    if (!drawn) return nullptr;
    return {{"domain", drawn->domain}, {"modified", drawn->modified}, {"level", drawn->level}};
}

Json drawing_view(const std::string& name, const Drawing& drawing) {
    return {{"name", name}, {"saved", drawn_view(drawing.saved)}, {"draft", drawn_view(drawing.draft)}};
}

Json list_view(const Drawings& drawings) {
    auto list = Json::array();
    for (const DrawingNote& note : drawings.list())
        list.push_back({{"name", note.name},
                        {"domain", note.domain},
                        {"modified", note.modified},
                        {"saved", note.saved},
                        {"draft", note.draft}});
    return {{"drawings", list}, {"version", drawings.version()}};
}

// What is known of a level as soon as it has been read; judging it takes longer.
Json opened_view(const ReadLevel& read) {
    const std::string drawing = read.artefact->drawing();
    if (drawing.empty())
        throw Refusal{422, fmt::format("these are {}, which nobody draws here", read.domain->things)};
    return {{"domain", read.domain->info.name}, {"level", Json::parse(std::string_view{drawing})}};
}

Response export_level(const ReadLevel& read, const Request& request, const std::string& stem,
                      const Registry& registry) {
    const Wanted how = wanted(request, registry);
    return file_response(read.artefact->files(how.format->name, how.options, stem), how, stem);
}

Response gone() { return {.status = 204, .content_type = "", .body = ""}; }

Refusal no_such(const std::string& name) {
    return {404, fmt::format("there is no drawing '{}'", name.substr(0, 80))};
}

Drawing required(const Drawings& drawings, const std::string& name) {
    auto found = drawings.find(name);
    if (!found) throw no_such(name);
    return std::move(*found);
}

Response copied(const Request& request, Drawings& drawings, const std::string& name, bool keeps) {
    const Json json = body_of(request);
    know_all_keys(json, {"name"});
    const std::string other = member<std::string>(json, "name").value_or("");
    check_name(other);
    (void)required(drawings, name);
    if (!(keeps ? drawings.duplicate(name, other) : drawings.rename(name, other)))
        throw Refusal{409, fmt::format("there is a drawing '{}' already", other)};
    return json_response(drawing_view(other, required(drawings, other)), 201);
}

Response draft(const Request& request, Drawings& drawings, const std::string& name,
               const Registry& registry) {
    only(request, "PUT, DELETE");
    if (request.method == "DELETE") {
        if (!drawings.drop_draft(name)) throw Refusal{404, "there is no draft"};
        return gone();
    }
    // Not judged: what is half drawn need not be anything yet.
    drawings.keep_draft(name, drawn_in(body_of(request), registry));
    return json_response(drawing_view(name, required(drawings, name)));
}

Response drawing(const Request& request, Drawings& drawings, const std::string& name,
                 const Registry& registry) {
    only(request, "GET, PUT, DELETE");
    if (request.method == "DELETE") {
        if (!drawings.remove(name)) throw no_such(name);
        return gone();
    }
    if (request.method != "PUT") return json_response(drawing_view(name, required(drawings, name)));
    const Json json = body_of(request);
    Drawn drawn = drawn_in(json, registry);
    // As it is read, and what its editor keeps beside it: which cells are locked, say.
    Json level = Json::parse(std::string_view{read_level(json, registry).artefact->drawing()});
    for (const auto& [key, value] : drawn.level.items())
        if (!level.contains(key)) level[key] = value;
    drawn.level = std::move(level);
    const bool is_new = drawings.save(name, std::move(drawn));
    return json_response(drawing_view(name, required(drawings, name)), is_new ? 201 : 200);
}

Response exported(const Request& request, const Drawings& drawings, const std::string& name,
                  const Registry& registry) {
    only(request, "GET");
    const Drawing found = required(drawings, name);
    const bool wants_draft = query(request, "draft") == "1" || !found.saved;
    const std::optional<Drawn>& drawn = wants_draft ? found.draft : found.saved;
    if (!drawn) throw Refusal{404, "there is no draft"};
    return export_level(read_level({{"domain", drawn->domain}, {"level", drawn->level}}, registry), request,
                        "level", registry);
}

} // namespace

const Domain& domain_read(const std::string& name, const Registry& registry) {
    std::vector<std::string> names;
    for (const Domain& domain : registry.domains()) {
        if (!domain.read) continue;
        if (domain.info.name == name) return domain;
        names.push_back(domain.info.name);
    }
    const auto meant = nearest(name, names);
    throw Refusal{422, fmt::format("domain is '{}'; {}", name.substr(0, 80),
                                   meant ? fmt::format("did you mean {}?", *meant)
                                         : fmt::format("known are {}", fmt::join(names, ", ")))};
}

ArtefactPtr artefact_in(const Json& json, const Registry& registry) {
    return read_level(json, registry).artefact;
}

std::optional<Response> answer_drawings(const Request& request, Drawings& drawings,
                                        const Registry& registry) {
    std::string_view path = request.path;
    if (path == "/api/levels/open") {
        only(request, "POST");
        return json_response(opened_view(read_any(request.body, file_name_in(request), registry)));
    }
    if (path == "/api/levels/export") {
        only(request, "POST");
        const Json json = body_of(request);
        know_all_keys(json, {"level", "domain"});
        return export_level(read_level(json, registry), request, "level", registry);
    }
    if (path == "/api/drawings") {
        only(request, "GET");
        return json_response(list_view(drawings));
    }
    constexpr std::string_view under = "/api/drawings/";
    if (!path.starts_with(under)) return std::nullopt;
    path.remove_prefix(under.size());
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string name{path.substr(0, slash)};
    const std::string_view action = path.substr(slash);
    if (action.empty()) return drawing(request, drawings, name, registry);
    if (action == "/draft") return draft(request, drawings, name, registry);
    if (action == "/export") return exported(request, drawings, name, registry);
    if (action != "/duplicate" && action != "/rename") throw Refusal{404, "there is nothing here"};
    only(request, "POST");
    return copied(request, drawings, name, action == "/duplicate");
}

} // namespace knossos::studio
