#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/run/run.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <functional>
#include <memory>
#include <vector>

/// Arrays of numpy from and to what the library has.
namespace knossos::python {

using Numbers = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;

/// An array of doubles that owns its memory. `fill` writes it before Python sees it.
nanobind::object new_doubles(std::vector<std::size_t> shape, const std::function<void(double*)>& fill);

/// Memory for genomes of a space as an array has them: a byte a bit, unsigned integers as wide as they need
/// to be, or doubles.
class GenomeArray {
  public:
    GenomeArray(const Space& space, std::size_t count, bool packed = false);

    /// Writes a genome as a row.
    void put(std::size_t row, const std::byte* genome);
    /// The first rows as an array of numpy, which keeps the memory.
    [[nodiscard]] nanobind::object array(std::size_t rows) const;
    /// Whether nobody else, such as an array, keeps the memory.
    [[nodiscard]] bool is_free() const { return memory_.use_count() == 1; }
    [[nodiscard]] std::size_t room() const { return room_; }

  private:
    [[nodiscard]] std::byte* row(std::size_t index) const {
        return reinterpret_cast<std::byte*>(memory_->data()) + index * row_bytes_;
    }

    Space space_;
    bool packed_;
    std::size_t room_;
    unsigned width_; ///< bytes of a gene, or of a packed word
    std::size_t columns_;
    std::size_t row_bytes_;
    std::shared_ptr<std::vector<std::uint64_t>> memory_;
};

/// How many bytes an array of so many genomes has.
double array_bytes(const Space& space, std::size_t count);

/// An array [count, length] of the genomes.
nanobind::object genome_array(const Space& space, std::size_t count,
                              const std::function<const std::byte*(std::size_t)>& genome);
nanobind::object genome_array(const Genome& genome); ///< [length]

/// Genomes of a space from an array [count, length] of their genes. Throws InvalidInput that names the gene
/// that does not fit; `what` is what messages call the array.
std::vector<Genome> genomes_from(const Space& space, const Numbers& genes, std::string_view what);

} // namespace knossos::python
