#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace knossos {

/// Some islands in a row: first .. first + count − 1.
struct IslandRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    [[nodiscard]] bool holds(std::uint32_t island) const { return island - first < count; }
    friend bool operator==(const IslandRange&, const IslandRange&) = default;
};

/// The islands of one of several members: dealt in order and as evenly as they come; who has one more stands
/// in front.
IslandRange share_of(std::uint32_t islands, std::uint32_t members, std::uint32_t member);
/// The member whose share an island is in.
std::uint32_t owner_of(std::uint32_t islands, std::uint32_t members, std::uint32_t island);

class AsynchronousExchange;

/// Bytes to or from one other member.
struct MemberMessage {
    std::uint32_t member = 0;
    std::vector<std::byte> bytes;
};

/// How the members of a run that is spread over several processes hear from each other. Member m has the
/// islands of share_of(islands, members(), m), and every member makes the same calls in the same order. What
/// is merged is merged in the order of the islands, so the result does not depend on the number of members. A
/// run without an exchange has all islands and asks nobody.
class Exchange {
  public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;

    [[nodiscard]] virtual std::uint32_t member() const = 0;
    [[nodiscard]] virtual std::uint32_t members() const = 0;
    /// What each member gave, in the order of the members; everybody gets everything.
    [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;
    /// Sends messages and waits for others, whose sizes are set already; at most one each way between any
    /// two.
    virtual void deliver(std::span<const MemberMessage> outgoing, std::span<MemberMessage> incoming) = 0;
    /// Itself, if its members don't wait for each other; see asynchronous.hpp.
    [[nodiscard]] virtual AsynchronousExchange* asynchronous() { return nullptr; }
};

/// Everybody says what went wrong for them, or nothing. Returns the first such text, the same for all.
std::string first_fault(Exchange& exchange, const std::string& own);

/// Each member does its part of some work in which it asks nobody. Returns what went wrong for the first of
/// those for whom something did, the same for all; empty if nothing. Without an exchange there is one member.
std::string fault_in(Exchange* exchange, const std::function<void()>& part);

/// Each member does its part of some reading or writing, in which it asks nobody. If that fails for any of
/// them, all throw the same InputOutputError.
void together(Exchange& exchange, const std::function<void()>& part);

} // namespace knossos
