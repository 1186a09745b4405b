#pragma once

#include <knossos/algorithms/archive.hpp>
#include <knossos/domain/artefact.hpp>
#include <knossos/recipe/recipe.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// The cell along an axis that a value lies in, the upper end in the last one; nothing outside the range.
std::optional<std::uint32_t> place_on(const Axis& axis, double value);

/// The one that keeps a cell.
struct Elite {
    std::vector<std::uint32_t> cell{}; ///< one number an axis, from 0; of an archive of centroids, one alone
    std::vector<double> record{};      ///< the columns of the problem
    std::vector<double> measures{};    ///< of what it stands for, in the order of MeasuredGallery::measures
    std::vector<std::byte> genome{};
};

/// The genome in hexadecimal, as gallery.json has it.
std::string genome_text(const Elite& elite);

/// What a search for many good, different ones has found: at most one a cell of a grid over what they are
/// like. A value that any domain has: measures and cells are asked of the artefacts.
struct MeasuredGallery {
    Recipe recipe;
    std::vector<Axis> axes{};
    std::vector<Measured> measures{}; ///< names and meanings; the values are of no matter
    std::vector<Elite> elites{};      ///< in the order of their cells
    std::uint64_t cells = 1;          ///< how many there are, filled or not

    [[nodiscard]] Quality quality(const Elite& elite) const;
    [[nodiscard]] ArtefactPtr artefact(const Elite& elite) const;
    /// Whether the steps of its axes make its cells; else centroids do.
    [[nodiscard]] bool is_grid() const;
    /// Share of the cells that are filled.
    [[nodiscard]] double coverage() const;
};

/// The elites of a run one by one, not yet measured.
Elite elite_of(const Gallery& gallery, std::size_t index);
std::vector<Elite> elites_of(const Gallery& gallery);
/// Measures the elites and puts them in order.
MeasuredGallery measured(Recipe recipe, const Gallery& gallery);

/// gallery.json: recipe, axes, and elites with cell, record, whatever their artefact says of itself
/// (measures and cells among it) and genome.
std::string gallery_json(const MeasuredGallery& gallery);
/// Reads that back. Throws InvalidInput that names the file and what is wrong with it: also where an elite is
/// not in its cell, or where what the file says of it (cells, measures) is not what its genome stands for.
/// Records are believed, as evaluating anew may take long.
MeasuredGallery read_gallery(std::string_view json, std::string_view file,
                             const Registry& registry = Registry::built_in());
/// The gallery of a run's folder, or of a file.
MeasuredGallery load_gallery(const std::filesystem::path& path,
                             const Registry& registry = Registry::built_in());

/// Something that every elite has a value of: one of its measures, or a column of its record.
struct GalleryValue {
    std::string name{};
    bool is_measure = true;
    std::size_t index = 0;

    [[nodiscard]] double of(const Elite& elite) const {
        return is_measure ? elite.measures[index] : elite.record[index];
    }
};

/// By any of its names; '-' and '_' are the same. Throws InvalidInput, which says what it was wanted for,
/// with the nearest name, or all of them.
GalleryValue value_named(const MeasuredGallery& gallery, std::string_view name, std::string_view wanted_for);

/// "path 60..80", "symmetry_rotation 0.9..": both ends belong to it.
struct ValueRange {
    std::string name{};
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Reads ranges, separated by commas. Throws InvalidInput that quotes what can't be read.
std::vector<ValueRange> parse_ranges(std::string_view text, std::string_view source);

/// Those of a gallery that lie in all of the ranges.
MeasuredGallery filtered(MeasuredGallery gallery, const std::vector<ValueRange>& ranges,
                         std::string_view source);

/// Reads axes: names, each with a range and a step or without, "dead-ends, path 0..262 by 2". What is left
/// open follows from what the gallery holds.
std::vector<Axis> parse_axes(std::string_view text, const MeasuredGallery& gallery, std::string_view source);

/// The same elites on another grid; those that lie outside are left out. Of those in one cell the first is
/// the best; all of them stay.
MeasuredGallery laid_out(MeasuredGallery gallery, std::vector<Axis> axes);
/// The best of each cell alone.
MeasuredGallery best_of_cells(MeasuredGallery gallery);
/// One gallery of several, in the cells of the first, be they of a grid or of centroids: the best of each.
/// What lies outside its axes is left out. Throws InvalidInput unless all are of one problem.
MeasuredGallery merged(std::vector<MeasuredGallery> galleries);

} // namespace knossos
