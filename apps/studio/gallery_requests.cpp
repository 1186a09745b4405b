#include "gallery_requests.hpp"

#include "requests.hpp"
#include "views.hpp"

#include <knossos/core/text.hpp>
#include <knossos/recipe/spread.hpp>
#include <knossos/render/zip.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::uint64_t most_versions = std::uint64_t{1} << 53U;
constexpr std::size_t most_packed = 1000;
constexpr std::size_t event_bytes = 4900; // ten a second stay below 50 kB

Json axes_view(const std::vector<Axis>& axes) {
    auto list = Json::array();
    for (const Axis& axis : axes)
        list.push_back({{"name", axis.name},
                        {"low", axis.low},
                        {"high", axis.high},
                        {"step", axis.step},
                        {"cells", axis.cells}});
    return list;
}

// As short as it goes: it is sent ten times a second.
std::string seen_text(const Session& session, const LiveGallery::Seen& seen) {
    const Schema& schema = session.problem().schema();
    std::string elites;
    for (const auto& [cell, live] : seen.elites) {
        const double fitness = schema.quality(live->elite.record).fitness;
        elites += fmt::format("{}[{},{}]", elites.empty() ? "" : ",", cell,
                              std::isfinite(fitness) ? fmt::format("{}", fitness) : "null");
    }
    return fmt::format(
        R"({{"version":{},"whole":{},"axes":{},"grid":{},"cells":{},"coverage":{},"qd_score":{},"elites":[{}]}})",
        seen.version, seen.whole, axes_view(seen.axes).dump(), seen.is_grid, seen.cells, seen.coverage,
        seen.qd_score, elites);
}

const LiveGallery& gallery_of(const Session& session) {
    const LiveGallery& gallery = session.gallery();
    if (gallery.version() == 0)
        throw Refusal{404, "this run keeps no archive; those of the algorithm map-elites do"};
    return gallery;
}

LiveElitePtr elite_in(const Session& session, std::string_view text) {
    const auto cell = number_of(text, "the cell", most_cells);
    LiveElitePtr found = gallery_of(session).in_cell(static_cast<std::uint32_t>(cell));
    if (!found) throw Refusal{404, "the cell is empty"};
    return found;
}

std::string elite_text(const Session& session, const LiveElite& live) {
    const Schema& schema = session.problem().schema();
    Json record = Json::object();
    for (std::size_t i = 0; i < schema.size(); ++i)
        record[std::string{schema.columns()[i].name.text()}] = number(live.elite.record[i]);
    Json facts{{"cell", live.elite.cell},
               {"fitness", number(schema.quality(live.elite.record).fitness)},
               {"record", record},
               {"genome", genome_text(live.elite)}};
    const ArtefactPtr artefact = session.artefact(live.elite.genome);
    if (!artefact) return facts.dump();
    Json measures = Json::object();
    for (const Measured& one : artefact->measures()) measures[one.name] = number(one.value);
    facts["measures"] = measures;
    return joined_objects({facts.dump(), artefact->view(false)});
}

// Which ones are asked for, in a query as in a body.
struct Choice {
    std::string axes{};
    std::string where{};
    std::optional<double> spread{};
    double apart = 0.0;
};

// All elites with their measures, and the cells in which the run has them.
struct Known {
    MeasuredGallery gallery;
    std::map<std::string, std::uint32_t> cells; // by genome
};

std::string key_of(const Elite& elite) {
    return {reinterpret_cast<const char*>(elite.genome.data()), elite.genome.size()};
}

Known known(const Session& session) {
    const LiveGallery::Seen seen = gallery_of(session).since(0);
    Known all{.gallery = {.recipe = session.recipe(), .axes = seen.axes, .cells = seen.cells}, .cells = {}};
    for (const auto& [cell, live] : seen.elites) {
        Elite elite = live->elite;
        elite.measures = live->measures(session.decoder(), session.space());
        all.cells.emplace(key_of(elite), cell);
        all.gallery.elites.push_back(std::move(elite));
    }
    if (!all.gallery.elites.empty())
        if (const ArtefactPtr first = session.artefact(all.gallery.elites.front().genome))
            all.gallery.measures = first->measures();
    return all;
}

// Of wishes only ranges choose among what there is.
std::vector<ValueRange> ranges_in(const std::string& where, const Session& session) {
    const Domain& domain = domain_of(session.recipe());
    if (!domain.wishes) return parse_ranges(where, "where");
    const WishList list = domain.wishes();
    std::vector<ValueRange> ranges;
    for (const Wish& wish : parse_wishes(where, "where", list)) {
        if (wish.aim != Aim::range)
            throw Refusal{422, fmt::format("where: '{}' is no range; expected something like '{}'",
                                           to_text(wish, list.measures[wish.measure].name), list.example)};
        ranges.push_back({std::string{list.measures[wish.measure].name}, wish.low, wish.high});
    }
    return ranges;
}

