#pragma once

#include <knossos/core/portable_math.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace knossos {

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox4x32-10: a keyed bijection of 128-bit counters that passes every known statistical test.
/// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011.
constexpr PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t left = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t right = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {
            static_cast<std::uint32_t>(right >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(right),
            static_cast<std::uint32_t>(left >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(left)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return counter;
}

/// Turns each counter into its block, as philox4x32() would, several at a time in the processor's vectors.
void philox4x32_each(PhiloxKey key, std::span<PhiloxBlock> counters);

/// Turns each counter into the four numbers that Stream::below(bound) would draw from its block, in that
/// order. Returns false if one of them might have been rejected, which is rare: then they are of no use.
[[nodiscard]] bool philox4x32_below(PhiloxKey key, std::uint32_t bound, std::span<PhiloxBlock> counters);

/// What a random number is drawn for. Part of a stream's address, so that adding a draw to one stage never
/// shifts the numbers another stage sees. The values are part of the reproducibility promise: append, never
/// renumber.
enum class Purpose : std::uint32_t {
    initialise = 0,
    select = 1,
    recombine = 2,
    mutate = 3,
    improve = 4,
    replace = 5,
    migrate = 6,
    diversity = 7,
    operations = 8,
    solve = 9,
    study = 10,
    prepare = 11, ///< what a selection draws once, before it picks
    repair = 12,
};

/// The slots of streams that are no individual's. Part of the promise, as purposes are.
struct StreamSlot {
    static constexpr std::uint32_t generation = 0; ///< what is drawn once a generation
    static constexpr std::uint32_t senders = 0;    ///< of migrate: from which islands migrants come
    static constexpr std::uint32_t emigrants = 1;  ///< of migrate: who is sent
    static constexpr std::uint32_t immigrants = 2; ///< of migrate: who makes room
    static constexpr std::uint32_t couples = 1;    ///< of prepare: which parents of an archive meet
};

/// Slots are below this: algorithms with more individuals or events in a generation are refused. The other
/// half of a generation's slots is for StageStreams::beside().
inline constexpr std::uint32_t most_slots = 0x80000000U;

/// A sequence of random numbers that is a pure function of its address. Cheap to make (no warm-up), so every
/// offspring slot of every generation has its own and nothing depends on which thread draws first.
class Stream {
  public:
    constexpr Stream(PhiloxKey key, std::uint64_t generation, std::uint32_t slot)
        : key_{key}, slot_{slot}, generation_{generation} {}

    /// The same stream with its first blocks computed already. They are not copied.
    constexpr Stream(PhiloxKey key, std::uint64_t generation, std::uint32_t slot,
                     std::span<const PhiloxBlock> ahead)
        : key_{key}, slot_{slot}, ahead_{static_cast<std::uint32_t>(ahead.size())}, generation_{generation},
          next_{ahead.data()} {}

    // Every operator draws in its inner loop: never a call, however large the file that does it has grown.
    [[gnu::always_inline]] constexpr std::uint32_t next32() {
        if (left_ == 0) refill();
        return block_[--left_];
    }

    constexpr std::uint64_t next64() {
        const std::uint64_t high = next32();
        return high << 32U | next32();
    }

    /// Uniform in 0 .. bound − 1; bound must be at least 1. Exact, by multiplication and rare rejection.
    /// D. Lemire: "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
    [[gnu::always_inline]] constexpr std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{next32()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
            const std::uint32_t threshold = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{next32()} * bound;
        }
        return static_cast<std::uint32_t>(product >> 32U);
    }

    /// As below(), for bounds past 32 bits. Takes the narrow path when it can, so both agree on small bounds.
    constexpr std::uint64_t below64(std::uint64_t bound) {
        if (bound <= 0xFFFFFFFFU) return below(static_cast<std::uint32_t>(bound));
        const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(bound - 1);
        std::uint64_t value = next64() & mask;
        while (value >= bound) value = next64() & mask;
        return value;
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    constexpr double real() { return static_cast<double>(next64() >> 11U) * 0x1.0p-53; }

    /// True with the given probability, to within 2⁻³²; never for 0, always for 1.
    constexpr bool chance(double probability) {
        return next32() < static_cast<std::uint64_t>(probability * 0x1.0p32);
    }

    /// Puts the elements into random order (Fisher–Yates).
    template <class T>
    constexpr void shuffle(std::span<T> values) {
        for (std::size_t remaining = values.size(); remaining > 1; --remaining)
            std::swap(values[remaining - 1], values[below64(remaining)]);
    }

  private:
    constexpr void refill() {
        if (block_index_ < ahead_)
            block_ = next_[block_index_];
        else
            block_ = philox4x32({block_index_, slot_, static_cast<std::uint32_t>(generation_),
                                 static_cast<std::uint32_t>(generation_ >> 32U)},
                                key_);
        ++block_index_;
        left_ = 4;
    }

    PhiloxKey key_;
    std::uint32_t slot_;
    std::uint32_t block_index_ = 0;
    std::uint32_t ahead_ = 0;
    std::uint64_t generation_;
    const PhiloxBlock* next_ = nullptr;
    PhiloxBlock block_{};
    std::uint32_t left_ = 0;
};

/// Makes the streams of one island of one run. (seed, run, island, purpose) become the Philox key,
/// (generation, slot) its counter: together the full address of a random number.
class Streams {
  public:
    constexpr Streams(std::uint64_t seed, std::uint32_t run = 0, std::uint32_t island = 0)
        : seed_{seed}, run_{run}, island_{island} {}

    [[nodiscard]] constexpr PhiloxKey key(Purpose purpose) const {
        // The fourth word keeps key derivation apart from the counters of any stream that uses the seed as
        // its key.
        const PhiloxBlock mixed =
            philox4x32({run_, island_, static_cast<std::uint32_t>(purpose), 0x4B6E6F73},
                       {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)});
        return {mixed[0], mixed[1]};
    }

    [[nodiscard]] constexpr Stream at(Purpose purpose, std::uint64_t generation, std::uint32_t slot) const {
        return {key(purpose), generation, slot};
    }

  private:
    std::uint64_t seed_;
    std::uint32_t run_;
    std::uint32_t island_;
};

/// The streams of one stage in one generation: what a batch operator draws from, one stream per slot.
struct StageStreams {
    PhiloxKey key;
    std::uint64_t generation;
    /// Blocks that have been computed already: so many for each slot from the first on. See StreamsAhead.
    std::span<const PhiloxBlock> ahead{};
    std::size_t ahead_first = 0;
    std::size_t ahead_blocks = 0;

    /// What becomes a block of the stream of a slot.
    [[nodiscard]] constexpr PhiloxBlock counter(std::size_t slot, std::uint32_t block) const {
        return {block, static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(generation),
                static_cast<std::uint32_t>(generation >> 32U)};
    }

    [[nodiscard]] constexpr Stream operator()(std::size_t slot) const {
        const std::size_t begin = (slot - ahead_first) * ahead_blocks;
        if (begin < ahead.size())
            return {key, generation, static_cast<std::uint32_t>(slot), ahead.subspan(begin, ahead_blocks)};
        return {key, generation, static_cast<std::uint32_t>(slot)};
    }

    /// A second stream of the slot, for what is drawn about it before an operator draws from its own.
    [[nodiscard]] constexpr Stream beside(std::size_t slot) const { return (*this)(slot + most_slots); }
};

/// For work that takes one slot after the other: computes the first blocks of the next few streams together,
/// which takes a fraction of the time and changes no number.
class StreamsAhead {
  public:
    StreamsAhead(StageStreams streams, std::size_t blocks) : streams_{streams}, blocks_{blocks} {}
    StreamsAhead(const StreamsAhead&) = delete;
    StreamsAhead& operator=(const StreamsAhead&) = delete;

    /// The same streams, ready from this slot on. Valid until the next call.
    const StageStreams& from(std::size_t slot) {
        if ((slot - streams_.ahead_first) * blocks_ >= streams_.ahead.size()) compute(slot);
        return streams_;
    }

  private:
    void compute(std::size_t slot);

    StageStreams streams_;
    std::size_t blocks_;
    std::array<PhiloxBlock, 32> computed_;
};

namespace detail {

template <class SlotOf, class Visit>
void visit_streams(const StageStreams& streams, std::size_t count, std::size_t blocks, SlotOf slot_of,
                   Visit visit) {
    if (count < 4 || blocks == 0) { // vectors pay only when they are filled
        for (std::size_t i = 0; i < count; ++i) {
            Stream stream = streams(slot_of(i));
            visit(i, stream);
        }
        return;
    }
    std::array<PhiloxBlock, 64> ahead; // left unset: only what has been computed is read
    const std::size_t together = ahead.size() / blocks;
    for (std::size_t begin = 0; begin < count; begin += together) {
        const std::size_t end = count - begin < together ? count : begin + together;
        std::size_t filled = 0;
        for (std::size_t i = begin; i < end; ++i)
            for (std::uint32_t index = 0; index < blocks; ++index)
                ahead[filled++] = streams.counter(slot_of(i), index);
        philox4x32_each(streams.key, std::span{ahead}.first(filled));
        for (std::size_t i = begin; i < end; ++i) {
            Stream stream{streams.key, streams.generation, static_cast<std::uint32_t>(slot_of(i)),
                          std::span{ahead}.subspan((i - begin) * blocks, blocks)};
            visit(i, stream);
        }
    }
}

template <class SlotOf, class Visit>
void visit_chosen(const StageStreams& streams, std::size_t count, double probability, std::size_t blocks,
                  SlotOf slot_of, Visit visit) {
    std::array<PhiloxBlock, 64> first;
    std::array<std::size_t, 64> chosen; // left unset, both
    const auto most = static_cast<std::uint64_t>(probability * 0x1.0p32);
    for (std::size_t begin = 0; begin < count; begin += first.size()) {
        const std::size_t some = std::min(count - begin, first.size());
        for (std::size_t i = 0; i < some; ++i) first[i] = streams.counter(slot_of(begin + i), 0);
        philox4x32_each(streams.key, std::span{first}.first(some));
        std::size_t filled = 0;
        for (std::size_t i = 0; i < some; ++i) {
            chosen[filled] = begin + i;
            filled += first[i][3] < most ? 1U : 0U;
        }
        visit_streams(
            streams, filled, blocks, [&](std::size_t i) { return slot_of(chosen[i]); },
            [&](std::size_t i, Stream& stream) {
                static_cast<void>(stream.next32()); // the chance
                visit(chosen[i], stream);
            });
    }
}

#ifdef KNOSSOS_SMALL
// Where code is downloaded, one copy for all operators, which it calls through pointers: for slots now and
// then.
struct AnySlots {
    const void* slot_of;
    void (*list)(const void* slot_of, std::size_t begin, std::span<std::uint32_t> slots);
};
struct AnyVisit {
    const void* visit;
    void (*call)(const void* visit, std::size_t i, Stream& stream);
    void operator()(std::size_t i, Stream& stream) const { call(visit, i, stream); }
};
void visit_any_streams(const StageStreams& streams, std::size_t count, std::size_t blocks, AnySlots slots,
                       AnyVisit visit);
void visit_any_chosen(const StageStreams& streams, std::size_t count, double probability, std::size_t blocks,
                      AnySlots slots, AnyVisit visit);

template <class SlotOf>
AnySlots any_slots(const SlotOf& slot_of) {
    return {&slot_of, [](const void* its, std::size_t begin, std::span<std::uint32_t> slots) {
                for (std::size_t i = 0; i < slots.size(); ++i)
                    slots[i] = static_cast<std::uint32_t>((*static_cast<const SlotOf*>(its))(begin + i));
            }};
}
template <class Visit>
AnyVisit any_visit(const Visit& visit) {
    return {&visit, [](const void* its, std::size_t i, Stream& stream) {
                (*static_cast<const Visit*>(its))(i, stream);
            }};
}
#endif

} // namespace detail

/// Calls visit(i, stream) for each i below count, with the stream of slot_of(i). The first `blocks` blocks of
/// several streams are computed together, which takes a fraction of the time and changes no number.
template <class SlotOf, class Visit>
void for_each_stream(const StageStreams& streams, std::size_t count, std::size_t blocks, SlotOf slot_of,
                     Visit visit) {
#ifdef KNOSSOS_SMALL
    detail::visit_any_streams(streams, count, blocks, detail::any_slots(slot_of), detail::any_visit(visit));
#else
    detail::visit_streams(streams, count, blocks, slot_of, visit);
#endif
}

/// As for_each_stream(), for those whose streams begin with a chance() that comes true: visit(i, stream) has
/// the numbers after it. Who they are is found out first, so that the vectors are filled with their blocks.
template <class SlotOf, class Visit>
void for_each_chosen(const StageStreams& streams, std::size_t count, double probability, std::size_t blocks,
                     SlotOf slot_of, Visit visit) {
#ifdef KNOSSOS_SMALL
    detail::visit_any_chosen(streams, count, probability, blocks, detail::any_slots(slot_of),
                             detail::any_visit(visit));
#else
    detail::visit_chosen(streams, count, probability, blocks, slot_of, visit);
#endif
}

/// How many blocks of random numbers an operator usually takes from one stream: what its random_blocks()
/// says, else one.
template <class Operator>
std::size_t default_blocks(const Operator& op) {
    if constexpr (requires { op.random_blocks(); })
        return std::min<std::size_t>(op.random_blocks(), 8);
    else
        return 1;
}

/// Distances between successes of independent trials with a small probability: visits the genes that change
/// without drawing a number for each gene that doesn't.
class Skips {
  public:
    explicit Skips(double probability);

    /// How many trials fail before the next success; `never` once it lies past any genome.
    [[nodiscard]] std::size_t next(Stream& stream) const {
        return always_ ? 0 : skip_at(1.0 - stream.real());
    }

    /// Whether nothing is ever skipped, for which no number is drawn.
    [[nodiscard]] bool always() const { return always_; }
    /// What ln(1 − a drawn real()) is to be multiplied by: the whole part of that is the skip.
    [[nodiscard]] double inverse_log_failure() const { return inverse_log_failure_; }

    static constexpr std::size_t never = ~std::size_t{0} / 2;

  private:
    friend class ShortSkips;

    [[nodiscard]] std::size_t skip_at(double drawn) const {
        const double skip = portable_log(drawn) * inverse_log_failure_;
        return skip < static_cast<double>(never) ? static_cast<std::size_t>(skip) : never;
    }

    double inverse_log_failure_;
    bool always_;
};

/// The same numbers, for genomes so short that a skip often leads past their end: that is seen without a
/// logarithm, for which a processor that has guessed wrong would have to wait.
class ShortSkips {
  public:
    ShortSkips(double probability, std::size_t length);

    /// As Skips::next(), but `never` already for a skip over all of the trials that are `left`.
    [[nodiscard]] std::size_t next(Stream& stream, std::size_t left) const {
        if (skips_.always_) return 0;
        const double drawn = 1.0 - stream.real();
        return left < known_ && drawn < surely_past_[left] ? Skips::never : skips_.skip_at(drawn);
    }

  private:
    static constexpr std::size_t most_left = 128;

    Skips skips_;
    std::size_t known_;
    std::array<double, most_left + 1> surely_past_; ///< by trials left; unset from known_ on
};

/// Calls visit(i) for each i in 0 .. length − 1 that is chosen independently with the skips' probability.
template <class Visit>
void for_each_hit(Stream& stream, const Skips& skips, std::size_t length, Visit visit) {
    for (std::size_t i = skips.next(stream); i < length; i += 1 + skips.next(stream)) visit(i);
}

} // namespace knossos
