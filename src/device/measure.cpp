#include "device/kernels.hpp"
#include "device/opencl.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace knossos::device {

namespace {

constexpr std::array<std::string_view, 3> measured_kernels{"numbers", "sum_numbers", "copy"};
constexpr std::uint32_t bound = 1'000'003;
constexpr std::uint64_t most_items = std::uint64_t{1} << 18U;
constexpr std::uint64_t quad_bytes = 16;
constexpr std::uint64_t most_quads = std::uint64_t{1} << 22U; // 64 MiB

void check_numbers(const Queue& queue, Kernel& kernel) {
    constexpr std::uint32_t streams = 128;
    constexpr std::uint64_t generation = 0x1'0000'0007;
    const PhiloxKey key = Streams{7}.key(Purpose::study);
    const Buffer out = queue.make_buffer(std::size_t{streams} * 8 * sizeof(std::uint32_t));
    queue.run(kernel.with(StreamKey{key[0], key[1]}, static_cast<std::uint32_t>(generation),
                          static_cast<std::uint32_t>(generation >> 32U), streams, bound, out),
              streams);
    std::vector<std::uint32_t> found(std::size_t{streams} * 8);
    queue.read_into(out, std::span{found});
    for (std::uint32_t slot = 0; slot < streams; ++slot) {
        ::knossos::Stream stream{key, generation, slot};
        std::array<std::uint32_t, 8> expected{};
        for (std::size_t k = 0; k < 6; ++k) expected[k] = stream.next32();
        expected[6] = stream.below(bound);
        expected[7] = stream.below(0xC0000001U);
        if (!std::ranges::equal(expected, std::span{found}.subspan(std::size_t{slot} * 8, 8)))
            throw InvalidInput{
                fmt::format("device '{}' draws other random numbers than the processor, so its "
                            "driver ({}) compiles a kernel wrongly",
                            queue.device().name, queue.device().version)};
    }
}

// How often some work is done in a second, in about so many seconds.
template <class Work>
double rate(const Queue& queue, double seconds, Work work) {
    using Clock = std::chrono::steady_clock;
    work(); // the first time, a kernel may still have to be compiled
    queue.finish();
    const auto began = Clock::now();
    double taken = 0.0;
    double times = 0.0;
    do {
        work();
        queue.finish();
        ++times;
        taken = std::chrono::duration<double>(Clock::now() - began).count();
    } while (taken < seconds);
    return times / taken;
}

} // namespace

Speed measure(const Device& device, double seconds) {
    if (!device.unfit.empty())
        throw InvalidInput{fmt::format("device '{}' can't be used: {}", device.name, device.unfit)};
    const Queue queue{device};
    std::vector<Kernel> kernels = queue.build(std::string{random_source()}, measured_kernels);
    check_numbers(queue, kernels[0]);
    // A small device gets less to do: a quarter of its memory at the most.
    const std::uint64_t most_bytes = std::min(device.largest_block, device.memory / 8);
    constexpr std::uint32_t blocks = 16;
    const auto items = static_cast<std::uint32_t>(std::min(most_bytes / sizeof(std::uint32_t), most_items));
    const Buffer sums = queue.make_buffer(items * sizeof(std::uint32_t));
    Speed speed;
    speed.random_numbers = 4.0 * items * blocks * rate(queue, seconds / 2.0, [&] {
                               queue.run(kernels[1].with(StreamKey{1, 2}, items, blocks, sums), items);
                           });
    const auto quads = static_cast<std::uint32_t>(std::min(most_bytes / quad_bytes, most_quads));
    const Buffer from = queue.make_buffer(quads * quad_bytes);
    const Buffer to = queue.make_buffer(quads * quad_bytes);
    speed.bytes = 32.0 * quads *
                  rate(queue, seconds / 2.0, [&] { queue.run(kernels[2].with(from, to, quads), quads); });
    return speed;
}

} // namespace knossos::device
