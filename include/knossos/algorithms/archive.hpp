#pragma once

#include <knossos/algorithms/centroids.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/record.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// A direction in which the elites of an archive are to differ: values of a column of the record, from low to
/// high, `cells` steps of them.
struct Axis {
    std::string name{};
    double low = 0.0;
    double high = 0.0;
    double step = 0.0;       ///< 0 in an archive of centroids
    std::uint32_t cells = 1; ///< along this axis

    friend bool operator==(const Axis&, const Axis&) = default;
};

/// Reads "path 0..262 by 2, open 0..400 by 4". The range may be left out: then it is that of the column. The
/// step may be left out where centroids make the cells. Throws InvalidInput that quotes what can't be read.
std::vector<Axis> axes_from_text(std::string_view text);
std::string to_text(std::span<const Axis> axes);

constexpr std::uint64_t most_cells = 10'000'000;

/// The cells of an archive: where an individual belongs, by its record.
class Cells {
  public:
    /// A grid by the steps of the axes; with `centroids`, so many cells of about the same size instead.
    /// Throws InvalidSetting that names the axis and what is allowed: a column that there is not, a range the
    /// wrong way round, no step or one too many, more cells than most_cells.
    Cells(std::vector<Axis> axes, const Schema& schema, std::uint32_t centroids = 0);

    [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    /// The columns of the record that the axes are.
    [[nodiscard]] std::span<const std::size_t> columns() const { return columns_; }
    /// The cell of an individual; of one outside the axes, the nearest.
    [[nodiscard]] std::uint32_t cell(const Population& population, std::size_t individual) const;
    /// By how much it lies outside the axes, in shares of their ranges; 0: it does not.
    [[nodiscard]] double outside(const Population& population, std::size_t individual) const;

    /// The centroids, by the axes; empty if the cells are those of a grid.
    [[nodiscard]] std::vector<std::vector<double>> centroids() const;

  private:
    std::vector<Axis> axes_;
    std::vector<std::size_t> columns_;
    std::uint64_t count_ = 1;
    std::optional<Centroids> centroids_{};
};

/// Which elite of a population is in which cell, and what they are worth together. Everything in it follows
/// from the population; the population is kept by whoever keeps this, and changed by this alone.
class Archive {
  public:
    /// What becomes of one who comes to a cell.
    enum class Entry : unsigned char { refused, as_good, better, new_cell };

    Archive() = default;
    explicit Archive(std::shared_ptr<const Cells> cells) : cells_{std::move(cells)} {}

    [[nodiscard]] bool is_set() const { return cells_ != nullptr; }
    [[nodiscard]] const Cells& cells() const { return *cells_; }
    /// The cell of each elite.
    [[nodiscard]] std::span<const std::uint32_t> cell() const { return cell_; }
    /// The elite of a cell, or `nobody`.
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};
    [[nodiscard]] std::uint32_t elite(std::uint32_t cell) const;

    /// Who of a population has a cell to itself; false if two have the same.
    bool rebuild(const Schema& schema, const Population& elites);
    /// Brings an individual of another population to its cell, which it takes unless it is worse.
    Entry enter(const Schema& schema, Population& elites, const Population& from, std::size_t individual,
                std::uint32_t cell);
    /// Whether an individual is no worse than one of another population for the same cell: less outside and
    /// less violation first.
    [[nodiscard]] bool is_worse(const Population& a, std::size_t individual, const Population& b,
                                std::size_t other) const;
    [[nodiscard]] bool is_better(const Population& a, std::size_t individual, const Population& b,
                                 std::size_t other) const {
        return is_worse(b, other, a, individual);
    }
    /// Whether everything holds for an elite, and it lies inside the axes.
    [[nodiscard]] bool is_shown(const Population& elites, std::size_t elite) const;

    /// The cells whose elite is one to be shown.
    [[nodiscard]] std::uint64_t filled() const { return filled_; }
    [[nodiscard]] double coverage() const {
        return is_set() ? static_cast<double>(filled_) / static_cast<double>(cells_->count()) : 0.0;
    }
    /// The sum of what those elites are worth, each 0 to 1 by the range of the objective; 1 where it has
    /// none. J. K. Pugh, L. B. Soros, P. A. Szerlip, K. O. Stanley: "Confronting the challenge of quality
    /// diversity", 2015.
    [[nodiscard]] double qd_score() const;
    /// What it takes of the memory beside the population.
    [[nodiscard]] std::size_t memory() const {
        return (cell_.capacity() + table_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    [[nodiscard]] std::size_t place_of(std::uint32_t cell) const;
    void add(std::uint32_t cell);
    void count(const Schema& schema, const Population& elites, std::size_t elite, bool is_added);
    [[nodiscard]] double missed(const Population& population, std::size_t individual) const;

    std::shared_ptr<const Cells> cells_{};
    std::vector<std::uint32_t> cell_{};
    std::vector<std::uint32_t> table_{}; ///< elites by their cells, wherever a place is free
    std::uint64_t filled_ = 0;
    std::uint64_t worth_ = 0; ///< in 2⁻³² of what the best elite possible is worth, so that sums are exact
};

/// The elites of a run, those of all its islands together, in the order of their cells.
struct Gallery {
    std::vector<Axis> axes{};
    std::uint64_t cells = 0;
    std::vector<std::vector<double>> centroids{}; ///< of each cell, where they make the cells
    Population elites{};
    std::vector<std::uint32_t> cell{};   ///< of each elite
    std::vector<std::uint32_t> island{}; ///< where it was
    double coverage = 0.0;               ///< share of the cells that are filled
    double qd_score = 0.0;

    /// Where along each axis a cell of a grid lies, the first axis first.
    [[nodiscard]] std::vector<std::uint32_t> coordinates(std::uint32_t of_cell) const;
};

/// The union of archives with the same cells: of each cell the best elite to be shown, of equals that of the
/// first island.
Gallery united(const Schema& schema, const std::shared_ptr<const Cells>& cells,
               std::span<const Population* const> islands);

} // namespace knossos
