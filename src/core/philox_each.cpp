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

#else

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<std::uint32_t>;
constexpr Tag tag;
using WideTag = hn::RepartitionToWide<Tag>;
using Words = hn::Vec<Tag>;

// A block takes two registers: words 0 and 2 in the even lanes of `even`, words 1 and 3 in those of `odd`.
// Several independent chains hide the latency of the products.
template <std::size_t chains>
HWY_INLINE void encrypt(PhiloxKey key, std::uint32_t* HWY_RESTRICT words) {
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
    for (std::size_t i = 0; i < chains; ++i) {
        const auto upper = hn::ShiftLeft<32>(hn::BitCast(WideTag{}, odd[i]));
        hn::StoreU(hn::OddEven(hn::BitCast(tag, upper), even[i]), tag, words + i * lanes);
    }
}

void each(PhiloxKey key, PhiloxBlock* blocks, std::size_t count) {
    constexpr std::size_t chains = 4;
    const std::size_t blocks_a_register = hn::Lanes(tag) / 4;
    std::size_t done = 0;
    for (; done + chains * blocks_a_register <= count; done += chains * blocks_a_register)
        encrypt<chains>(key, blocks[done].data());
    for (; done + blocks_a_register <= count; done += blocks_a_register) encrypt<1>(key, blocks[done].data());
    for (; done < count; ++done) blocks[done] = philox4x32(blocks[done], key);
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

} // namespace knossos

#endif
