#include "letters.hpp"

#include <knossos/render/contact_sheet.hpp>
#include <knossos/render/handout.hpp>

#include <algorithm>

namespace knossos::render {

namespace {

// A4, in points.
constexpr std::uint32_t short_side = 595;
constexpr std::uint32_t long_side = 842;
constexpr double margin = 42.0;
constexpr double title_size = 20.0;
constexpr double caption_size = 10.0;
constexpr double line_size = 9.0;
constexpr double line_height = 14.0;
constexpr double between_columns = 24.0;

// What is left of a page, from the top.
struct Page {
    Picture picture{};
    double top = margin;

    [[nodiscard]] double width() const { return picture.width - 2 * margin; }
    [[nodiscard]] double height() const { return picture.height - margin - top; }
};

Page new_page(bool is_wide, std::string_view title, const Theme& theme) {
    Page page{.picture = {.width = is_wide ? long_side : short_side,
                          .height = is_wide ? short_side : long_side,
                          .title = std::string{title}}};
    if (title.empty()) return page;
    page.picture.shapes.emplace_back(Label{.place = {margin, page.top + title_size / 2},
                                           .text = std::string{title},
                                           .size = title_size,
                                           .colour = theme.ink,
                                           .anchor = Anchor::start});
    page.top += title_size + 14.0;
    return page;
}

// As large as the room allows, in the middle of it; the room is taken.
void add_drawing(Page& page, const Picture& drawing, double most_height) {
    const double scale = std::min(page.width() / drawing.width, most_height / drawing.height);
    const double left = margin + (page.width() - drawing.width * scale) / 2;
    add_picture(page.picture, drawing, scale, {left, page.top});
    page.top += drawing.height * scale + 12.0;
}

void add_line(Page& page, const std::string& text, Point place, double size, Colour colour) {
    page.picture.shapes.emplace_back(
        Label{.place = place, .text = text, .size = size, .colour = colour, .anchor = Anchor::start});
}

// Lines that are no wider than they may be, broken at blanks; what goes on is set in.
std::vector<std::string> broken(std::span<const std::string> lines, double most_width) {
    std::vector<std::string> all;
    for (const std::string& line : lines) {
        std::string_view rest = line;
        std::string begun{rest.substr(0, rest.find_first_not_of(' '))};
        const std::string indent = begun + "      ";
        rest.remove_prefix(begun.size());
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' ', 1), rest.size());
            const std::string longer = begun + std::string{rest.substr(0, end)};
            if (lettering_width(longer, line_size) > most_width &&
                begun.find_first_not_of(' ') != std::string::npos) {
                all.push_back(std::move(begun));
                begun = indent;
                rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
                continue;
            }
            begun = longer;
            rest.remove_prefix(end);
        }
        all.push_back(std::move(begun));
    }
    return all;
}

// Fills columns from the top with lines, as many as there is room for; returns how many.
std::size_t add_lines(Page& page, std::span<const std::string> lines, const Theme& theme) {
    double longest = 1.0;
    for (const std::string& line : lines) longest = std::max(longest, lettering_width(line, line_size));
    // A line that is too long for the page is drawn smaller, rather than cut.
    const double size = line_size * std::min(1.0, page.width() / longest);
    const double wide = std::min(longest, page.width()) + between_columns;
    const auto columns = static_cast<std::size_t>(std::max(1.0, (page.width() + between_columns) / wide));
    const auto most_rows = static_cast<std::size_t>(std::max(1.0, page.height() / line_height));
    const std::size_t count = std::min(lines.size(), most_rows * columns);
    // Columns of one length, where the page is not full anyway.
    const std::size_t rows = std::max<std::size_t>(1, (count + columns - 1) / columns);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t column = i / rows;
        const std::size_t row = i % rows;
        add_line(page, lines[i],
                 {margin + wide * static_cast<double>(column),
                  page.top + line_height * (static_cast<double>(row) + 0.5)},
                 size, theme.ink);
    }
    return count;
}

} // namespace

std::vector<Picture> pages_of(const Handout& handout) {
    const bool is_wide = handout.picture.width > handout.picture.height;
    std::vector<Picture> pages;
    Page front = new_page(is_wide, handout.title, handout.theme);
    if (!handout.caption.empty()) {
        add_line(front, handout.caption, {margin, front.top}, caption_size, handout.theme.quiet);
        front.top += caption_size + 12.0;
    }
    if (handout.picture.width > 0) add_drawing(front, handout.picture, front.height());
    pages.push_back(std::move(front.picture));
    const double half = ((is_wide ? long_side : short_side) - 2 * margin - between_columns) / 2;
    const std::vector<std::string> lines = broken(handout.lines, half);
    std::span<const std::string> left = lines;
    bool is_first = true;
    while (is_first ? handout.answers.width > 0 || !left.empty() : !left.empty()) {
        Page page = new_page(is_wide, handout.answers_title, handout.theme);
        if (is_first && handout.answers.width > 0)
            add_drawing(page, handout.answers, left.empty() ? page.height() : page.height() * 0.55);
        is_first = false;
        left = left.subspan(add_lines(page, left, handout.theme));
        pages.push_back(std::move(page.picture));
    }
    return pages;
}

} // namespace knossos::render
