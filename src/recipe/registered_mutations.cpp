#include "registered.hpp"

#include <knossos/core/text.hpp>

#include <fmt/format.h>

namespace knossos {

namespace {

/// What a recipe says of a mixture.
struct MixtureFields {
    std::string of{};

    static constexpr std::string_view name = Mixture::name;
    static constexpr auto fields() {
        return std::tuple{field("of", &MixtureFields::of, "mutations by name, apart by commas")};
    }
};

[[noreturn]] void refuse_mixture(const std::string& fault) {
    throw InvalidSetting{"mutate", Mixture::name, "of", fault};
}

Mutation made_mixture(const Values& values, const std::vector<Entry<Mutation>>& others) {
    std::vector<std::string> known;
    for (const auto& other : others)
        if (!other.make_of) known.push_back(other.info.name);
    Mixture mixture;
    for (const std::string& name : entries_of(from_values<MixtureFields>(values).of)) {
        if (std::ranges::find(known, name) == known.end()) {
            const auto meant = nearest(name, known);
            refuse_mixture(fmt::format("names '{}', which is no mutation; {}", name,
                                       meant ? fmt::format("did you mean {}?", *meant)
                                             : fmt::format("there are {}", fmt::join(known, ", "))));
        }
        mixture.of.push_back(made_of(others, name, {}));
    }
    if (mixture.of.empty()) refuse_mixture("is empty; name some mutations, such as \"swap, inversion\"");
    return mixture;
}

Entry<Mutation> mixture_entry() {
    return {.info = {.name = std::string{Mixture::name},
                     .summary = "several mutations, of which each child gets one",
                     .fields = fields_of<MixtureFields>()},
            .make = {},
            .make_of = made_mixture};
}

} // namespace

std::vector<Entry<Mutation>> built_in_mutations() {
    return {
        entry<Mutation, PointMutation>("changes one random gene (bits, integers, reals)"),
        entry<Mutation, UniformMutation>("changes each gene with a probability (bits, integers, reals)"),
        entry<Mutation, BitFlip>("flips each bit with probability 1/length or as given (bits)"),
        entry<Mutation, Rotate>("turns the genome by a random number of places (all but reals)"),
        entry<Mutation, MoveOnes>("moves some ones to zeros, keeping their number (bits)"),
        entry<Mutation, SwapMutation>("exchanges two positions (permutations)"),
        entry<Mutation, Insertion>("moves one gene elsewhere (permutations)"),
        entry<Mutation, Inversion>("turns a stretch round (permutations)"),
        entry<Mutation, Scramble>("shuffles a stretch (permutations)"),
        entry<Mutation, ShuffleIndexes>("exchanges each position with a probability (permutations)"),
        entry<Mutation, PolynomialMutation>("changes each gene with a probability, mostly a little (reals)"),
        entry<Mutation, GaussianMutation>("changes each gene with a probability by a normal deviate (reals)"),
        entry<Mutation, ProblemMove>("whatever the problem itself proposes"),
        mixture_entry(),
    };
}

} // namespace knossos
