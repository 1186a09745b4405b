#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace colouring {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Vertices are counted from 0; files and people count them from 1.
struct Graph {
    std::vector<Edge> edges;                              ///< the smaller vertex first, sorted, each once
    std::vector<std::vector<std::uint32_t>> neighbours{}; ///< of each vertex

    [[nodiscard]] std::uint32_t vertices() const { return static_cast<std::uint32_t>(neighbours.size()); }
};

/// A graph of these edges, which may stand in any order and more than once.
Graph make_graph(std::uint32_t vertices, std::vector<Edge> edges);

/// Reads the DIMACS format for colouring: lines 'c COMMENT', one 'p edge VERTICES EDGES', then as many
/// lines 'e A B'. An edge may be given in both directions, as in the files of 1993. Throws
/// knossos::InvalidInput that names file, line, and what was expected there.
Graph parse_graph(std::string_view text, const std::string& file);
Graph read_graph(const std::string& file);

/// The squares of a board, joined where a queen goes from one to the other.
Graph queens_graph(std::uint32_t side);

/// The same for the same graph, however it is written down, and another for another.
std::uint64_t fingerprint(const Graph& graph);

} // namespace colouring
