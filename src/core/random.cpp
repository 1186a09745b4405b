#include <knossos/core/random.hpp>

#include <algorithm>
#include <array>
#include <functional>

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

namespace {

// Asks for 64 slots at a time.
class SomeSlots {
  public:
    SomeSlots(AnySlots all, std::size_t count) : all_{all}, count_{count} {}

    std::size_t operator()(std::size_t i) {
        if (i - from_ >= listed_) {
            from_ = i;
            listed_ = std::min(count_ - i, slots_.size());
            all_.list(all_.slot_of, from_, std::span{slots_}.first(listed_));
        }
        return slots_[i - from_];
    }

  private:
    AnySlots all_;
    std::size_t count_;
    std::size_t from_ = 0;
    std::size_t listed_ = 0;
    std::array<std::uint32_t, 64> slots_; // left unset: only what has been listed is read
};

} // namespace

void visit_any_streams(const StageStreams& streams, std::size_t count, std::size_t blocks, AnySlots slots,
                       AnyVisit visit) {
    SomeSlots some{slots, count};
    visit_streams(streams, count, blocks, std::ref(some), visit);
}

void visit_any_chosen(const StageStreams& streams, std::size_t count, double probability, std::size_t blocks,
                      AnySlots slots, AnyVisit visit) {
    SomeSlots some{slots, count};
    visit_chosen(streams, count, probability, blocks, std::ref(some), visit);
}

} // namespace detail
#endif

} // namespace knossos
