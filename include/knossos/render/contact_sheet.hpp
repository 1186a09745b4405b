#pragma once

#include <knossos/render/picture.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace knossos::render {

/// Draws a picture into another one, made `scale` times as large, its upper left corner at `corner`.
void add_picture(Picture& onto, const Picture& inner, double scale, Point corner);

/// A small picture with a line below it.
struct SheetItem {
    Picture picture{};
    std::string caption{};
};

struct SheetOptions {
    std::string title{};
    Theme theme = light;
    std::uint32_t columns = 0; ///< pictures in a row; 0 means as many as make the sheet about 3 : 2
    std::uint32_t side = 120;  ///< the larger side of a small picture, in pixels
    bool is_captioned = true;  ///< whether there is room for captions
};

/// Many pictures on one sheet, in reading order.
Picture contact_sheet(const std::vector<SheetItem>& items, const SheetOptions& options = {});

} // namespace knossos::render
