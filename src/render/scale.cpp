#include "scale.hpp"

#include <string>

namespace knossos::render {

void add_scale(Picture& picture, Point corner, double width, std::uint64_t lowest, std::uint64_t highest,
               const Theme& theme) {
    constexpr int steps = 64;
    for (int i = 0; i < steps; ++i)
        picture.shapes.emplace_back(Rectangle{{corner.x + width * i / steps, corner.y},
                                              width / steps + (i + 1 < steps ? 0.5 : 0.0), // no seams
                                              10.0,
                                              cividis((i + 0.5) / steps),
                                              {}});
    const double y = corner.y + 20;
    picture.shapes.emplace_back(
        Stroke{.path = digits(std::to_string(lowest), {corner.x, y}, 10, Anchor::start),
               .colour = theme.quiet,
               .width = 1.3});
    picture.shapes.emplace_back(
        Stroke{.path = digits(std::to_string(highest), {corner.x + width, y}, 10, Anchor::end),
               .colour = theme.quiet,
               .width = 1.3});
}

void add_shades(Picture& picture, const std::vector<std::int32_t>& shade, std::int32_t shades,
                std::size_t columns, Point origin, double cell) {
    std::vector<Path> runs(static_cast<std::size_t>(shades));
    for (std::size_t start = 0; start < shade.size();) {
        std::size_t end = start + 1;
        while (end % columns != 0 && shade[end] == shade[start]) ++end;
        const double x = origin.x + cell * static_cast<double>(start % columns);
        const std::size_t row = start / columns;
        const double y = origin.y + cell * (static_cast<double>(row) + 0.5);
        if (shade[start] >= 0)
            runs[static_cast<std::size_t>(shade[start])].move_to({x, y}).line_to(
                {x + cell * static_cast<double>(end - start), y});
        start = end;
    }
    for (std::int32_t i = 0; i < shades; ++i)
        if (Path& run = runs[static_cast<std::size_t>(i)]; !run.empty())
            picture.shapes.emplace_back(Stroke{.path = std::move(run),
                                               .colour = cividis(static_cast<double>(i) / (shades - 1)),
                                               .width = cell,
                                               .ends = LineEnd::flat});
}

} // namespace knossos::render
