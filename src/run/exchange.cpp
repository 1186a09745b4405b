#include <knossos/core/error.hpp>
#include <knossos/run/exchange.hpp>

#include <algorithm>

namespace knossos {

IslandRange share_of(std::uint32_t islands, std::uint32_t members, std::uint32_t member) {
    const std::uint32_t each = islands / members;
    const std::uint32_t more = islands % members;
    return {.first = each * member + std::min(member, more), .count = each + (member < more ? 1U : 0U)};
}

std::uint32_t owner_of(std::uint32_t islands, std::uint32_t members, std::uint32_t island) {
    const std::uint32_t each = islands / members;
    const std::uint32_t more = islands % members;
    const std::uint32_t in_front = more * (each + 1);
    return island < in_front ? island / (each + 1) : more + (island - in_front) / each;
}

std::string first_fault(Exchange& exchange, const std::string& own) {
    for (const auto& bytes : exchange.gather(std::as_bytes(std::span{own}))) {
        if (bytes.empty()) continue;
        std::string text(bytes.size(), '\0');
        std::ranges::transform(bytes, text.begin(), [](std::byte byte) { return static_cast<char>(byte); });
        return text;
    }
    return "";
}

std::string fault_in(Exchange* exchange, const std::function<void()>& part) {
    std::string fault;
    try {
        part();
    } catch (const Error& error) {
        fault = error.what();
    }
    return exchange == nullptr ? fault : first_fault(*exchange, fault);
}

void together(Exchange& exchange, const std::function<void()>& part) {
    if (const std::string fault = fault_in(&exchange, part); !fault.empty()) throw InputOutputError{fault};
}

} // namespace knossos
