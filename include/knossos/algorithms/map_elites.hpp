#pragma once

#include <knossos/algorithms/algorithm.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// MAP-Elites: the population is an archive with the best individual of each cell of a grid over what
/// individuals are like, or, for more than two axes, of as many cells as there are centroids. A generation
/// draws parents from it and brings their children, made by the other stages, each to its cell; per cell the
/// best child counts, of equals the first. It takes the cell unless it is worse than the elite there: less
/// violation first, then the objective. The first population is random. Parents are drawn by what they lately
/// gave: whose child filled a new cell is drawn more often, and each child that did not makes it rarer. Where
/// the mutation knows several kinds of change, their shares follow the new cells and improvements that each
/// lately brought. J.-B. Mouret, J. Clune: "Illuminating search spaces by mapping elites", 2015. A. Cully, Y.
/// Demiris: "Quality and diversity optimization: a unifying modular framework", 2018, call such a parent
/// curious. J. E. Baker: "Reducing bias and inefficiency in the selection algorithm", 1987: all parents are
/// drawn by one spin.
struct MapElites {
    std::string axes{};
    std::uint32_t centroids = 0;

    /// Kept between generations: the archive is worked out from the population, the rest is not.
    struct State {
        /// How often one kind of change was tried and what it gave, the older the less.
        struct Kind {
            double tried = 0.0;
            double gave = 0.0;
        };
        std::vector<std::uint16_t> curiosity{}; ///< of each elite
        std::vector<Kind> kinds{};
        Archive archive{};

        void write(ByteWriter& out) const;
        void read(ByteReader& in);
        [[nodiscard]] bool is_sound() const;
    };

    static constexpr std::string_view name = "map-elites";
    static constexpr std::array<std::string_view, 2> uses{"recombine", "mutate"};
    static constexpr auto fields() {
        return std::tuple{field("axes", &MapElites::axes,
                                "in what elites differ, with ranges and steps: path 0..262 by 2, open 0..400 "
                                "by 4"),
                          field("centroids", &MapElites::centroids, 0, Centroids::most,
                                "cells of about the same size, instead of a grid by steps; 0 is a grid")};
    }
    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const;
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring);
    void step(const Context& context, Island& island) const;
    /// As step(), with children that somebody else makes: `breed` makes them of these parents, two of each
    /// couple, evaluates and counts them; `bring` is asked for the genomes of some of them before they go to
    /// their cells.
    struct Breeder {
        std::function<void(std::span<const std::uint32_t> parents)> breed;
        std::function<void(std::span<const std::uint32_t> children)> bring{};
    };
    void step_by(const Context& context, Island& island, const Breeder& breeder) const;

    /// Whose children a generation has and how they change, told without a list of all of them.
    struct Lots {
        /// For each elite how many draws those before it have, and all draws at the end; four children of
        /// each draw lie side by side.
        std::span<const std::uint32_t> draws_before;
        /// The parent of each child, where couples are shuffled; else empty.
        std::span<const std::uint32_t> parents;
        /// For each kind of change after the first the least number below 2⁵³ that means it or a later one,
        /// if that is what the stream of operations gives for the child; empty if nobody chooses.
        std::span<const std::uint64_t> kinds;

        /// How many of the first `children` are those of an elite, unless they are shuffled.
        [[nodiscard]] std::size_t children_before(std::size_t elite, std::size_t children) const;
    };
    /// What comes of it.
    struct Harvest {
        struct Winner {
            std::uint32_t child;
            std::uint32_t cell;
            std::uint32_t kind; ///< of change, where there are several
        };
        /// Of those who are not worse than who is there, the best of each cell, of equals the first, in the
        /// order of their slots.
        std::vector<Winner> best{};
        std::vector<std::uint64_t> tried{}; ///< children by their kind, where there are several
    };
    /// As step_by(), for somebody who brings children and cells together himself: he makes, evaluates and
    /// counts the children, and says who is to come to which cell; those have their genomes and records in
    /// island.offspring then.
    void step_by_lots(const Context& context, Island& island,
                      const std::function<Harvest(const Lots&)>& breed) const;
    [[nodiscard]] std::string remark(const Schema& schema, const Island& island) const;

    [[nodiscard]] std::shared_ptr<const Cells> cells(const Schema& schema) const;
    static const Archive& archive(const Island& island);
    static void begin(const Context& context, Island& island, std::shared_ptr<const Cells> cells);
    static bool take_up(const Schema& schema, Island& island, std::shared_ptr<const Cells> cells);
    static void admit(const Context& context, Island& island, std::span<const Population* const> arrivals);
};

} // namespace knossos
