#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/levels/drawing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace knossos::levels {

namespace {

constexpr std::string_view expected =
    "expected # rock, . floor, E entrance, X exit, C checkpoint, $ treasure, m monster, k small key, + "
    "locked door, r g b y coloured keys, R G B Y their doors, ^ > v < one-ways, or ? for free";

[[noreturn]] void refuse(std::string_view source, std::size_t line, std::size_t column,
                         const std::string& message) {
    throw InvalidInput{fmt::format("{}:{}:{}: {}", source, line, column, message)};
}

std::string printable(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code > 0x20 && code < 0x7F ? fmt::format("'{}'", byte) : fmt::format("byte 0x{:02X}", code);
}

// Letters that once stood for two places in one cell.
std::string_view retired(char byte) {
    switch (byte) {
    case 'e':
        return "a checkpoint on the entrance is written as E, and above the rows as 'checkpoints: x,y'";
    case 'x':
        return "a checkpoint on the exit is written as X, and above the rows as 'checkpoints: x,y'";
    case 'c':
        return "a checkpoint on rock is written as #, and above the rows as 'checkpoints: x,y'";
    default:
        return "";
    }
}

class Reader {
  public:
    Reader(std::string_view text, std::string_view source, std::uint32_t largest)
        : text_{text}, source_{source}, largest_{largest} {
        while (!text_.empty() && (text_.back() == '\n' || text_.back() == '\r')) text_.remove_suffix(1);
    }

    Drawing read() {
        for (std::size_t start = 0; start <= text_.size() && !text_.empty(); ++line_) {
            const std::size_t end = std::min(text_.find('\n', start), text_.size());
            std::string_view row = text_.substr(start, end - start);
            start = end + 1;
            if (row.ends_with('\r')) row.remove_suffix(1);
            if (made_.height == 0) require_colon(row);
            if (made_.height == 0 && row.find(':') != std::string_view::npos)
                add_line(row);
            else
                add_row(row);
        }
        if (made_.height == 0) refuse(source_, line_, 1, "there is no level here, not a single row of cells");
        settle_places();
        return std::move(made_);
    }

  private:
    struct Named {
        std::vector<Cell> cells;
        std::size_t line = 0;
    };

    // No row of cells begins with such a word, so that a line was meant.
    void require_colon(std::string_view row) const {
        const std::size_t end = row.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
        const std::string_view name = row.substr(0, end);
        if (name != "entrance" && name != "exit" && name != "checkpoints" && name != "checkpoint") return;
        if (row.find(':') != std::string_view::npos) return;
        refuse(source_, line_, name.size() + 1,
               fmt::format("there is no colon behind '{}'; write {}: {}", name,
                           name == "checkpoint" ? "checkpoints" : name, numbers_as_cells(row)));
    }

    // "0 3" as "0,3", for advice; some cell if there is none.
    static std::string numbers_as_cells(std::string_view row) {
        constexpr std::string_view digits = "0123456789";
        std::vector<std::string_view> numbers;
        for (std::size_t at = row.find_first_of(digits);
             at != std::string_view::npos && numbers.size() < 8;) {
            const std::size_t end = std::min(row.find_first_not_of(digits, at), row.size());
            numbers.push_back(row.substr(at, std::min<std::size_t>(end - at, 5)));
            at = row.find_first_of(digits, end);
        }
        if (numbers.size() < 2) return "0,0";
        std::string text;
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
            text += fmt::format("{}{},{}", text.empty() ? "" : " ", numbers[i], numbers[i + 1]);
        return text;
    }

    void add_line(std::string_view row) {
        const std::size_t colon = row.find(':');
        const std::string name{row.substr(0, colon)};
        Named* const named = name == "entrance"      ? &entrance_
                             : name == "exit"        ? &exit_
                             : name == "checkpoints" ? &checkpoints_
                                                     : nullptr;
        if (named == nullptr) {
            const auto meant = nearest(name, {"entrance", "exit", "checkpoints"});
            refuse(source_, line_, 1,
                   fmt::format("'{}' is no place that a line can name; {}", name.substr(0, 40),
                               meant ? fmt::format("did you mean '{}'?", *meant)
                                     : "there are entrance, exit and checkpoints"));
        }
        if (named->line != 0)
            refuse(source_, line_, 1,
                   fmt::format("a second line for {}; line {} is the first", name, named->line));
        try {
            named->cells = parse_cells(row.substr(colon + 1));
        } catch (const InvalidInput& error) {
            refuse(source_, line_, colon + 2, error.what());
        }
        named->line = line_;
        if (name != "checkpoints" && named->cells.size() != 1)
            refuse(source_, line_, colon + 2,
                   fmt::format("{} cells for the {}; it is one, such as '{}: 0,0'", named->cells.size(), name,
                               name));
    }