MeasuredGallery chosen_by(MeasuredGallery gallery, const Choice& choice, const Session& session) {
    if (!choice.where.empty())
        gallery = filtered(std::move(gallery), ranges_in(choice.where, session), "where");
    if (choice.axes.empty()) return gallery;
    auto axes = parse_axes(choice.axes, gallery, "axes");
    return laid_out(std::move(gallery), std::move(axes));
}

Spread spread_of(const MeasuredGallery& gallery, const Choice& choice) {
    const double wanted = choice.spread.value_or(0.0);
    if (!(wanted >= 1.0 && wanted <= static_cast<double>(most_packed)) || wanted != std::floor(wanted))
        throw Refusal{422, fmt::format("spread must be a whole number in 1..{}", most_packed)};
    if (!(choice.apart >= 0.0 && choice.apart <= 1.0)) throw Refusal{422, "apart must be in 0..1"};
    if (gallery.elites.empty()) return {};
    const Schema schema = gallery.recipe.problem().schema();
    std::size_t best = 0;
    for (std::size_t i = 1; i < gallery.elites.size(); ++i)
        if (better(schema.objective(), schema.quality(gallery.elites[i].record),
                   schema.quality(gallery.elites[best].record)))
            best = i;
    std::vector<GalleryValue> character;
    for (const Axis& axis : gallery.axes) character.push_back(value_named(gallery, axis.name, "axes"));
    return farthest_apart(appearances(gallery, character, false),
                          {.count = static_cast<std::size_t>(wanted), .apart = choice.apart, .first = best});
}

Json view_of(const Session& session, const Choice& choice) {
    Known all = known(session);
    const std::size_t total = all.gallery.elites.size();
    const MeasuredGallery gallery = chosen_by(std::move(all.gallery), choice, session);
    const Schema schema = gallery.recipe.problem().schema();
    std::vector<GalleryValue> values;
    for (const Axis& axis : gallery.axes) values.push_back(value_named(gallery, axis.name, "axes"));
    auto elites = Json::array();
    for (const Elite& elite : gallery.elites) {
        auto along = Json::array();
        for (const GalleryValue& value : values) along.push_back(number(value.of(elite)));
        elites.push_back({{"elite", all.cells.at(key_of(elite))},
                          {"cell", elite.cell},
                          {"fitness", number(schema.quality(elite.record).fitness)},
                          {"values", along}});
    }
    Json view{
        {"total", total}, {"axes", axes_view(gallery.axes)}, {"grid", gallery.is_grid()}, {"elites", elites}};
    if (!choice.spread) return view;
    const Spread spread = spread_of(gallery, choice);
    auto chosen = Json::array();
    for (const std::size_t i : spread.chosen) chosen.push_back(all.cells.at(key_of(gallery.elites[i])));
    view["spread"] = chosen;
    view["least_apart"] = spread.least_apart;
    return view;
}

double number_in(const Request& request, const std::string& key, double otherwise) {
    const std::string text = query(request, key);
    if (text.empty()) return otherwise;
    const auto value = finite_number(text);
    if (!value) throw Refusal{422, fmt::format("{} must be a number", key)};
    return *value;
}

// Those in the cells "3,17", as places in the gallery.
std::vector<std::size_t> in_cells(const Known& all, const std::string& text) {
    std::map<std::uint64_t, std::size_t> place_of;
    for (std::size_t i = 0; i < all.gallery.elites.size(); ++i)
        place_of[all.cells.at(key_of(all.gallery.elites[i]))] = i;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto cell = number_of(std::string_view{text}.substr(at, comma - at), "cells", most_cells);
        at = comma + 1;
        const auto found = place_of.find(cell);
        if (found == place_of.end()) throw Refusal{404, fmt::format("the cell {} is empty", cell)};
        places.push_back(found->second);
        if (places.size() > most_packed)
            throw Refusal{422, fmt::format("cells must be at most {}", most_packed)};
    }
    return places;
}

