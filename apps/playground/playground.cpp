// The studio as WebAssembly: its API as functions that JavaScript calls. There are no threads: runs go on
// when pump() is called. The workspace is a folder of whatever file system the caller has mounted.
#include "api.hpp"
#include "studio.hpp"

#include <nlohmann/json.hpp>

#include <emscripten/emscripten.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace {

using Json = nlohmann::ordered_json;
using namespace knossos::studio;

struct Stream {
    Events next;
    std::uint64_t last = 0;
};

struct Playground {
    explicit Playground(const char* workspace)
        : studio{workspace, {.by_itself = false, .save_every = 3.0}}, api{studio} {}

    Studio studio;
    Api api;
    std::map<int, Stream> streams{};
    int newest_stream = 0;
    // What was answered last, for as long as JavaScript needs to copy it.
    std::string head{};
    std::string body{};
    std::shared_ptr<const std::string> event{};
};

std::unique_ptr<Playground> playground; // NOLINT: JavaScript has nothing but functions to call

} // namespace

extern "C" {

/// Opens a workspace. Returns what went wrong, or null.
EMSCRIPTEN_KEEPALIVE const char* playground_open(const char* workspace) {
    static std::string trouble;
    try {
        playground = std::make_unique<Playground>(workspace);
        return nullptr;
    } catch (const std::exception& error) {
        trouble = error.what();
        return trouble.c_str();
    }
}

/// Writes down what is not yet, and closes it.
EMSCRIPTEN_KEEPALIVE void playground_close() { playground.reset(); }

/// Answers a request with {"status": 200, "type": "…", "headers": {…}, "stream": 3}; the body is then in
/// playground_body(). A stream is one of events, to be asked for with playground_event().
EMSCRIPTEN_KEEPALIVE const char* playground_answer(const char* method, const char* target, const char* type,
                                                   const char* body, std::size_t size) {
    Request request{.method = method, .path = {}, .content_type = type, .body = std::string(body, size)};
    Response response = read_target(target, request) ? playground->api.answer(request)
                                                     : problem_response(400, "this is no address of the API");
    Json head{{"status", response.status}, {"type", response.content_type}, {"headers", Json::object()}};
    for (const auto& [name, value] : response.headers) head["headers"][name] = value;
    if (response.events) {
        head["stream"] = ++playground->newest_stream;
        playground->streams.emplace(playground->newest_stream, Stream{std::move(response.events)});
    }
    playground->body = std::move(response.body);
    playground->head = head.dump(-1, ' ', false, Json::error_handler_t::replace);
    return playground->head.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* playground_body() { return playground->body.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t playground_body_size() { return playground->body.size(); }

/// The next event of a stream as server-sent events have it, "" if there is nothing new, null if nothing more
/// will come.
EMSCRIPTEN_KEEPALIVE const char* playground_event(int stream) {
    const auto found = playground->streams.find(stream);
    if (found == playground->streams.end()) return nullptr;
    bool over = false;
    playground->event = found->second.next(found->second.last, over);
    if (playground->event) return playground->event->c_str();
    if (!over) return "";
    playground->streams.erase(found);
    return nullptr;
}

EMSCRIPTEN_KEEPALIVE void playground_end_stream(int stream) { playground->streams.erase(stream); }

/// Goes on with whatever runs, for a moment. Returns whether there was anything to do.
EMSCRIPTEN_KEEPALIVE bool playground_pump() { return playground->studio.pump(); }
}
