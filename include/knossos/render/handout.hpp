#pragma once

#include <knossos/render/picture.hpp>

#include <span>
#include <string>
#include <vector>

namespace knossos::render {

/// Something to be printed: a page with its picture, and behind it, for those who want to know, a page with
/// answers.
struct Handout {
    std::string title{};
    std::string caption{};
    Picture picture{};
    std::string answers_title{};
    Picture answers{};                ///< the picture with its solution, drawn smaller; may be empty
    std::vector<std::string> lines{}; ///< what to do, a line each; as many pages as they need
    Theme theme = light;
};

/// The pages, each of the size of A4 in points, upright or not as suits the picture.
std::vector<Picture> pages_of(const Handout& handout);

/// Pictures as the pages of a PDF, in points. Shapes stay shapes, text stays text, in letters of our own. The
/// same pages give the same bytes, whatever fonts there are and whatever time it is.
std::string to_pdf(std::span<const Picture> pages);

} // namespace knossos::render
