#include "api.hpp"

#include "assets.hpp"
#include "drawing_requests.hpp"
#include "editors/editors.hpp"
#include "gallery_requests.hpp"
#include "individual_requests.hpp"
#include "requests.hpp"
#include "share.hpp"
#include "views.hpp"
#include "wish_requests.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/percent.hpp>
#include <knossos/recipe/breeding.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/render/theme.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace knossos::studio {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

bool is_key(std::string_view text) {
    return !text.empty() && text.size() <= 80 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") == std::string_view::npos;
}

// A name needs no quotes, on the command line least of all.
std::string override_value(const Json& value) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        const bool is_name =
            !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
        const bool means_else = is_name && (text == "true" || text == "false" || text == "inf" ||
                                            text == "nan" || text.front() == '-');
        if (is_name && !means_else) return text;
    }
    return value.dump();
}

double speed_of(const Json& json) {
    const double speed = member<double>(json, "speed").value_or(0.0);
    if (!(speed >= 0.0 && speed <= 1e6))
        throw Refusal{422, "speed must be in 0..1000000 generations per second (0: as fast as it goes)"};
    return speed;
}

// {"recipe": "pmx-queens", "set": {"problem.n": 20}, "seed": 7}, as overrides in the order in which they must
// be applied: another kind of part drops the fields of the one before.
Order order_of(const Json& json) {
    know_all_keys(json, {"recipe", "toml", "set", "seed", "paused", "speed"});
    Order order;
    order.recipe = member<std::string>(json, "recipe").value_or("");
    order.toml = member<std::string>(json, "toml").value_or("");
    order.paused = member<bool>(json, "paused").value_or(false);
    order.speed = speed_of(json);
    if (order.recipe.empty() == order.toml.empty())
        throw Refusal{422, "give either recipe, the name of a built-in one, or toml, a whole recipe"};
    if (const auto set = json.find("set"); set != json.end()) {
        if (!set->is_object() || set->size() > 200)
            throw Refusal{422, "set must be an object of at most 200 keys such as \"problem.n\""};
        for (const auto& [key, value] : set->items()) {
            if (!is_key(key)) throw Refusal{422, "set: a key must look like problem.n"};
            if (!value.is_primitive() || value.is_null())
                throw Refusal{422, fmt::format("set: {} must be a text, a number, true or false", key)};
            order.overrides.push_back(fmt::format("{}={}", key, override_value(value)));
        }
        std::ranges::stable_partition(
            order.overrides, [](const std::string& one) { return one.find(".kind=") != std::string::npos; });
    }
    if (const auto seed = json.find("seed"); seed != json.end()) {
        if (!seed->is_number_integer() && !seed->is_number_unsigned())
            throw Refusal{422, "seed must be a whole number in 0..9223372036854775807"};
        order.overrides.push_back("seed=" + seed->dump());
    }
    return order;
}

// Who was chosen in each generation, as the recipe of such a run has it: "1 3; 2".
std::string choices_in(const Json& json) {
    constexpr std::size_t most_choices = 1000;
    const auto found = json.find("choices");
    if (found == json.end()) return "";
    if (!found->is_array() || found->size() > most_choices)
        throw Refusal{422,
                      fmt::format("choices must be a list of at most {}, one a generation", most_choices)};
    std::string text;
    for (const Json& generation : *found) {
        const bool is_list = generation.is_array() && !generation.empty() &&
                             std::ranges::all_of(generation, [](const Json& one) {
                                 return one.is_number_unsigned() && one <= 1000U;
                             });
        if (!is_list)
            throw Refusal{422, fmt::format("choices holds {}; each must be a list of individuals, from 1 on",
                                           generation.dump().substr(0, 60))};
        text += text.empty() ? "" : "; ";
        text += fmt::format("{}", fmt::join(generation.get<std::vector<unsigned>>(), " "));
    }
    return text;
}

bool is_over(State state) { return state == State::ended || state == State::failed; }

} // namespace

