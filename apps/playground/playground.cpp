// The studio as WebAssembly: its API as functions that JavaScript calls. Nothing goes on by itself: runs do
// when pump() is called, and with KNOSSOS_WEB_THREADS=ON they then have threads besides. The workspace is a
// folder of whatever file system the caller has mounted.
#include "api.hpp"
#include "studio.hpp"

#include <knossos/core/error.hpp>

#include <nlohmann/json.hpp>

#include <emscripten/emscripten.h>

#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace {

#ifdef __EMSCRIPTEN_PTHREADS__
constexpr unsigned run_threads = 0;
#else
constexpr unsigned run_threads = 1;
#endif

using Json = nlohmann::ordered_json;
using namespace knossos::studio;

struct Stream {
    Events next;
    std::uint64_t last = 0;
};

struct Playground {
    Playground(const char* workspace, bool only_keeps)
        : studio{workspace,
                 {.run_threads = run_threads,
                  .by_itself = false,
                  .has_disk = false,
                  .carries_out = !only_keeps,
                  .save_every = 3.0}},
          api{studio} {}

    Studio studio;
    Api api;
    std::map<int, Stream> streams{};
    int newest_stream = 0;
    // What was answered last, for as long as JavaScript needs to copy it.
    std::string head{};
    std::string body{};
    std::shared_ptr<const std::string> event{};
    std::string given{};
};

std::unique_ptr<Playground> playground; // NOLINT: JavaScript has nothing but functions to call
std::string trouble;                    // NOLINT: what went wrong last

// JavaScript can tell nothing of an exception from C++, so none leaves.
template <class Result, class Work>
Result guarded(Result failed, Work&& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        trouble = "there is not enough memory";
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    return failed;
}

Playground& opened() {
    if (!playground) throw knossos::InvalidInput{"no workspace is open"};
    return *playground;
}

Json answer_of(Request request, const char* target) {
    Playground& here = opened();
    Response response = read_target(target, request) ? here.api.answer(request)
                                                     : problem_response(400, "this is no address of the API");
    Json head{{"status", response.status}, {"type", response.content_type}, {"headers", Json::object()}};
    for (const auto& [name, value] : response.headers) head["headers"][name] = value;
    if (response.events) {
        head["stream"] = ++here.newest_stream;
        here.streams.emplace(here.newest_stream, Stream{std::move(response.events)});
    }
    here.body = std::move(response.body);
    return head;
}

} // namespace

// What returns a text returns null if it failed.
extern "C" {

/// Why the last call failed.
EMSCRIPTEN_KEEPALIVE const char* playground_trouble() { return trouble.c_str(); }

/// Opens a workspace, if wanted only to keep what is in it: then runs wait until they are given to another
/// one. Returns whether it did.
EMSCRIPTEN_KEEPALIVE bool playground_open(const char* workspace, bool only_keeps) {
    return guarded(false, [&] {
        playground = std::make_unique<Playground>(workspace, only_keeps);
        return true;
    });
}

/// Forgets a run, and leaves its folder to the one that takes it. Returns what that has to be told beside it.
EMSCRIPTEN_KEEPALIVE const char* playground_give(const char* id) {
    return guarded<const char*>(nullptr, [&] {
        Playground& here = opened();
        const SessionPtr session = here.studio.find(id);
        if (!session) throw knossos::InvalidInput{"there is no such run"};
        const Handed handed = here.studio.give(*session);
        here.given = Json{{"id", handed.id},           {"state", to_string(handed.state)},
                          {"speed", handed.speed},     {"message", handed.message},
                          {"version", handed.version}, {"archive", handed.gallery_version}}
                         .dump(-1, ' ', false, Json::error_handler_t::replace);
        return here.given.c_str();
    });
}

/// Takes a run whose folder is in the workspace, with what was told of it. Returns whether it did.
EMSCRIPTEN_KEEPALIVE bool playground_take(const char* told) {
    return guarded(false, [&] {
        const Json json = Json::parse(told);
        Handed handed{.id = json.at("id").get<std::string>(),
                      .speed = json.at("speed").get<double>(),
                      .message = json.at("message").get<std::string>(),
                      .version = json.at("version").get<std::uint64_t>(),
                      .gallery_version = json.at("archive").get<std::uint64_t>()};
        for (const State one : {State::waiting, State::paused, State::ended, State::failed})
            if (to_string(one) == json.at("state").get<std::string>()) handed.state = one;
        opened().studio.take(handed);
        return true;
    });
}

/// Writes down what is not yet, and closes it.
EMSCRIPTEN_KEEPALIVE void playground_close() { playground.reset(); }

/// Answers a request with {"status": 200, "type": "…", "headers": {…}, "stream": 3}; the body is then in
/// playground_body(). A stream is one of events, to be asked for with playground_event().
EMSCRIPTEN_KEEPALIVE const char* playground_answer(const char* method, const char* target, const char* type,
                                                   const char* body, std::size_t size) {
    return guarded<const char*>(nullptr, [&] {
        const Json head = answer_of(
            {.method = method, .path = {}, .content_type = type, .body = std::string(body, size)}, target);
        playground->head = head.dump(-1, ' ', false, Json::error_handler_t::replace);
        return playground->head.c_str();
    });
}

EMSCRIPTEN_KEEPALIVE const char* playground_body() { return playground->body.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t playground_body_size() { return playground->body.size(); }

/// The next event of a stream as server-sent events have it, "" if there is nothing new, "over" if nothing
/// more will come.
EMSCRIPTEN_KEEPALIVE const char* playground_event(int stream) {
    return guarded<const char*>(nullptr, [&] {
        Playground& here = opened();
        const auto found = here.streams.find(stream);
        bool over = found == here.streams.end();
        if (over) return "over";
        here.event = found->second.next(found->second.last, over);
        if (here.event) return here.event->c_str();
        if (!over) return "";
        here.streams.erase(found);
        return "over";
    });
}

EMSCRIPTEN_KEEPALIVE void playground_end_stream(int stream) { playground->streams.erase(stream); }

/// Goes on with whatever runs, for a moment. Returns whether there was anything to do, or -1 if it failed.
EMSCRIPTEN_KEEPALIVE int playground_pump() {
    return guarded(-1, [] { return opened().studio.pump() ? 1 : 0; });
}
}
