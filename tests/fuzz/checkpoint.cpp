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

Settings settings_of(bool duel) {
    if (duel)
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

const Problem& problem_of(bool duel) {
    static const Problem one_max{OneMax{.length = 20}};
    static const Problem queens =
        queens::make_problem(6, queens::Encoding::permutation, queens::Counting::conflicts);
    return duel ? queens : one_max;
}

// What was taken up goes on: a generation of its own, and those of the run that are left.
void go_on(Run& run) {
    run.step();
    run.finish();
    (void)run.result();
}

void read(unsigned kind, std::span<const std::byte> content) {
    if (kind == 0) {
        const auto snapshot = unpack_checkpoint(content, 1);
        fuzz::require(unpack_checkpoint(pack_checkpoint(snapshot, 1), 1) == snapshot,
                      "a checkpoint is the same when written and read again");
        (void)generation_of(snapshot);
    } else if (kind == 1) {
        const SnapshotParts parts = unpack_parts(content);
        fuzz::require(std::ranges::equal(pack_parts(parts), content), "so are the parts of a snapshot");
        Run run{problem_of(false), settings_of(false), parts};
        go_on(run);
    } else {
        const bool duel = kind == 3;
        Run run{problem_of(duel), settings_of(duel), content};
        fuzz::require(std::ranges::equal(run.snapshot(), content), "so is a snapshot");
        go_on(run);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const unsigned kind = data[0] >> 1U & 3U;
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