    void add_row(std::string_view row) {
        if (made_.height == largest_)
            refuse(source_, line_, 1, fmt::format("there are more than {} rows", largest_));
        if (made_.height == 0) {
            if (row.empty()) refuse(source_, line_, 1, "the first row is empty");
            if (row.size() > largest_)
                refuse(source_, line_, largest_ + 1,
                       fmt::format("the row has {} cells; at most {} are possible", row.size(), largest_));
            made_.width = static_cast<std::uint32_t>(row.size());
            made_.first_line = line_;
        }
        const std::size_t together = std::min<std::size_t>(row.size(), made_.width);
        for (std::size_t i = 0; i < together; ++i) add_cell(row[i], i + 1);
        if (row.size() != made_.width)
            refuse(source_, line_, together + 1,
                   fmt::format("this row has {}, the first one {}", counted(row.size(), "cell", "cells"),
                               made_.width));
        ++made_.height;
    }

    void add_cell(char byte, std::size_t column) {
        if (byte == ' ') byte = free_letter;
        if (cell_letters.find(byte) == std::string_view::npos)
            refuse(source_, line_, column,
                   retired(byte).empty()
                       ? fmt::format("{} is nothing that a level has; {}", printable(byte), expected)
                       : fmt::format("{} is no longer a cell: {}", printable(byte), retired(byte)));
        made_.cells += byte;
    }

    void require_inside(const Named& named) const {
        for (const Cell cell : named.cells)
            if (cell.x >= made_.width || cell.y >= made_.height)
                refuse(source_, named.line, 1,
                       fmt::format("{},{} lies off the level, whose columns are 0..{} and rows 0..{}", cell.x,
                                   cell.y, made_.width - 1, made_.height - 1));
    }

    void settle_places() {
        for (const Named* named : {&entrance_, &exit_, &checkpoints_}) require_inside(*named);
        if (entrance_.line != 0) made_.entrance = entrance_.cells.front();
        if (exit_.line != 0) made_.exit = exit_.cells.front();
        made_.checkpoints = checkpoints_.cells;
        std::vector<bool> listed(made_.cells.size());
        for (const Cell cell : made_.checkpoints) {
            if (listed[made_.index(cell)])
                refuse(source_, checkpoints_.line, 1,
                       fmt::format("{},{} stands there twice", cell.x, cell.y));
            listed[made_.index(cell)] = true;
        }
        for (std::size_t i = 0; i < made_.cells.size(); ++i) {
            if (made_.cells[i] == 'E') found(made_.entrance, i, "entrance");
            if (made_.cells[i] == 'X') found(made_.exit, i, "exit");
            if (made_.cells[i] == 'C' && !listed[i]) made_.checkpoints.push_back(made_.cell(i));
        }
    }

    void found(std::optional<Cell>& place, std::size_t index, std::string_view what) const {
        const Cell cell = made_.cell(index);
        if (place && *place != cell)
            throw InvalidInput{
                fmt::format("{}:{}: a second {}; the first one is at {}, and there is only one", source_,
                            made_.place_of(index), what, to_text(*place))};
        place = cell;
    }

    std::string_view text_;
    std::string_view source_;
    std::uint32_t largest_;
    std::size_t line_ = 1;
    Drawing made_{};
    Named entrance_{};
    Named exit_{};
    Named checkpoints_{};
};

} // namespace

std::string to_text(Cell cell) { return fmt::format("({}, {})", cell.x, cell.y); }