// The chosen ones as files, and the gallery of them, which the command line reads.
Response pack_of(const Session& session, const Request& request) {
    const Wanted how = wanted(request, session.recipe().registry());
    Choice choice{.axes = query(request, "axes"), .where = query(request, "where")};
    choice.apart = number_in(request, "apart", 0.0);
    choice.spread = number_in(request, "count", 24.0);
    Known all = known(session);
    const std::string cells = query(request, "cells");
    Spread spread;
    if (!cells.empty()) spread.chosen = in_cells(all, cells);
    MeasuredGallery gallery =
        cells.empty() ? chosen_by(std::move(all.gallery), choice, session) : std::move(all.gallery);
    if (cells.empty()) spread = spread_of(gallery, choice);
    if (spread.chosen.empty()) throw Refusal{404, "there is none of these"};
    std::vector<render::NamedBytes> files;
    MeasuredGallery packed = gallery;
    packed.elites.clear();
    for (std::size_t k = 0; k < spread.chosen.size(); ++k) {
        const Elite& elite = gallery.elites[spread.chosen[k]];
        const ArtefactPtr artefact = gallery.artefact(elite);
        if (!artefact) throw Refusal{404, "there is no picture of this problem"};
        const std::string stem = fmt::format("{}-{:03}", session.id(), k + 1);
        for (render::NamedBytes& file : artefact->files(how.format->name, how.options, stem)) {
            if (file.name.empty()) file.name = fmt::format("{}.{}", stem, how.format->extensions.front());
            const bool is_there = std::ranges::any_of(
                files, [&](const render::NamedBytes& other) { return other.name == file.name; });
            if (!is_there) files.push_back(std::move(file)); // a tileset serves all
        }
        packed.elites.push_back(elite);
    }
    files.push_back({.name = "gallery.json", .bytes = gallery_json(packed)});
    return {.content_type = "application/zip",
            .body = render::to_zip(files),
            .headers = {{"Content-Disposition", fmt::format("inline; filename=\"{}.zip\"", session.id())}}};
}

Response events_of(const SessionPtr& session, std::uint64_t since) {
    (void)gallery_of(*session);
    return {
        .content_type = "text/event-stream",
        .events = [session, since](std::uint64_t& last, bool& over) -> std::shared_ptr<const std::string> {
            const State state = session->seen().state;
            const std::uint64_t had = last == 0 ? since : last;
            const LiveGallery& gallery = session->gallery();
            if (gallery.version() == had) {
                over = state == State::ended || state == State::failed;
                return nullptr;
            }
            // The rest comes with the next one.
            for (std::size_t most = 400;; most /= 2) {
                const LiveGallery::Seen seen = gallery.since(had, most);
                const std::string text = seen_text(*session, seen);
                if (text.size() > event_bytes && most > 1) continue;
                last = seen.version;
                return std::make_shared<const std::string>(fmt::format("event: archive\ndata: {}\n\n", text));
            }
        }};
}

} // namespace

std::optional<Response> answer_archive(const Request& request, const SessionPtr& session,
                                       std::string_view rest) {
    constexpr std::string_view under = "archive";
    if (!rest.starts_with(under)) return std::nullopt;
    rest.remove_prefix(under.size());
    if (rest == "/view") {
        only(request, "POST");
        const Json json = body_of(request);
        know_all_keys(json, {"axes", "where", "spread", "apart"});
        return json_response(view_of(*session, {.axes = member<std::string>(json, "axes").value_or(""),
                                                .where = member<std::string>(json, "where").value_or(""),
                                                .spread = member<double>(json, "spread"),
                                                .apart = member<double>(json, "apart").value_or(0.0)}));
    }
    only(request, "GET");
    const auto since = [&] { return number_of(query(request, "since", "0"), "since", most_versions); };
    if (rest.empty()) return Response{.body = seen_text(*session, gallery_of(*session).since(since()))};
    if (rest == "/events") return events_of(session, since());
    if (rest == "/pack") return pack_of(*session, request);
    constexpr std::string_view elites = "/elites/";
    if (!rest.starts_with(elites)) return std::nullopt;
    rest.remove_prefix(elites.size());
    const std::string_view cell = rest.substr(0, rest.find('/'));
    const LiveElitePtr live = elite_in(*session, cell);
    if (cell.size() == rest.size()) return Response{.body = elite_text(*session, *live)};
    if (rest.substr(cell.size()) != "/export") return std::nullopt;
    const Wanted how = wanted(request, session->recipe().registry());
    const ArtefactPtr artefact = session->artefact(live->elite.genome);
    if (!artefact) throw Refusal{404, "there is no picture of this problem"};
    const std::string stem = fmt::format("{}-{}", session->id(), cell);
    return file_response(artefact->files(how.format->name, how.options, stem), how, stem);
}

} // namespace knossos::studio
