#pragma once

#include "graph.hpp"

#include <knossos/knossos.hpp>
#include <knossos/recipe/registry.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace colouring {

/// Gives every vertex one of k colours so that as few edges as possible join two of the same colour; none,
/// if all goes well.
struct Colouring {
    static constexpr auto objective = knossos::Objective::minimise;
    std::shared_ptr<const Graph> graph;
    std::uint32_t colours;

    [[nodiscard]] knossos::Space space() const {
        return knossos::Space::integers(graph->vertices(), colours);
    }
    [[nodiscard]] std::optional<double> target() const { return 0.0; }
    /// A run on another graph is another run, even if the file has the same name.
    [[nodiscard]] std::uint64_t fingerprint() const { return colouring::fingerprint(*graph); }

    template <class Gene>
    double evaluate(knossos::IntegerView<Gene> colour) const {
        return static_cast<double>(std::ranges::count_if(
            graph->edges, [&](const Edge& edge) { return colour[edge.first] == colour[edge.second]; }));
    }

    /// Knows how many neighbours of each vertex have each colour: another colour for a vertex is evaluated by
    /// looking up two numbers. A. Hertz, D. de Werra: "Using tabu search techniques for graph coloring",
    /// Computing 39, 1987.
    struct Tracker {
        std::shared_ptr<const Graph> graph;
        std::uint32_t colours;
        std::vector<std::uint32_t> colour{};
        std::vector<std::uint32_t> around{}; ///< of vertex and colour

        template <class Gene>
        double start(knossos::Integers<Gene> its) {
            colour.assign(its.begin(), its.end());
            around.assign(std::size_t{graph->vertices()} * colours, 0);
            std::uint64_t conflicts = 0;
            for (const auto& [a, b] : graph->edges) {
                ++around[at(a, colour[b])];
                ++around[at(b, colour[a])];
                conflicts += colour[a] == colour[b] ? 1U : 0U;
            }
            return static_cast<double>(conflicts);
        }
        [[nodiscard]] double delta(knossos::Assign move) const {
            return static_cast<double>(around[at(move.position, move.value)]) -
                   static_cast<double>(around[at(move.position, colour[move.position])]);
        }
        void apply(knossos::Assign move) {
            for (const std::uint32_t neighbour : graph->neighbours[move.position]) {
                --around[at(neighbour, colour[move.position])];
                ++around[at(neighbour, move.value)];
            }
            colour[move.position] = move.value;
        }

      private:
        [[nodiscard]] std::size_t at(std::size_t vertex, std::uint32_t its) const {
            return vertex * colours + its;
        }
    };
    [[nodiscard]] Tracker tracker() const { return {graph, colours}; }
};

/// Greedy partition: a child takes the largest colour class of one parent, then the largest of what is left
/// of the other's, and so on in turn; vertices that are left over get any colour. What is inherited is which
/// vertices go together, not what their colour is called. P. Galinier, J.-K. Hao: "Hybrid evolutionary
/// algorithms for graph coloring", Journal of Combinatorial Optimization 3, 1999.
struct GreedyPartition {
    double probability = 1.0;

    static constexpr std::string_view name = "greedy-partition";
    static constexpr auto fields() {
        return std::tuple{knossos::probability_field("probability", &GreedyPartition::probability,
                                                     "how often two parents are recombined")};
    }

    template <class Gene>
    void operator()(knossos::Stream& stream, knossos::Integers<Gene> a, knossos::Integers<Gene> b) const {
        const std::array parents{std::vector<std::uint32_t>(a.begin(), a.end()),
                                 std::vector<std::uint32_t>(b.begin(), b.end())};
        inherit(stream, parents, 0, a);
        inherit(stream, parents, 1, b);
    }

  private:
    template <class Gene>
    static void inherit(knossos::Stream& stream, const std::array<std::vector<std::uint32_t>, 2>& parents,
                        std::size_t first, knossos::Integers<Gene> child) {
        const std::uint32_t colours = child.alphabet();
        std::vector<bool> done(child.size(), false);
        for (std::uint32_t colour = 0; colour < colours; ++colour) {
            const auto& parent = parents[(first + colour) % 2];
            std::vector<std::uint32_t> sizes(colours, 0);
            for (std::size_t i = 0; i < parent.size(); ++i)
                if (!done[i]) ++sizes[parent[i]];
            const auto largest = static_cast<std::uint32_t>(std::ranges::max_element(sizes) - sizes.begin());
            for (std::size_t i = 0; i < parent.size(); ++i) {
                if (done[i] || parent[i] != largest) continue;
                child.set(i, colour);
                done[i] = true;
            }
        }
        for (std::size_t i = 0; i < child.size(); ++i)
            if (!done[i]) child.set(i, stream.below(colours));
    }
};

/// What is built in, and the above.
knossos::Registry registry();

} // namespace colouring
