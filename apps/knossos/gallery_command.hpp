#pragma once

#include "commands.hpp"

#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/spread.hpp>
#include <knossos/render/heat_map.hpp>

#include <optional>
#include <string>
#include <vector>

namespace knossos::app {

struct GalleryOptions {
    std::vector<std::string> sources{};
    std::string axes{};
    std::string where{};
    std::optional<std::uint64_t> count{};
    bool spread = false;
    std::optional<double> apart{};
    std::string apart_under{}; ///< "symmetry", or nothing
    std::vector<std::string> outputs{};
    std::string map{};
    std::string sheet{};
    std::string save{};
    bool json = false;
    bool quiet = false;
    bool ascii = false;
};

/// Shows a gallery, lays it out by other axes, and takes some of what it holds.
int show_gallery(const GalleryOptions& options, const Registry& registry);

/// The best fitness of each cell over the first two axes; of one axis, over it and nothing.
render::HeatMap heat_map_of(const MeasuredGallery& gallery, const std::string& title);

/// Some elites of a gallery on one sheet, each with its values of the axes below it.
render::Picture sheet_of(const MeasuredGallery& gallery, const std::vector<std::size_t>& chosen,
                         const std::string& title);

/// A table of chosen elites for people: the fitness and some values of each, and how far those reach.
void print_chosen(const MeasuredGallery& gallery, const std::vector<std::size_t>& chosen,
                  const std::vector<GalleryValue>& values);

/// Throws InvalidInput unless the word is empty or "symmetry".
bool is_turned(const std::string& apart_under);

} // namespace knossos::app
