#include "commands.hpp"

#include <knossos/core/error.hpp>

#ifdef KNOSSOS_HAS_STUDIO

#include "api.hpp"
#include "server.hpp"
#include "studio.hpp"
#include "study_requests.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <unistd.h>

namespace knossos::app {

namespace {

namespace fs = std::filesystem;

// NOLINTBEGIN(concurrency-mt-unsafe): read before any thread is started
std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}
// NOLINTEND(concurrency-mt-unsafe)

// Where the XDG base directory specification wants a user's data.
fs::path default_workspace(const std::string& program) {
    if (const std::string data = environment("XDG_DATA_HOME"); !data.empty())
        return fs::path{data} / program / "studio";
    if (const std::string home = environment("HOME"); !home.empty())
        return fs::path{home} / ".local/share" / program / "studio";
    throw InvalidInput{"there is no HOME to keep a workspace in; name one with --workspace"};
}

void open_browser(std::string address) {
    if (environment("DISPLAY").empty() && environment("WAYLAND_DISPLAY").empty()) return;
    (void)std::signal(SIGCHLD, SIG_IGN); // nobody waits for it
    std::string program = "xdg-open";
    char* const arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    (void)posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ);
}

} // namespace

int serve_studio(const StudioOptions& options, const Registry& registry) {
    studio::Studio studio{options.workspace.empty() ? default_workspace(registry.program())
                                                    : fs::path{options.workspace},
                          {},
                          registry};
    std::optional<fs::path> web;
    if (const std::string folder = environment("KNOSSOS_WEB"); !folder.empty()) web = folder;
    studio::Api api{studio, studio::with_studies(studio), web};
    studio::Server server{api, options.port};
    const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
    fmt::print("The studio is at {}\nIts runs are kept in {}\nCtrl-C ends it\n", address,
               studio.workspace().string());
    (void)std::fflush(stdout);
    if (options.open) open_browser(address);
    server.run();
    return reached;
}

} // namespace knossos::app

#else

namespace knossos::app {

int serve_studio(const StudioOptions& /*options*/, const Registry& /*registry*/) {
    throw InvalidInput{
        "this knossos was built without the studio: what its page is made with or the headers of Boost were "
        "missing (Debian: esbuild, node-react-dom, node-d3-axis, node-d3-zoom, libboost-dev)"};
}

} // namespace knossos::app

#endif
