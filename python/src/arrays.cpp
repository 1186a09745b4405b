#include "arrays.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/population.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

namespace nb = nanobind;

namespace knossos::python {

namespace {

// The eight bits of each byte as a byte each.
constexpr auto spread_bits = [] {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte)
        for (unsigned bit = 0; bit < 8; ++bit) table[byte] |= std::uint64_t{byte >> bit & 1U} << 8 * bit;
    return table;
}();

void spread(const std::byte* genome, std::size_t length, std::byte* out) {
    std::size_t i = 0;
    for (; i + 8 <= length; i += 8)
        std::memcpy(out + i, &spread_bits[std::to_integer<std::size_t>(genome[i / 8])], 8);
    if (i < length)
        std::memcpy(out + i, &spread_bits[std::to_integer<std::size_t>(genome[i / 8])], length - i);
}

unsigned width_of(const Space& space, bool packed) {
    if (packed || space.kind == GenomeKind::reals) return 8;
    if (space.kind == GenomeKind::bits) return 1;
    if (space.kind == GenomeKind::packed) return space.alphabet <= 256 ? 1 : space.alphabet <= 65536 ? 2 : 4;
    return space.gene_bytes;
}

nb::dlpack::dtype type_of(const Space& space, bool packed, unsigned width) {
    if (packed) return nb::dtype<std::uint64_t>();
    if (space.kind == GenomeKind::bits) return nb::dtype<bool>();
    if (space.kind == GenomeKind::reals) return nb::dtype<double>();
    return width == 1   ? nb::dtype<std::uint8_t>()
           : width == 2 ? nb::dtype<std::uint16_t>()
                        : nb::dtype<std::uint32_t>();
}

template <class Gene>
void copy_genes(PackedView genes, std::byte* out) {
    for (std::size_t i = 0; i < genes.size(); ++i) {
        const auto gene = static_cast<Gene>(genes[i]);
        std::memcpy(out + i * sizeof gene, &gene, sizeof gene);
    }
}

template <class Owned>
nb::capsule keeper(std::shared_ptr<Owned> memory) {
    auto* const kept = new std::shared_ptr<Owned>(std::move(memory));
    return {kept, [](void* pointer) noexcept { delete static_cast<std::shared_ptr<Owned>*>(pointer); }};
}

void put_gene(const Space& space, std::byte* genome, std::size_t i, double value) {
    visit_genome(space, genome, [&]<class View>(View view) {
        if constexpr (std::same_as<View, Bits>)
            view.set(i, value != 0.0);
        else if constexpr (requires { view.set(i, std::uint32_t{}); })
            view.set(i, static_cast<std::uint32_t>(value));
        else
            view[i] = static_cast<std::remove_cvref_t<decltype(view[i])>>(value);
    });
}

bool fits(const Space& space, std::size_t i, double value) {
    if (space.kind == GenomeKind::reals) return space.bounds(i).contains(value);
    const double values = space.kind == GenomeKind::bits          ? 2.0
                          : space.kind == GenomeKind::permutation ? static_cast<double>(space.length)
                                                                  : static_cast<double>(space.alphabet);
    return value >= 0.0 && value < values && value == std::floor(value);
}

std::string allowed(const Space& space, std::size_t i) {
    if (space.kind == GenomeKind::reals)
        return fmt::format("must be within {}..{}", space.bounds(i).low, space.bounds(i).high);
    if (space.kind == GenomeKind::bits) return "must be 0 or 1";
    return fmt::format("must be a whole number in 0..{}",
                       (space.kind == GenomeKind::permutation ? space.length : space.alphabet) - 1);
}

} // namespace

nb::object new_doubles(std::vector<std::size_t> shape, const std::function<void(double*)>& fill) {
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    auto memory = std::make_shared<std::vector<double>>(size);
    fill(memory->data());
    double* const data = memory->data();
    return nb::cast(
        nb::ndarray<nb::numpy, double>(data, shape.size(), shape.data(), keeper(std::move(memory))));
}

GenomeArray::GenomeArray(const Space& space, std::size_t count, bool packed)
    : space_{space}, packed_{packed}, room_{count}, width_{width_of(space, packed)},
      columns_{packed ? space.genome_bytes() / 8 : space.length}, row_bytes_{columns_ * width_},
      memory_{std::make_shared<std::vector<std::uint64_t>>((count * row_bytes_ + 7) / 8)} {}

void GenomeArray::put(std::size_t index, const std::byte* genome) {
    std::byte* const out = row(index);
    if (packed_ || space_.kind > GenomeKind::packed) {
        std::memcpy(out, genome, row_bytes_);
    } else if (space_.kind == GenomeKind::bits) {
        spread(genome, space_.length, out);
    } else {
        const auto genes = view_as<PackedView>(space_, genome);
        if (width_ == 1)
            copy_genes<std::uint8_t>(genes, out);
        else if (width_ == 2)
            copy_genes<std::uint16_t>(genes, out);
        else
            copy_genes<std::uint32_t>(genes, out);
    }
}

nb::object GenomeArray::array(std::size_t rows) const {
    const std::array<std::size_t, 2> shape{rows, columns_};
    return nb::cast(nb::ndarray<nb::numpy>(memory_->data(), shape.size(), shape.data(), keeper(memory_),
                                           nullptr, type_of(space_, packed_, width_)));
}

double array_bytes(const Space& space, std::size_t count) {
    return static_cast<double>(count) * static_cast<double>(space.length) * width_of(space, false);
}

nb::object genome_array(const Space& space, std::size_t count,
                        const std::function<const std::byte*(std::size_t)>& genome) {
    GenomeArray genomes{space, count};
    for (std::size_t i = 0; i < count; ++i) genomes.put(i, genome(i));
    return genomes.array(count);
}

nb::object genome_array(const Genome& genome) {
    return genome_array(genome.space, 1, [&](std::size_t) { return genome.bytes.data(); })[nb::int_(0)];
}

std::vector<Genome> genomes_from(const Space& space, const Numbers& genes, std::string_view what) {
    if (genes.ndim() != 2 || genes.shape(1) != space.length)
        throw InvalidInput{fmt::format("{} must be an array of [count, {}], as genomes are {}", what,
                                       space.length, describe(space))};
    std::vector<Genome> all;
    for (std::size_t row = 0; row < genes.shape(0); ++row) {
        Genome genome{space, std::vector<std::byte>(space.genome_bytes())};
        for (std::size_t i = 0; i < space.length; ++i) {
            const double value = genes.data()[row * space.length + i];
            if (!fits(space, i, value))
                throw InvalidInput{
                    fmt::format("{}[{}, {}] is {}; it {}", what, row, i, value, allowed(space, i))};
            put_gene(space, genome.bytes.data(), i, value);
        }
        if (!is_valid(space, genome.bytes.data()))
            throw InvalidInput{fmt::format("{}[{}] is none of the {}", what, row, describe(space))};
        all.push_back(std::move(genome));
    }
    return all;
}

} // namespace knossos::python
