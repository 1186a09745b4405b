#pragma once

#include <knossos/recipe/gallery.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace knossos {

/// What is looked at to tell whether two are alike.
struct Appearance {
    /// As written, cell by cell; the ways in which it can be mirrored and turned may follow.
    std::vector<std::vector<std::uint8_t>> cells{};
    std::vector<double> character{}; ///< each from 0 to 1
};

/// In how large a share of their cells two differ; the least of all ways in which the first can be turned.
double cells_apart(const Appearance& a, const Appearance& b);
/// The mean difference of what they are like.
double character_apart(const Appearance& a, const Appearance& b);

/// The share of cells in which any two differ that are offered as different ones, unless somebody says
/// another.
inline constexpr double different_share = 0.25;

struct SpreadOptions {
    std::size_t count = 30;
    double apart = 0.0;    ///< the least share of cells in which any two have to differ
    std::size_t first = 0; ///< who is taken first
};

struct Spread {
    std::vector<std::size_t> chosen{};
    double least_apart = 1.0; ///< share of cells in which the two most alike of them differ
};

/// The ones that lie farthest apart: begins with one and takes, again and again, whoever is farthest
/// from the nearest that was taken (T. F. Gonzalez: "Clustering to minimize the maximum intercluster
/// distance", 1985). The distance is cells_apart() plus character_apart(); of equals the first is taken.
/// Fewer than asked for if no others are far enough apart.
Spread farthest_apart(const std::vector<Appearance>& candidates, const SpreadOptions& options);

/// What one looks like as it is written; its character is left to whoever knows the others.
Appearance appearance(const Artefact& artefact, bool turned);

/// What the elites of a gallery look like: their cells as written, and their places on the axes, by rank, so
/// that it does not matter in which unit something is counted.
std::vector<Appearance> appearances(const MeasuredGallery& gallery,
                                    const std::vector<GalleryValue>& character, bool turned);

/// Values replaced by the share of the others that are lower, half of the equal ones counted in.
std::vector<double> by_rank(const std::vector<double>& values);

} // namespace knossos
