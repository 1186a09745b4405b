#include <knossos/core/random.hpp>

#include <array>

namespace knossos {

Skips::Skips(double probability) : inverse_log_failure_{0.0}, always_{probability >= 1.0} {
    // ln(1 − p) loses the digits of a tiny p; its series keeps them.
    if (probability < 1.0e-6)
        inverse_log_failure_ = -1.0 / (probability + probability * probability / 2.0);
    else if (!always_)
        inverse_log_failure_ = 1.0 / portable_log(1.0 - probability);
}

ShortSkips::ShortSkips(double probability, std::size_t length)
    : skips_{probability}, known_{std::min(length, most_left) + 1} {
    // A skip is over k trials at least where what was drawn is at most (1 − p)^k. Powers and logarithms are
    // rounded; what is this close is left to the logarithm.
    double power = 1.0 - 1.0e-9;
    for (std::size_t trials = 0; trials < known_; ++trials) {
        surely_past_[trials] = power;
        power *= 1.0 - probability;
    }
}

void StreamsAhead::compute(std::size_t slot) {
    if (blocks_ == 0) return;
    const std::size_t slots = computed_.size() / blocks_;
    std::size_t filled = 0;
    for (std::size_t i = 0; i < slots; ++i)
        for (std::uint32_t index = 0; index < blocks_; ++index)
            computed_[filled++] = streams_.counter(slot + i, index);
    philox4x32_each(streams_.key, std::span{computed_}.first(filled));
    streams_.ahead = std::span{computed_}.first(filled);
    streams_.ahead_first = slot;
    streams_.ahead_blocks = blocks_;
}

#ifdef KNOSSOS_SMALL
namespace detail {

void visit_any_streams(const StageStreams& streams, std::size_t count, std::size_t blocks, AnySlot slot_of,
                       AnyVisit visit) {
    visit_streams(streams, count, blocks, slot_of, visit);
}

void visit_any_chosen(const StageStreams& streams, std::size_t count, double probability, std::size_t blocks,
                      AnySlot slot_of, AnyVisit visit) {
    visit_chosen(streams, count, probability, blocks, slot_of, visit);
}

} // namespace detail
#endif

} // namespace knossos
