#include "graph.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/run/checkpoint.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

namespace colouring {

namespace {

constexpr std::size_t largest_file = 100'000'000;
constexpr std::uint64_t most_vertices = 100'000;
constexpr std::uint64_t most_edges = 10'000'000;

class Reader {
  public:
    Reader(std::string_view text, const std::string& file) : text_{text}, file_{file} {}

    Graph read() {
        while (next_line()) {
            if (words_.empty() || words_.front() == "c") continue;
            if (words_.front() == "p")
                read_sizes();
            else if (words_.front() == "e")
                read_edge();
            else
                fail("expected a line that begins with c, p or e", words_.front());
        }
        if (!vertices_) fail("expected a line 'p edge VERTICES EDGES', and there is none");
        if (edges_.size() != announced_)
            fail("expected " + std::to_string(announced_) + " lines 'e A B', as the line p says; there are " +
                 std::to_string(edges_.size()));
        return make_graph(*vertices_, std::move(edges_));
    }

  private:
    [[noreturn]] void fail(const std::string& expected) const {
        throw knossos::InvalidInput{file_ + ":" + std::to_string(std::max<std::size_t>(line_, 1)) + ": " +
                                    expected};
    }
    [[noreturn]] void fail(const std::string& expected, std::string_view found) const {
        constexpr std::size_t shown = 40;
        fail(expected + ", not '" + std::string{found.substr(0, shown)} +
             (found.size() > shown ? "…'" : "'"));
    }

    bool next_line() {
        if (text_.empty()) return false;
        ++line_;
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        whole_ = text_.substr(0, end);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        if (whole_.ends_with('\r')) whole_.remove_suffix(1);
        words_.clear();
        for (std::string_view rest = whole_; !rest.empty();) {
            const std::size_t begin = rest.find_first_not_of(" \t");
            if (begin == std::string_view::npos) break;
            rest.remove_prefix(begin);
            const std::size_t stop = std::min(rest.find_first_of(" \t"), rest.size());
            words_.push_back(rest.substr(0, stop));
            rest.remove_prefix(stop);
        }
        return true;
    }

    std::uint64_t number(std::string_view word, const std::string& what, std::uint64_t least,
                         std::uint64_t most) const {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most)
            fail("expected " + what + " in " + std::to_string(least) + ".." + std::to_string(most), word);
        return value;
    }

    void read_sizes() {
        if (vertices_) fail("expected one line p only, and this is the second");
        // Some files of 1993 say 'col'.
        if (words_.size() != 4 || (words_[1] != "edge" && words_[1] != "col"))
            fail("expected 'p edge VERTICES EDGES'", whole_);
        vertices_ = static_cast<std::uint32_t>(number(words_[2], "a number of vertices", 1, most_vertices));
        announced_ = number(words_[3], "a number of edges", 0, most_edges);
    }

    void read_edge() {
        if (!vertices_) fail("expected 'p edge VERTICES EDGES' before the first edge");
        if (words_.size() != 3) fail("expected 'e A B'", whole_);
        const auto vertex = [&](std::string_view word) {
            return static_cast<std::uint32_t>(number(word, "a vertex", 1, *vertices_)) - 1;
        };
        const Edge edge{vertex(words_[1]), vertex(words_[2])};
        if (edge.first == edge.second) fail("expected an edge between two vertices", whole_);
        if (edges_.size() == announced_)
            fail("expected no more edges than the line p says, " + std::to_string(announced_));
        edges_.push_back(edge);
    }

    std::string_view text_;
    const std::string& file_;
    std::string_view whole_{};
    std::vector<std::string_view> words_{};
    std::size_t line_ = 0; // the last that was read
    std::optional<std::uint32_t> vertices_{};
    std::uint64_t announced_ = 0;
    std::vector<Edge> edges_{};
};

} // namespace

Graph make_graph(std::uint32_t vertices, std::vector<Edge> edges) {
    for (Edge& edge : edges)
        if (edge.first > edge.second) std::swap(edge.first, edge.second);
    std::ranges::sort(edges);
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
    Graph graph{.edges = std::move(edges)};
    graph.neighbours.resize(vertices);
    for (const auto& [a, b] : graph.edges) {
        graph.neighbours[a].push_back(b);
        graph.neighbours[b].push_back(a);
    }
    return graph;
}

Graph parse_graph(std::string_view text, const std::string& file) { return Reader{text, file}.read(); }

Graph read_graph(const std::string& file) {
    return parse_graph(knossos::read_file(file, largest_file), file);
}

Graph queens_graph(std::uint32_t side) {
    std::vector<Edge> edges;
    for (std::uint32_t a = 0; a < side * side; ++a) {
        for (std::uint32_t b = a + 1; b < side * side; ++b) {
            const std::uint32_t rows = b / side - a / side;
            const std::uint32_t columns = std::max(a % side, b % side) - std::min(a % side, b % side);
            if (rows == 0 || columns == 0 || rows == columns) edges.emplace_back(a, b);
        }
    }
    return make_graph(side * side, std::move(edges));
}

std::uint64_t fingerprint(const Graph& graph) {
    std::vector<std::uint32_t> numbers{graph.vertices()};
    for (const auto& [a, b] : graph.edges) numbers.insert(numbers.end(), {a, b});
    return knossos::stable_hash(std::as_bytes(std::span{numbers}));
}

} // namespace colouring
