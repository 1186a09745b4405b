#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos::studio {

/// A request as the API sees it: nothing of the transport.
struct Request {
    std::string method;
    std::string path;                           ///< decoded, without the query
    std::map<std::string, std::string> query{}; ///< decoded
    std::string content_type{};
    std::string body{};
};

/// Reads path and query of a target such as "/api/runs/a/export?format=png". Returns false for what is none.
bool read_target(std::string_view target, Request& request);

/// Gives the next event if there is one that the client has not had: `last` is the version it had, 0 at
/// first, and is set to that of the event. Null if there is nothing new. Sets `over` when nothing more will
/// come.
using Events = std::function<std::shared_ptr<const std::string>(std::uint64_t& last, bool& over)>;

struct Response {
    int status = 200;
    std::string content_type = "application/json";
    std::string body{};
    std::vector<std::pair<std::string, std::string>> headers{};
    Events events{}; ///< if set, the response is a stream of these
};

/// {"error": message}
Response problem_response(int status, std::string_view message);

} // namespace knossos::studio
