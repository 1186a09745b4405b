#pragma once

#include <knossos/algorithms/archive.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/ranking.hpp>
#include <knossos/core/record.hpp>
#include <knossos/domain/device_kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knossos::device {

/// How a device finds the cells of records of whole numbers, and who is better there: it looks up what the
/// host's own arithmetic makes of each value that a column may have. A key is the lower the better: first by
/// how much is missed, then by the objective.
class ArchiveTables {
  public:
    /// Nothing where whole numbers are not enough: centroids, guides, several objectives or none, columns
    /// that are shares, more ways to miss something than a table has room for. The host keeps such archives.
    static std::optional<ArchiveTables> of(const Schema& schema, const Cells& cells,
                                           std::span<const DeviceKernel::WholeColumn> columns);

    /// OpenCL C: CELLS, COLUMNS, keep_inside() and place(), which look things up in content().
    [[nodiscard]] const std::string& source() const { return source_; }
    [[nodiscard]] const std::vector<std::uint32_t>& content() const { return content_; }
    [[nodiscard]] std::uint64_t cells() const { return cells_; }

    /// The key of an elite; nothing if it is none that the problem's evaluation gives.
    [[nodiscard]] std::optional<std::uint32_t> key(const Cells& cells, const Population& elites,
                                                   std::size_t elite) const;
    /// Who has a lower key is better than this, wherever he lies.
    [[nodiscard]] std::uint32_t bar(const Quality& quality) const;

  private:
    ArchiveTables() = default;

    [[nodiscard]] std::optional<std::uint32_t> preference(double tie) const;

    std::string source_{};
    std::vector<std::uint32_t> content_{};
    std::uint64_t cells_ = 0;
    std::vector<double> missed_{}; ///< by how much something may be missed, each once, in order
    double first_tie_ = 0.0;       ///< the best that an objective may be, the lower the better
    std::uint32_t ties_ = 1;       ///< how many values it has
    bool is_minimised_ = true;
};

} // namespace knossos::device
