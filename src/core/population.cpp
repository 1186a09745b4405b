#include <knossos/core/error.hpp>
#include <knossos/core/population.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>

namespace knossos {

namespace {

constexpr std::size_t block_alignment = 64;

std::byte* allocate(std::size_t stride, std::size_t size) {
    if (stride != 0 && size > std::numeric_limits<std::size_t>::max() / 2 / stride)
        throw InvalidInput{
            fmt::format("population of {} genomes of {} bytes does not fit in memory", size, stride)};
    // Large blocks come from the system as pages of zeros that nobody has touched: whoever fills them first
    // pays for them, which may be several threads. How much is left free before the block stands in the last
    // byte of it.
    auto* const taken = static_cast<std::byte*>(std::calloc(size * stride + block_alignment, 1));
    if (taken == nullptr) throw std::bad_alloc{};
    const std::size_t before = block_alignment - reinterpret_cast<std::uintptr_t>(taken) % block_alignment;
    taken[before - 1] = static_cast<std::byte>(before);
    return taken + before;
}

void randomise_bits(Stream& stream, Bits bits) {
    for (auto& word : bits.words()) word = stream.next64();
    if (bits.size() % 64 != 0) bits.words().back() &= (std::uint64_t{1} << bits.size() % 64) - 1;
}

// Floyd's sampling: exactly `ones` distinct positions with one draw each.
void randomise_ones(Stream& stream, Bits bits, std::size_t ones) {
    std::ranges::fill(bits.words(), std::uint64_t{0});
    for (std::size_t last = bits.size() - ones; last < bits.size(); ++last) {
        const std::size_t position = stream.below64(last + 1);
        bits.set(bits[position] ? last : position, true);
    }
}

// What lies behind the last gene takes part in comparisons and digests, so it is always zero.
bool is_padding_clear(const Space& space, const std::byte* genome) {
    const std::size_t bits = space.length * space.bits_per_gene();
    if (bits % 8 != 0 && std::to_integer<unsigned>(genome[bits / 8]) >> bits % 8 != 0) return false;
    return std::all_of(genome + (bits + 7) / 8, genome + space.genome_bytes(),
                       [](std::byte byte) { return byte == std::byte{0}; });
}

} // namespace

void Population::Release::operator()(std::byte* block) const {
    std::free(block - std::to_integer<std::size_t>(block[-1])); // see allocate()
}

Population::Population(const Space& space, std::size_t size, std::size_t columns)
    : space_{space}, stride_{space.genome_bytes()}, size_{size}, room_{size}, columns_{columns},
      block_{allocate(stride_, size)}, values_((first_column() + columns) * size) {}

Population::Population(const Population& other) : Population{other.space_, other.size_, other.columns_} {
    copy_all(other);
}

Population& Population::operator=(const Population& other) {
    if (this == &other) return *this;
    if (space_ != other.space_ || columns_ != other.columns_ || room_ < other.size_ ||
        room_ > other.size_ + other.size_ / 4)
        return *this = Population{other};
    size_ = other.size_;
    copy_all(other);
    return *this;
}

void Population::copy_all(const Population& other) {
    if (size_ == 0) return;
    std::memcpy(block_.get(), other.block_.get(), other.bytes().size());
    if (room_ == other.room_) {
        std::ranges::copy(other.values_, values_.begin());
        return;
    }
    for (std::size_t index = 0; index < first_column() + columns_; ++index)
        std::ranges::copy(other.row(index), row(index).begin());
}

void Population::resize(std::size_t size) {
    if (size > room_) {
        constexpr std::size_t spare = 16; // one in so many
        Population larger{space_, size + size / spare, columns_};
        larger.size_ = size_;
        larger.copy_all(*this);
        *this = std::move(larger);
    }
    const std::size_t had = std::exchange(size_, size);
    if (size <= had) return;
    std::memset(genome(had), 0, (size - had) * stride_);
    for (std::size_t index = 0; index < first_column() + columns_; ++index)
        std::ranges::fill(row(index).subspan(had), 0.0);
}

void Population::copy_record(const Population& from, std::size_t source, std::size_t target) {
    for (std::size_t row = 1; row < first_column() + columns_; ++row)
        values_[row * room_ + target] = from.values_[row * from.room_ + source];
}

void randomise(Stream& stream, const Space& space, std::byte* genome) {
    visit_genome(space, genome, [&]<class View>(View view) {
        if constexpr (std::same_as<View, Bits>) {
            if (space.ones)
                randomise_ones(stream, view, *space.ones);
            else
                randomise_bits(stream, view);
        } else if constexpr (requires { view.alphabet(); }) {
            for (std::size_t i = 0; i < view.size(); ++i) view.set(i, stream.below(view.alphabet()));
        } else if constexpr (std::same_as<View, Reals>) {
            for (std::size_t i = 0; i < view.size(); ++i) view[i] = uniform(stream, view.bounds(i));
        } else {
            std::iota(view.begin(), view.end(), 0);
            stream.shuffle(std::span{view.begin(), view.size()});
        }
    });
}

bool is_valid(const Space& space, const std::byte* genome) {
    return is_padding_clear(space, genome) && visit_genome(space, genome, [&]<class View>(View view) {
               if constexpr (std::same_as<View, BitView>) {
                   return !space.ones || view.count() == *space.ones;
               } else if constexpr (requires { view.alphabet(); }) {
                   for (std::size_t i = 0; i < view.size(); ++i)
                       if (view[i] >= space.alphabet) return false;
                   return true;
               } else if constexpr (std::same_as<View, RealView>) {
                   for (std::size_t i = 0; i < view.size(); ++i)
                       if (!view.bounds(i).contains(view[i])) return false;
                   return true;
               } else {
                   std::vector<bool> seen(view.size());
                   for (const auto gene : view) {
                       if (gene >= view.size() || seen[gene]) return false;
                       seen[gene] = true;
                   }
                   return true;
               }
           });
}

namespace {

// Of reals, sixteen equal parts of a gene's bounds count as its values.
constexpr std::uint32_t parts_of_bounds = 16;

template <class View>
std::size_t value_at(const View& view, std::size_t position) {
    if constexpr (std::same_as<View, RealView>) {
        const Bounds& bounds = view.bounds(position);
        const double part = (view[position] - bounds.low) / bounds.width() * parts_of_bounds;
        // 0 / 0 of a fixed gene goes to the last part, too.
        return part < parts_of_bounds ? static_cast<std::size_t>(part) : parts_of_bounds - 1;
    } else {
        return static_cast<std::size_t>(view[position]);
    }
}

} // namespace

double position_entropy(const Population& population) {
    const Space& space = population.space();
    const std::size_t size = population.size();
    if (size < 2) return 0.0;
    const std::uint32_t alphabet = space.kind == GenomeKind::reals ? parts_of_bounds : space.alphabet;
    const std::size_t values = std::min<std::size_t>(alphabet, size);
    if (values < 2) return 0.0;
    std::vector<std::uint32_t> counts(alphabet);
    double total = 0.0;
    for (std::size_t position = 0; position < space.length; ++position) {
        std::ranges::fill(counts, 0U);
        for (std::size_t i = 0; i < size; ++i)
            visit_genome(space, population.genome(i), [&](auto view) { ++counts[value_at(view, position)]; });
        for (const auto count : counts) {
            if (count == 0) continue;
            const double share = static_cast<double>(count) / static_cast<double>(size);
            total -= share * portable_log(share);
        }
    }
    return total / static_cast<double>(space.length) / portable_log(static_cast<double>(values));
}

} // namespace knossos
