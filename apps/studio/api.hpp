#pragma once

#include "drawings.hpp"
#include "message.hpp"
#include "studio.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace knossos::studio {

/// Answers some requests, and nothing to the others.
using Answerer = std::function<std::optional<Response>(const Request&)>;

/// Answers requests: the page, the JSON API of docs/studio-api.md, and events. May be called from any thread.
class Api {
  public:
    /// `more` answers what else this studio has, such as studies. `web`, for those who work on the page: its
    /// files are read from there instead of from the program.
    explicit Api(Studio& studio, Answerer more = {}, std::optional<std::filesystem::path> web = std::nullopt);

    [[nodiscard]] Response answer(const Request& request);

  private:
    Response route(const Request& request);
    Response asset(const Request& request) const;
    [[nodiscard]] Response breed(const Request& request, bool is_export) const;
    Response runs(const Request& request);
    [[nodiscard]] Response made(const Session& session) const;
    Response run(const Request& request, Session& session, const SessionPtr& shared, std::string_view rest);
    Response control(Session& session, const Request& request);
    [[nodiscard]] Response export_best(const Session& session, const Request& request) const;
    Response list_events();
    [[nodiscard]] std::string list_text() const;

    Studio& studio_;
    Answerer more_;
    std::optional<std::filesystem::path> web_;
    std::string registry_;
    Drawings drawings_;
    std::mutex list_mutex_;
    std::uint64_t listed_version_ = 0;
    std::chrono::steady_clock::time_point listed_at_{};
    std::shared_ptr<const std::string> listed_;
};

} // namespace knossos::studio
