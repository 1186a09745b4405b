#include <knossos/operators/mutation_genes.hpp>

#include <fmt/format.h>

namespace knossos {

namespace {

// The 64 bits that start at `position`, where bits past the genome's end read as zero.
std::uint64_t bits_from(BitView genome, std::size_t position) {
    const auto words = genome.words();
    const std::size_t word = position / 64;
    if (word >= words.size()) return 0;
    std::uint64_t value = words[word] >> position % 64;
    if (position % 64 != 0 && word + 1 < words.size()) value |= words[word + 1] << (64 - position % 64);
    return value;
}

} // namespace

bool Rotate::turn(Bits genome, std::size_t width, Stream& stream, std::size_t genes, Scratch& scratch) {
    if (genes < 2) return false;
    const std::size_t length = genome.size();
    const std::size_t shift = (1 + stream.below64(genes - 1)) * width;
    const auto words = genome.words();
    auto* const copy = reinterpret_cast<std::uint64_t*>(scratch.genome(words.size_bytes()));
    std::ranges::copy(words, copy);
    const BitView source{copy, length};
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::size_t from = w * 64 + shift;
        // Bit i of the result is bit i + shift of the source, counted round the end.
        std::uint64_t value = from < length ? bits_from(source, from) : bits_from(source, from - length);
        if (from < length && length - from < 64) value |= bits_from(source, 0) << (length - from);
        words[w] = value;
    }
    if (length % 64 != 0) words.back() &= (std::uint64_t{1} << length % 64) - 1;
    return true;
}

void MoveOnes::check(const Space& space) const {
    const std::size_t ones = space.ones.value_or(space.length);
    const std::size_t limit = most == 0 ? ones : most;
    if (least > limit)
        throw InvalidSetting{
            "mutate", name, "least",
            fmt::format("is {}; it must be in 1..{} (the most that may move)", least, limit)};
    if (most > ones)
        throw InvalidSetting{"mutate", name, "most",
                             fmt::format("is {}; it must be in 0..{} (the number of ones)", most, ones)};
}

bool MoveOnes::operator()(Stream& stream, Bits genome, Scratch& scratch) const {
    const std::span<std::uint32_t> ones = scratch.first(genome.size());
    std::uint32_t count = 0;
    const auto words = genome.words();
    for (std::size_t w = 0; w < words.size(); ++w)
        for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
            ones[count++] =
                static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
    const auto length = static_cast<std::uint32_t>(genome.size());
    if (count == 0 || count == length) return false;
    const std::uint32_t limit = most == 0 ? count : std::min(most, count);
    const std::uint32_t fewest = std::min(least, limit);
    const std::uint32_t moves = fewest + stream.below(limit - fewest + 1);
    for (std::uint32_t i = 0; i < moves; ++i) {
        std::swap(ones[i], ones[i + stream.below(count - i)]);
        std::uint32_t square = stream.below(length);
        while (genome[square]) square = stream.below(length);
        genome.flip(square);
        genome.flip(ones[i]);
    }
    return true;
}

} // namespace knossos
