#pragma once

#include <knossos/knossos.hpp>
#include <knossos/recipe/registry.hpp>

/// What is to be solved. To begin with: weights of 1, 4, 9, … n² on two heaps that weigh the same.
struct Heaps {
    static constexpr auto objective = knossos::Objective::minimise;
    std::uint32_t weights;

    /// A bit for each weight says on which heap it lies.
    [[nodiscard]] knossos::Space space() const { return knossos::Space::bits(weights); }

    /// Solved where the heaps differ by no more than they must: by 1 if the sum is odd.
    [[nodiscard]] std::optional<double> target() const {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 1; i <= weights; ++i) sum += i * i;
        return static_cast<double>(sum % 2);
    }

    /// Called from several threads at once.
    [[nodiscard]] double evaluate(knossos::BitView heap) const {
        std::int64_t difference = 0;
        for (std::uint32_t i = 0; i < weights; ++i) {
            const std::int64_t weight = std::int64_t{i + 1} * (i + 1);
            difference += heap[i] ? weight : -weight;
        }
        return static_cast<double>(difference < 0 ? -difference : difference);
    }
};

/// The [problem] section of a recipe: each field has a name, its least and its largest value, a meaning.
struct Fields {
    std::uint32_t weights = 40;

    static constexpr std::string_view name = "@name@";
    static constexpr auto fields() {
        return std::tuple{knossos::field("weights", &Fields::weights, 6, 10'000, "how many there are")};
    }
    [[nodiscard]] knossos::Problem make() const { return Heaps{weights}; }
};

/// What is built into Knossos, and this. Operators, algorithms and recipes are added in the same way.
inline knossos::Registry registry() {
    return knossos::Registry{}.add(knossos::domain_of_fields<Fields>("two heaps of squares, equally heavy"));
}
