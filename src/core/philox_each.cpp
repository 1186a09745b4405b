// Philox4x32-10 on many counters at once: see philox4x32() for the plain version that this must agree with.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/philox_each.cpp"
#include "core/highway_targets.hpp"
#define HWY_DISABLED_TARGETS KNOSSOS_SCALABLE_TARGETS
#include <hwy/foreach_target.h>
// The dispatch header comes after foreach_target.h.
#include <hwy/highway.h>

#include <knossos/core/random.hpp>

HWY_BEFORE_NAMESPACE();
namespace knossos::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void each(PhiloxKey key, PhiloxBlock* blocks, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) blocks[i] = philox4x32(blocks[i], key);
}

bool each_below(PhiloxKey key, std::uint32_t bound, PhiloxBlock* blocks, std::size_t count) {
    bool is_sure = true;
    for (std::size_t b = 0; b < count; ++b) {
        const PhiloxBlock words = philox4x32(blocks[b], key);
        for (std::size_t i = 0; i < 4; ++i) {
            const std::uint64_t product = std::uint64_t{words[3 - i]} * bound;
            is_sure &= static_cast<std::uint32_t>(product) >= bound;
            blocks[b][i] = static_cast<std::uint32_t>(product >> 32U);
        }
    }
    return is_sure;
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<std::uint32_t>;
constexpr Tag tag;
using WideTag = hn::RepartitionToWide<Tag>;
using Words = hn::Vec<Tag>;

#if HWY_TARGET == HWY_WASM

// WebAssembly has no product of the even lanes, but one of a half, in which word 0 of four blocks, say, is
// together.
constexpr std::size_t blocks_a_chain = 4;

struct Products {
    Words low;
    Words high;
};

HWY_INLINE Products products_of(Words left, Words right) {
    const Words lower{wasm_u64x2_extmul_low_u32x4(left.raw, right.raw)};
    const Words upper{wasm_u64x2_extmul_high_u32x4(left.raw, right.raw)};
    return {hn::ConcatEven(tag, upper, lower), hn::ConcatOdd(tag, upper, lower)};
}

// Rows become columns.
HWY_INLINE void transpose(Words (&words)[4]) {
    const Words first = hn::InterleaveLower(tag, words[0], words[2]);
    const Words second = hn::InterleaveLower(tag, words[1], words[3]);
    const Words third = hn::InterleaveUpper(tag, words[0], words[2]);
    const Words fourth = hn::InterleaveUpper(tag, words[1], words[3]);
    words[0] = hn::InterleaveLower(tag, first, second);
    words[1] = hn::InterleaveUpper(tag, first, second);
    words[2] = hn::InterleaveLower(tag, third, fourth);
    words[3] = hn::InterleaveUpper(tag, third, fourth);
}

// The words themselves.
struct AsTheyAre {
    HWY_INLINE void operator()(Words (& /*words*/)[4]) const {}
};

// Numbers below a bound, in the order in which a stream draws them: from the last word to the first. Notes
// the lowest of the lower halves of the products, which say whether one would have been rejected.
struct AsNumbers {
    Words bound;
    Words lowest;

    HWY_INLINE void operator()(Words (&words)[4]) {
        Words numbers[4];
        for (std::size_t i = 0; i < 4; ++i) {
            const Products product = products_of(words[i], bound);
            lowest = hn::Min(lowest, product.low);
            numbers[3 - i] = product.high;
        }
        for (std::size_t i = 0; i < 4; ++i) words[i] = numbers[i];
    }
};

template <std::size_t chains, class Finish>
HWY_INLINE void encrypt(PhiloxKey key, std::uint32_t* HWY_RESTRICT blocks, Finish& finish) {
    const Words left_factor = hn::Set(tag, 0xD2511F53);
    const Words right_factor = hn::Set(tag, 0xCD9E8D57);
    const Words left_step = hn::Set(tag, 0x9E3779B9);
    const Words right_step = hn::Set(tag, 0xBB67AE85);
    Words left_key = hn::Set(tag, key[0]);
    Words right_key = hn::Set(tag, key[1]);
    Words words[chains][4];
    for (std::size_t i = 0; i < chains; ++i) {
        for (std::size_t j = 0; j < 4; ++j) words[i][j] = hn::LoadU(tag, blocks + 4 * (4 * i + j));
        transpose(words[i]);
    }
    // Were this unrolled, the compiler would put one chain behind the other, each waiting for its products.
#pragma clang loop unroll(disable)
    for (int round = 0; round < 10; ++round) {
        for (std::size_t i = 0; i < chains; ++i) {
            const Products left = products_of(words[i][0], left_factor);
            const Products right = products_of(words[i][2], right_factor);
            words[i][0] = hn::Xor(hn::Xor(right.high, words[i][1]), left_key);
            words[i][1] = right.low;
            words[i][2] = hn::Xor(hn::Xor(left.high, words[i][3]), right_key);
            words[i][3] = left.low;
        }
        left_key = hn::Add(left_key, left_step);
        right_key = hn::Add(right_key, right_step);
    }
    for (std::size_t i = 0; i < chains; ++i) {
        finish(words[i]);
        transpose(words[i]);
        for (std::size_t j = 0; j < 4; ++j) hn::StoreU(words[i][j], tag, blocks + 4 * (4 * i + j));
    }
}

#else

constexpr std::size_t blocks_a_chain = hn::MaxLanes(tag) / 4;

// The words themselves.
struct AsTheyAre {
    HWY_INLINE Words operator()(Words even, Words odd) const {
        const auto upper = hn::ShiftLeft<32>(hn::BitCast(WideTag{}, odd));
        return hn::OddEven(hn::BitCast(tag, upper), even);
    }
};

// Numbers below a bound, in the order in which a stream draws them: from the last word to the first. Notes
// the lowest of the lower halves of the products, which say whether one would have been rejected.
struct AsNumbers {
    Words bound;
    Words lowest;

    HWY_INLINE Words operator()(Words even, Words odd) {
        const auto evens = hn::MulEven(even, bound);
        const auto odds = hn::MulEven(odd, bound);
        const auto low = hn::OddEven(hn::BitCast(tag, hn::ShiftLeft<32>(odds)), hn::BitCast(tag, evens));
        lowest = hn::Min(lowest, low);
        return hn::Shuffle0123(
            hn::OddEven(hn::BitCast(tag, odds), hn::BitCast(tag, hn::ShiftRight<32>(evens))));
    }
};

// A block takes two registers: words 0 and 2 in the even lanes of `even`, words 1 and 3 in those of `odd`.
// Several independent chains hide the latency of the products.
template <std::size_t chains, class Finish>
HWY_INLINE void encrypt(PhiloxKey key, std::uint32_t* HWY_RESTRICT words, Finish& finish) {
    const std::size_t lanes = hn::Lanes(tag);
    const auto low = [](std::uint32_t first, std::uint32_t second) {
        return hn::BitCast(tag, hn::OddEven(hn::Set(WideTag{}, second), hn::Set(WideTag{}, first)));
    };
    const Words factors = low(0xD2511F53, 0xCD9E8D57);
    const Words step = low(0x9E3779B9, 0xBB67AE85);
    Words keys = low(key[0], key[1]);
    Words even[chains];
    Words odd[chains];
    for (std::size_t i = 0; i < chains; ++i) {
        even[i] = hn::LoadU(tag, words + i * lanes);
        odd[i] = hn::BitCast(tag, hn::ShiftRight<32>(hn::BitCast(WideTag{}, even[i])));
    }
    for (int round = 0; round < 10; ++round) {
        for (std::size_t i = 0; i < chains; ++i) {
            // (low 0, high 0, low 2, high 2) becomes (high 2, low 2, high 0, low 0).
            const Words product = hn::Shuffle0123(hn::BitCast(tag, hn::MulEven(even[i], factors)));
            even[i] = hn::Xor(hn::Xor(product, odd[i]), keys);
            odd[i] = hn::BitCast(tag, hn::ShiftRight<32>(hn::BitCast(WideTag{}, product)));
        }
        keys = hn::Add(keys, step);
    }
    for (std::size_t i = 0; i < chains; ++i) hn::StoreU(finish(even[i], odd[i]), tag, words + i * lanes);
}

#endif

template <class Finish>
HWY_INLINE void encrypt_all(PhiloxKey key, PhiloxBlock* blocks, std::size_t count, Finish& finish) {
    constexpr std::size_t chains = 4;
    std::size_t done = 0;
    for (; done + chains * blocks_a_chain <= count; done += chains * blocks_a_chain)
        encrypt<chains>(key, blocks[done].data(), finish);
    for (; done + blocks_a_chain <= count; done += blocks_a_chain)
        encrypt<1>(key, blocks[done].data(), finish);
    if (done == count) return;
    // The last chain is filled up with whatever comes first, which is computed twice.
    PhiloxBlock rest[blocks_a_chain];
    for (std::size_t i = 0; i < blocks_a_chain; ++i) rest[i] = blocks[done + i < count ? done + i : done];
    encrypt<1>(key, rest[0].data(), finish);
    for (std::size_t i = 0; done + i < count; ++i) blocks[done + i] = rest[i];
}

void each(PhiloxKey key, PhiloxBlock* blocks, std::size_t count) {
    AsTheyAre finish;
    encrypt_all(key, blocks, count, finish);
}

bool each_below(PhiloxKey key, std::uint32_t bound, PhiloxBlock* blocks, std::size_t count) {
    AsNumbers finish{hn::Set(tag, bound), hn::Set(tag, ~0U)};
    encrypt_all(key, blocks, count, finish);
    return hn::AllTrue(tag, hn::Eq(hn::Min(finish.lowest, finish.bound), finish.bound));
}

#endif

} // namespace knossos::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace knossos {

HWY_EXPORT(each);

void philox4x32_each(PhiloxKey key, std::span<PhiloxBlock> blocks) {
    HWY_DYNAMIC_DISPATCH(each)(key, blocks.data(), blocks.size());
}

HWY_EXPORT(each_below);

bool philox4x32_below(PhiloxKey key, std::uint32_t bound, std::span<PhiloxBlock> blocks) {
    return HWY_DYNAMIC_DISPATCH(each_below)(key, bound, blocks.data(), blocks.size());
}

} // namespace knossos

#endif