bool read_target(std::string_view target, Request& request) {
    const std::size_t mark = std::min(target.find('?'), target.size());
    const auto path = percent_decoded(target.substr(0, mark), false);
    if (!path || !path->starts_with('/')) return false;
    request.path = *path;
    std::string_view rest = target.substr(std::min(mark + 1, target.size()));
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view pair = rest.substr(0, end);
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const auto key = percent_decoded(pair.substr(0, equals), true);
        const auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
        if (!key || !value) return false;
        request.query[*key] = *value;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return true;
}

Response problem_response(int status, std::string_view message) {
    return {.status = status,
            .content_type = "application/json",
            .body = Json{{"error", message}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Api::Api(Studio& studio, Answerer more, std::optional<fs::path> web)
    : studio_{studio}, more_{std::move(more)}, web_{std::move(web)},
      registry_{registry_text(studio.registry())},
      drawings_{studio.workspace() / "drawings", studio.registry().program()} {}

Response Api::answer(const Request& request) {
    try {
        return route(request);
    } catch (const Refusal& refusal) {
        Response response = problem_response(refusal.status, refusal.message);
        if (!refusal.allow.empty()) response.headers.emplace_back("Allow", refusal.allow);
        return response;
    } catch (const RecipeError& error) {
        auto diagnostics = Json::array();
        for (const auto& one : error.diagnostics())
            diagnostics.push_back({{"where", one.where}, {"message", one.message}});
        return json_response({{"error", error.what()}, {"diagnostics", diagnostics}}, 422);
    } catch (const InvalidInput& error) {
        return problem_response(422, error.what());
    } catch (const Busy& error) {
        Response response = problem_response(429, error.what());
        response.headers.emplace_back("Retry-After", "5");
        return response;
    } catch (const std::bad_alloc&) {
        return problem_response(503, "there is not enough memory for this");
    } catch (const std::exception& error) {
        return problem_response(500, error.what());
    }
}

Response Api::route(const Request& request) {
    std::string_view path = request.path;
    const auto under = [&](std::string_view prefix) {
        if (!path.starts_with(prefix)) return false;
        path.remove_prefix(prefix.size());
        return true;
    };
    if (path == "/api/registry") {
        only(request, "GET");
        return {.body = registry_};
    }
    if (path == "/api/recipes/check") {
        only(request, "POST");
        const Order order = order_of(body_of(request));
        const Recipe recipe = recipe_of(order, studio_.limits().run_bytes, studio_.registry());
        return json_response(
            {{"toml", recipe.to_toml()},
             {"sections", recipe_view(recipe)},
             {"command", command_line(order, studio_.recipe_file("FOLDER"), studio_.registry().program())}});
    }
    if (path == "/api/breed" || path == "/api/breed/export") {
        only(request, "POST");
        return breed(request, path.ends_with("/export"));
    }
    if (path == "/api/runs") return runs(request);
    if (path == "/api/galleries") {
        only(request, "POST");
        return made(*studio_.open_gallery(request.body, file_name_in(request)));
    }
    if (path == "/api/events") {
        only(request, "GET");
        return list_events();
    }
    if (path == "/api/levels/share") {
        only(request, "POST");
        return share_level(request, studio_.registry());
    }
    if (auto answered = answer_editor(request)) return std::move(*answered);
    if (auto answered = answer_wishes(request, studio_.registry())) return std::move(*answered);
    if (auto answered = answer_drawings(request, drawings_, studio_.registry())) return std::move(*answered);
    if (more_)
        if (auto answered = more_(request)) return std::move(*answered);
    if (under("/api/runs/")) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const SessionPtr session = studio_.find(path.substr(0, slash));
        if (!session) throw Refusal{404, "there is no such run"};
        return run(request, *session, session, path.substr(std::min(slash + 1, path.size())));
    }
    return asset(request);
}

// The whole course of choices is one recipe, and carried out anew with each: stepping back is to leave some
// out, and a branch is to choose otherwise.
Response Api::breed(const Request& request, bool is_export) const {
    constexpr std::size_t most_shown = 64;
    Json json = body_of(request);
    const std::string choices = choices_in(json);
    json.erase("choices");
    std::optional<render::FormatOptions> picture;
    if (const auto theme = member<std::string>(json, "theme"))
        picture =
            render::FormatOptions{.theme = render::theme_named(*theme),
                                  .max_side = 1200,
                                  .switches = {{"keep_pockets", true}}}; // all that is there to choose by
    json.erase("theme");
    Order order = order_of(json);
    order.overrides = breeding_overrides(std::move(order.overrides), choices);
    const Recipe recipe = recipe_of(order, studio_.limits().run_bytes, studio_.registry());
    if (!recipe.decoder()) throw Refusal{422, "there is nothing to look at in this problem's genomes"};
    if (recipe.settings().population > most_shown)
        throw Refusal{
            422, fmt::format("algorithm.population must be at most {}, so that all can be seen", most_shown)};
    knossos::Run run{recipe.problem(), recipe.settings()};
    run.finish();
    const Population& population = run.islands().front().current;
    const auto artefact = [&](std::size_t i) {
        return recipe.decoder()(population.space(), population.genome(i));
    };
    if (is_export) {
        const auto which = number_of(query(request, "number"), "number", most_shown);
        if (which == 0 || which > population.size())
            throw Refusal{422, fmt::format("number must be in 1..{}", population.size())};
        const Wanted how = wanted(request, studio_.registry());
        const std::string stem = fmt::format("{}-{}", order.recipe.empty() ? "bred" : order.recipe, which);
        return file_response(artefact(which - 1)->files(how.format->name, how.options, stem), how, stem);
    }
    std::string individuals;
    for (std::size_t i = 0; i < population.size(); ++i) {
        const Quality quality = quality_of(population, i);
        Json facts{{"number", i + 1},
                   {"fitness", std::isfinite(quality.fitness) ? Json(quality.fitness) : Json(nullptr)},
                   {"violation", quality.violation}};
        const ArtefactPtr one = artefact(i);
        if (picture) {
            facts["picture"] = one->files("svg", *picture, "bred").front().bytes;
            facts["measures"] = Json::object();
            for (const Measured& measured : one->measures())
                facts["measures"][measured.name] = number(measured.value);
        }
        individuals += individuals.empty() ? "" : ",";
        individuals += joined_objects({facts.dump(), one->view(true)});
    }
    const Json about{
        {"generation", run.status().statistics.generation},
        {"choices", choices},
        {"digest", digest_text(run.result().digest)},
        {"toml", recipe.to_toml()},
        {"command", command_line(order, studio_.recipe_file("FOLDER"), studio_.registry().program())}};
    return {.body = joined_objects({about.dump(), fmt::format("{{\"individuals\":[{}]}}", individuals)})};
}

Response Api::asset(const Request& request) const {
    std::string_view path = request.path;
    if (path == "/") path = "/index.html";
    if (path == "/favicon.ico") path = "/icon.svg"; // what browsers ask for beside reports
    if (path == "/theme.css") {
        only(request, "GET");
        return {.content_type = "text/css; charset=utf-8", .body = render::css_properties()};
    }
    for (const Asset& one : assets()) {
        if (path != one.path) continue;
        only(request, "GET");
        const fs::path file = web_ ? *web_ / path.substr(1) : fs::path{};
        return {.content_type = std::string{one.content_type},
                .body = web_ && fs::exists(file) ? read_file(file) : std::string{one.bytes}};
    }
    throw Refusal{404, "there is nothing here"};
}

Response Api::runs(const Request& request) {
    only(request, "GET, POST");
    if (request.method != "POST") return {.body = list_text()};
    return made(*studio_.start(order_of(body_of(request))));
}

Response Api::made(const Session& session) const {
    Response response = json_response(summary_view(studio_, session, session.seen()), 201);
    response.headers.emplace_back("Location", "/api/runs/" + session.id());
    return response;
}

Response Api::run(const Request& request, Session& session, const SessionPtr& shared, std::string_view rest) {
    if (rest.empty()) {
        only(request, "GET, DELETE");
        if (request.method == "DELETE") {
            studio_.remove(session);
            return {.status = 204, .content_type = "", .body = ""};
        }
        Json view = summary_view(studio_, session, session.seen());
        view["sections"] = recipe_view(session.recipe());
        return json_response(view);
    }
    if (rest == "control") {
        only(request, "POST");
        return control(session, request);
    }
    if (auto answered = answer_archive(request, shared, rest)) return std::move(*answered);
    if (auto answered = answer_share(request, studio_, session, rest)) return std::move(*answered);
    if (auto answered = answer_individual(request, session, rest)) return std::move(*answered);
    only(request, "GET");
    if (rest == "recipe.toml")
        return {.content_type = "text/plain; charset=utf-8", .body = session.recipe().to_toml()};
    if (rest == "history") return json_response(history_view(session));
    if (rest == "gallery") return {.body = gallery_text(session, 12)};
    if (rest == "export") return export_best(session, request);
    if (rest == "events") {
        return {
            .content_type = "text/event-stream",
            .events = [this, shared](std::uint64_t& last, bool& over) -> std::shared_ptr<const std::string> {
                if (shared->version() == last) return nullptr;
                bool ended = false;
                auto text = shared->rendered(last, [&] {
                    const Session::Seen seen = shared->seen();
                    const FramePtr frame = shared->frame_at(~std::uint64_t{0});
                    return fmt::format("event: state\ndata: {{\"run\":{},\"frame\":{}}}\n\n",
                                       summary_view(studio_, *shared, seen).dump(),
                                       frame ? frame_text(*shared, *frame) : "null");
                });
                ended = is_over(shared->seen().state);
                over = ended && shared->version() == last;
                return text;
            }};
    }
    if (rest.starts_with("frames/")) {
        const FramePtr frame =
            session.frame_at(number_of(rest.substr(7), "the generation", std::uint64_t{1} << 53U));
        if (!frame) throw Refusal{404, "there is no frame yet"};
        return {.body = frame_text(session, *frame)};
    }
    throw Refusal{404, "there is nothing here"};
}

Response Api::control(Session& session, const Request& request) {
    const Json json = body_of(request);
    know_all_keys(json, {"action", "count", "speed"});
    const std::string action = member<std::string>(json, "action").value_or("");
    if (session.seen().state == State::ended && action != "speed")
        throw Refusal{409, session.is_imported() ? "it is a gallery from a file, and no run"
                                                 : "the run has ended"};
    if (action == "play") {
        if (json.contains("speed")) studio_.set_speed(session, speed_of(json));
        studio_.play(session);
    } else if (action == "pause") {
        studio_.pause(session);
    } else if (action == "step") {
        const double count = member<double>(json, "count").value_or(1.0);
        if (!(count >= 1.0 && count <= 1000.0)) throw Refusal{422, "count must be in 1..1000"};
        studio_.step(session, static_cast<std::uint64_t>(count));
    } else if (action == "speed") {
        studio_.set_speed(session, speed_of(json));
    } else {
        throw Refusal{422, "action must be play, pause, step or speed"};
    }
    return json_response(summary_view(studio_, session, session.seen()));
}

Response Api::export_best(const Session& session, const Request& request) const {
    const FramePtr frame = session.frame_at(
        number_of(query(request, "generation", "9007199254740992"), "generation", std::uint64_t{1} << 53U));
    if (!frame) throw Refusal{404, "there is no frame yet"};
    const Wanted how = wanted(request, studio_.registry());
    const ArtefactPtr best = session.artefact(frame->best);
    if (!best) throw Refusal{404, "there is no picture of this problem"};
    return file_response(best->files(how.format->name, how.options, session.id()), how, session.id());
}

std::string Api::list_text() const {
    auto list = Json::array();
    for (const SessionPtr& session : studio_.sessions())
        list.push_back(summary_view(studio_, *session, session->seen()));
    return Json{{"runs", list}}.dump();
}

Response Api::list_events() {
    return {.content_type = "text/event-stream",
            .events = [this](std::uint64_t& last, bool&) -> std::shared_ptr<const std::string> {
                const std::lock_guard lock{list_mutex_};
                const auto now = std::chrono::steady_clock::now();
                const std::uint64_t version = studio_.version();
                // The list may be long: twice a second is enough, however many watch it.
                if (!listed_ ||
                    (version != listed_version_ && now - listed_at_ > std::chrono::milliseconds{500})) {
                    listed_ =
                        std::make_shared<const std::string>("event: runs\ndata: " + list_text() + "\n\n");
                    listed_version_ = version;
                    listed_at_ = now;
                }
                if (last == listed_version_) return nullptr;
                last = listed_version_;
                return listed_;
            }};
}

} // namespace knossos::studio
