#pragma once

#include <knossos/domain/device_kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::device {

/// The random numbers of core/random.hpp in OpenCL C, and kernels that give some of them: `numbers` (for a
/// check), `sum_numbers` and `copy` (for a measurement).
std::string_view random_source();

/// The key of a random stream, as kernels take it.
struct StreamKey {
    std::uint32_t first;
    std::uint32_t second;
};

/// How a generation's children come about on a device: which of the operators there are in its source, and
/// what it is told of them.
struct Variation {
    std::string recombine{}; ///< an operator's name, as recipes have it
    std::string mutate{};    ///< likewise
    double recombine_probability = 1.0;
    double mutate_probability = 1.0;
    std::uint32_t tournament = 0; ///< contestants; 1 for anybody; 0 if the host selects
    bool is_minimised = false;
    bool is_permutation = false;
    bool crosses_half = false;     ///< every bit changes places with probability 0.5, drawn as words
    bool crosses_anywhere = false; ///< the cut may fall before the first gene
    bool crosses_always = false;   ///< what the skips of the crossover would be 0 for
    bool mutates_always = false;
    std::vector<std::uint32_t> moves{}; ///< those of the evaluation's moves that problem-move makes
    bool chooses_kinds = false;         ///< whether each child is told which of them it gets
    std::uint32_t group = 64;           ///< work items that share memory; see group_of()
    std::size_t genes = 0;
    std::size_t genome_bytes = 0;
};

/// No kernel's fitness is more than that.
constexpr std::size_t largest_fitness(const Variation& its) {
    return its.is_permutation ? its.genes * its.genes : its.genes;
}

/// How many work items fit together into the memory that a group shares.
std::uint32_t group_of(const Variation& variation, std::uint64_t shared_memory);

/// What kernels are written in terms of: the operators, cross() and mutate(), and the evaluation.
std::string operators_source(const Variation& variation, const DeviceKernel& evaluation);

/// The kernel `gather`, which puts some rows of genomes side by side.
std::string_view gather_source();

/// The kernels `summarise`, `find_better` and `sample`, which tell the host what it has to know of islands.
std::string_view summary_source();
/// Groups of `summarise` that an island may have, their members, and how many numbers each of them says.
constexpr std::size_t most_summary_groups = 256;
constexpr std::size_t summary_group = 64;
constexpr std::size_t summary_numbers = 7;

/// Its kernels are `vary`, `evaluate_all` (or `measure_all`, where there are numbers), `gather`, `move_rows`,
/// and those of the summary.
std::string generation_source(const Variation& variation, const DeviceKernel& evaluation);

/// What a gallery needs beside these: `spread_parents` and `draw_kinds`.
std::string_view lots_source();
/// Where a device brings children to the cells of an archive: `clear_cells`, `seat_elites`, `compare`,
/// `choose` and `collect`, behind the source of ArchiveTables.
std::string_view archive_source();

/// Draws of a real number are k · 2⁻⁵³, with k below this.
constexpr std::uint64_t end_of_draws = std::uint64_t{1} << 53U;

/// For each skip below `length`: the least 2⁵³ − k such that a draw of k · 2⁻⁵³ skips no more than so many
/// genes; one more than 2⁵³ if none does. Devices find skips by this table, which whole numbers are enough
/// for. Throws InvalidInput if the logarithm behind the skips were not monotone there.
std::vector<std::uint64_t> skip_table(double probability, std::size_t length);

} // namespace knossos::device
