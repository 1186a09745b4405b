#include <knossos/levels/symmetry.hpp>

#include <algorithm>

namespace knossos::levels {

std::string_view to_string(Symmetry symmetry) {
    return EnumNames<Symmetry>::names[static_cast<std::size_t>(symmetry)];
}

std::vector<Cell> images(Symmetry symmetry, std::uint32_t width, std::uint32_t height, Cell cell) {
    const std::uint32_t right = width - 1;
    const std::uint32_t bottom = height - 1;
    const Cell mirrored{right - cell.x, cell.y};
    const Cell flipped{cell.x, bottom - cell.y};
    const Cell turned{right - cell.x, bottom - cell.y};
    switch (symmetry) {
    case Symmetry::none:
        return {cell};
    case Symmetry::left_right:
        return {cell, mirrored};
    case Symmetry::top_bottom:
        return {cell, flipped};
    case Symmetry::both:
        return {cell, mirrored, flipped, turned};
    case Symmetry::rotation:
        return {cell, turned};
    case Symmetry::quarter_rotation:
        return {cell, {right - cell.y, cell.x}, turned, {cell.y, bottom - cell.x}};
    }
    return {cell};
}

std::vector<std::uint32_t> rulers(Symmetry symmetry, std::uint32_t width, std::uint32_t height) {
    if (symmetry == Symmetry::none) return {};
    std::vector<std::uint32_t> all(std::size_t{width} * height);
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            std::uint32_t ruler = y * width + x;
            for (const Cell image : images(symmetry, width, height, {x, y}))
                ruler = std::min(ruler, image.y * width + image.x);
            all[std::size_t{y} * width + x] = ruler;
        }
    return all;
}

} // namespace knossos::levels