std::vector<Cell> parse_cells(std::string_view text) {
    std::vector<Cell> cells;
    constexpr std::string_view separators = " ;\t\r\n";
    for (std::size_t start = text.find_first_not_of(separators); start != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
        const std::string_view word = text.substr(start, end - start);
        Cell cell;
        const char* const last = word.data() + word.size();
        const auto x = std::from_chars(word.data(), last, cell.x);
        const bool comma = x.ec == std::errc{} && x.ptr != last && *x.ptr == ',';
        const auto y = comma ? std::from_chars(x.ptr + 1, last, cell.y) : x;
        if (!comma || y.ec != std::errc{} || y.ptr != last)
            throw InvalidInput{fmt::format("'{}' is not a cell; write x,y such as 3,4", word)};
        cells.push_back(cell);
        start = text.find_first_not_of(separators, end);
    }
    return cells;
}

std::string cells_text(const std::vector<Cell>& cells) {
    std::string text;
    for (const Cell cell : cells) text += fmt::format("{}{},{}", text.empty() ? "" : " ", cell.x, cell.y);
    return text;
}

std::string Drawing::place_of(std::size_t index) const {
    return fmt::format("{}:{}", first_line + index / width, index % width + 1);
}

Drawing parse_drawing(std::string_view text, std::string_view source, std::uint32_t largest) {
    return Reader{text, source, largest}.read();
}

Drawing parse_known(std::string_view text, std::string_view source, std::uint32_t largest) {
    Drawing drawing = parse_drawing(text, source, largest);
    if (const std::size_t free = drawing.cells.find(free_letter); free != std::string::npos)
        throw InvalidInput{fmt::format("{}:{}: '?' is a cell that is free; locks and starts may have those, "
                                       "of a level every cell must be said",
                                       source, drawing.place_of(free))};
    return drawing;
}

Drawing parse_sized(std::string_view text, std::string_view source, std::uint32_t width,
                    std::uint32_t height) {
    // One more than fits, so that what is too large is told in the words below.
    constexpr std::uint32_t largest = 4096;
    Drawing drawing = parse_drawing(text, source, largest);
    if (drawing.width != width || drawing.height != height)
        throw InvalidInput{fmt::format("{}:{}:1: this is a drawing of {} × {}; it must be {} × {}", source,
                                       drawing.first_line, drawing.width, drawing.height, width, height)};
    return drawing;
}

void refuse_other_files(std::string_view bytes, std::string_view source) {
    struct Kind {
        std::string_view begins;
        std::string_view name;
    };
    constexpr Kind kinds[] = {{"%PDF", "a PDF"},
                              {"PK\x03\x04", "a ZIP archive"},
                              {"\x1F\x8B", "compressed by gzip"},
                              {"GIF8", "a GIF picture"},
                              {"\xFF\xD8\xFF", "a JPEG picture"},
                              {"<svg", "an SVG picture"},
                              {"<html", "a page of HTML"},
                              {"\xE2\x96\x88", "what a terminal shows"}};
    constexpr std::string_view readable = "levels are read from text, JSON, maps of Tiled and LDtk, and PNG";
    for (const Kind& kind : kinds)
        if (bytes.starts_with(kind.begins))
            throw InvalidInput{fmt::format("{}: is {}; {}", source, kind.name, readable)};
    if (source.ends_with(".png") && !bytes.starts_with("\x89PNG"))
        throw InvalidInput{fmt::format("{}: is not a PNG, whatever its name says; {}", source, readable)};
}

std::string to_text(const Drawing& drawing) {
    std::string cells = drawing.cells;
    std::string lines;
    const auto mark = [&](Cell cell, char letter) {
        char& there = cells[drawing.index(cell)];
        if (there != floor_letter) return false;
        there = letter;
        return true;
    };
    if (drawing.entrance && !mark(*drawing.entrance, 'E'))
        lines += fmt::format("entrance: {}\n", cells_text({*drawing.entrance}));
    if (drawing.exit && !mark(*drawing.exit, 'X'))
        lines += fmt::format("exit: {}\n", cells_text({*drawing.exit}));
    bool marked =
        std::ranges::is_sorted(drawing.checkpoints, {}, [&](Cell cell) { return drawing.index(cell); });
    for (const Cell cell : drawing.checkpoints) marked = mark(cell, 'C') && marked;
    if (!marked) lines += fmt::format("checkpoints: {}\n", cells_text(drawing.checkpoints));
    std::string text = std::move(lines);
    text.reserve(text.size() + cells.size() + drawing.height);
    for (std::size_t start = 0; start < cells.size(); start += drawing.width)
        text.append(cells, start, drawing.width) += '\n';
    return text;
}

} // namespace knossos::levels
