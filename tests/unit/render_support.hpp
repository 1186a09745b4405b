#pragma once

#include "support.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace knossos::test {

/// What is wrong with a text as XML, or nothing: elements closed in order, attributes quoted and each once,
/// entities known. A small part of the standard, enough for what Knossos writes.
class XmlCheck {
  public:
    static std::string problem(std::string_view text) {
        XmlCheck check{text};
        check.run();
        return check.problem_;
    }

  private:
    explicit XmlCheck(std::string_view text) : text_{text} {}

    void run() {
        while (place_ < text_.size() && problem_.empty()) {
            if (text_[place_] != '<')
                characters();
            else if (text_.substr(place_).starts_with("<?"))
                place_ = after("?>");
            else
                tag();
        }
        if (problem_.empty() && !open_.empty()) problem_ = open_.back() + " is not closed";
        if (problem_.empty() && roots_ != 1) problem_ = "not exactly one root";
    }

    std::size_t after(std::string_view end) {
        const std::size_t found = text_.find(end, place_);
        if (found == std::string_view::npos) problem_ = "ends early";
        return found == std::string_view::npos ? text_.size() : found + end.size();
    }

    void characters() {
        const std::size_t end = std::min(text_.find('<', place_), text_.size());
        content(text_.substr(place_, end - place_));
        place_ = end;
    }

    void content(std::string_view piece) {
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const char one = piece[i];
            if (static_cast<unsigned char>(one) < 0x20 && one != '\n') problem_ = "control character";
            if (one != '&') continue;
            bool known = false;
            for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
                known = known || piece.substr(i).starts_with(entity);
            if (!known) problem_ = "bare ampersand";
        }
        if (open_.empty() && piece.find_first_not_of(" \n") != std::string_view::npos)
            problem_ = "text outside of the root";
    }

    void tag() {
        const std::size_t end = after(">");
        std::string_view inner = text_.substr(place_ + 1, end - place_ - 2);
        place_ = end;
        if (inner.starts_with('/')) {
            if (open_.empty() || open_.back() != inner.substr(1))
                problem_ = "closes " + std::string{inner};
            else
                open_.pop_back();
            return;
        }
        const bool empty = inner.ends_with('/');
        if (empty) inner.remove_suffix(inner.ends_with(" /") ? 2 : 1);
        const std::size_t name = std::min(inner.find(' '), inner.size());
        if (open_.empty()) ++roots_;
        attributes(inner.substr(name));
        if (!empty) open_.emplace_back(inner.substr(0, name));
    }

    void attributes(std::string_view rest) {
        std::vector<std::string_view> seen;
        while (!rest.empty() && problem_.empty()) {
            const std::size_t equals = rest.find("=\"");
            if (!rest.starts_with(' ') || equals == std::string_view::npos) {
                problem_ = "attribute " + std::string{rest};
                return;
            }
            const std::string_view name = rest.substr(1, equals - 1);
            for (const auto other : seen)
                if (other == name) problem_ = "attribute twice: " + std::string{name};
            seen.push_back(name);
            const std::size_t close = rest.find('"', equals + 2);
            if (close == std::string_view::npos) {
                problem_ = "attribute not closed";
                return;
            }
            for (const char one : rest.substr(equals + 2, close - equals - 2))
                if (one == '<') problem_ = "< in an attribute";
            rest.remove_prefix(close + 1);
        }
    }

    std::string_view text_;
    std::size_t place_ = 0;
    std::size_t roots_ = 0;
    std::vector<std::string> open_;
    std::string problem_;
};

/// Columns that a line takes on a terminal: escape sequences take none, a character of UTF-8 takes one.
inline std::size_t columns_of(std::string_view line) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b') {
            while (i < line.size() && line[i] != 'm') ++i;
            continue;
        }
        if ((static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U) ++columns;
    }
    return columns;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    if (start < text.size()) lines.push_back(text.substr(start));
    return lines;
}

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// A folder of its own for a test, removed with everything in it.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "knossos-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator{path_}, std::filesystem::directory_iterator{}));
    }

  private:
    std::filesystem::path path_;
};

} // namespace knossos::test
