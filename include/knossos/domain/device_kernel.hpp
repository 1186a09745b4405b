#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace knossos {

/// How a device evaluates the genomes of a problem, in OpenCL C 1.2 and whole numbers only. The source
/// defines
///     int evaluate(const GENE* genome, __constant const uint* table)
/// which gives the fitness of a genome of GENES genes: bits in words of 32, the first lowest (GENE is uint),
/// or a permutation (GENE is uchar). If it repairs, it also defines
///     void repair(GENE* genome, __constant const uint* table)
/// Both must give what the problem's own functions give. A source that defines SCRATCH, up to 4 · GENES, has
/// that many bytes in the memory that work items share, as the third argument of evaluate(),
/// `__local uchar* scratch`: the i-th is AT(scratch, i).
///
/// Where an evaluation gives more than one whole number, the source defines
///     void measure(const GENE* genome, __constant const uint* table, short* out)
/// instead, which writes so many `numbers`, and `records` makes records of them on the host: of each of these
/// rows of numbers one, column after column, as the problem itself would evaluate the genomes. Where all
/// columns are whole numbers, `columns` says between which, and the source also defines
///     void record(const short* numbers, int* columns)
/// which writes what `records` would: then a device brings children to the cells of an archive itself.
///
/// Of the moves that the problem proposes, `moves` names those that have a kernel; the source defines
///     bool propose(Stream* s, GENE* genome, uint move, __constant const uint* table)
/// where `move` counts them. It draws by next32(s) and below(s, bound) what Problem::propose() draws, in that
/// order.
struct DeviceKernel {
    struct WholeColumn {
        std::int32_t lowest = 0;
        std::int32_t highest = 0;
    };

    std::string source{};
    std::vector<std::uint32_t> table{}; ///< what it looks up
    bool repairs = false;
    std::size_t numbers = 0; ///< 0: it has evaluate()
    std::function<void(std::span<const std::int16_t> numbers, std::span<const std::uint32_t> rows,
                       std::span<double> out)>
        records{};
    std::vector<WholeColumn> columns{};
    std::vector<std::string> moves{};
};

} // namespace knossos
