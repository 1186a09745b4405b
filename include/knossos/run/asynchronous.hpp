#pragma once

#include <knossos/run/exchange.hpp>

#include <optional>
#include <vector>

namespace knossos {

/// An exchange whose members don't wait for each other: each breeds at its own pace, posts its emigrants and
/// takes in what has arrived by then. Nobody idles because of somebody slower, and in return the result
/// depends on who was when where: it can't be repeated. The first member asks the stop rules, with the newest
/// it has heard from everyone. Such runs keep no checkpoints.
class AsynchronousExchange : public Exchange {
  public:
    /// Sends without waiting for the receiver.
    virtual void post(std::uint32_t member, std::vector<std::byte> message) = 0;
    /// What has arrived next, if anything has.
    [[nodiscard]] virtual std::optional<MemberMessage> poll() = 0;
    [[nodiscard]] AsynchronousExchange* asynchronous() final { return this; }
};

} // namespace knossos
