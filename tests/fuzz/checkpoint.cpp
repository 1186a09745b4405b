// Damaged and forged checkpoints are refused; nothing in them is trusted. What is taken up is the same when
// written again, and can go on. The first byte chooses what is read, and whether the checksum is made to fit,
// so that the fuzzer gets past it.
#include "support.hpp"

#include <knossos/classic/one_max.hpp>
#include <knossos/core/error.hpp>
#include <knossos/queens/problems.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/run/epochs.hpp>
#include <knossos/run/run.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

using namespace knossos;

namespace {

enum Kind : unsigned { packed, parts, islands, duel, conditions, trade_offs };

Settings settings_of(unsigned kind) {
    if (kind == conditions || kind == trade_offs)
        return {.population = 3, .stop = generations(3), .hall_of_fame = 2, .history = 2};
    if (kind == duel)
        return {.algorithm = Duel{.rounds = 2},
                .population = 2,
                .mutate = SwapMutation{},
                .stop = generations(3)};
    return {.population = 4,
            .islands = {.count = 2, .migrants = 1},
            .restart = {.stagnation = 2},
            .stop = generations(3) || seconds(1000.0),
            .hall_of_fame = 2,
            .history = 2};
}

// Records: something to optimise and something that must hold, or two things to optimise.
template <unsigned kind>
struct Halves {
    static constexpr auto record = [] {
        if constexpr (kind == conditions)
            return knossos::record(maximise("front"), must_hold("back"), descriptor("share", 0.0, 1.0));
        else
            return knossos::record(maximise("front"), minimise("back"));
    }();
    [[nodiscard]] static Space space() { return Space::bits(12); }
    static void evaluate(BitView bits, Record out) {
        double front = 0.0;
        for (std::size_t i = 0; i < 6; ++i) front += bits[i] ? 1.0 : 0.0;
        out[0] = front;
        out[1] = static_cast<double>(bits.count()) - front;
        if constexpr (kind == conditions) out[2] = front / 6.0;
    }
};

const Problem& problem_of(unsigned kind) {
    static const Problem one_max{OneMax{.length = 20}};
    static const Problem with_conditions{Halves<conditions>{}};
    static const Problem with_trade_offs{Halves<trade_offs>{}};
    if (kind == conditions) return with_conditions;
    if (kind == trade_offs) return with_trade_offs;
    static const Problem queens =
        queens::make_problem(6, queens::Encoding::permutation, queens::Counting::conflicts);
    return kind == duel ? queens : one_max;
}

// What was taken up goes on: a generation of its own, and those of the run that are left.
void go_on(Run& run) {
    run.step();
    run.finish();
    (void)run.result();
}

void read(unsigned kind, std::span<const std::byte> content) {
    if (kind == packed) {
        const auto snapshot = unpack_checkpoint(content, 1);
        fuzz::require(unpack_checkpoint(pack_checkpoint(snapshot, 1), 1) == snapshot,
                      "a checkpoint is the same when written and read again");
        (void)generation_of(snapshot);
    } else if (kind == parts) {
        const SnapshotParts in_parts = unpack_parts(content);
        fuzz::require(std::ranges::equal(pack_parts(in_parts), content), "so are the parts of a snapshot");
        Run run{problem_of(kind), settings_of(kind), in_parts};
        go_on(run);
    } else {
        Run run{problem_of(kind), settings_of(kind), content};
        fuzz::require(std::ranges::equal(run.snapshot(), content), "so is a snapshot");
        go_on(run);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const unsigned kind = data[0] >> 1U & 7U;
    if (kind > trade_offs) return 0;
    const auto bytes = std::as_bytes(std::span{data + 1, size - 1});
    std::vector<std::byte> content{bytes.begin(), bytes.end()};
    if ((data[0] & 1U) != 0 && content.size() >= 8) {
        const std::uint64_t checksum = stable_hash(std::span{content}.first(content.size() - 8));
        std::memcpy(content.data() + content.size() - 8, &checksum, 8);
    }
    try {
        read(kind, content);
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
