#pragma once

#include "api.hpp"

#include <cstdint>
#include <memory>

namespace knossos::studio {

/// Speaks HTTP on 127.0.0.1 for the API. Refuses what a page from elsewhere may send (another Host or
/// Origin), and bounds what a client can cost: headers, bodies, time, connections, and one event under way
/// per stream.
class Server {
  public:
    /// Listens; port 0 takes a free one. Throws InputOutputError if that is not possible.
    Server(Api& api, std::uint16_t port);
    ~Server();

    [[nodiscard]] std::uint16_t port() const;
    /// Serves until SIGINT or SIGTERM.
    void run();

  private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

} // namespace knossos::studio
