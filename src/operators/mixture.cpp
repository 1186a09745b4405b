#include <knossos/core/error.hpp>
#include <knossos/operators/mixture.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos {

namespace {

// Where the kinds of a part begin, and how many there are.
struct Part {
    const Mutation* mutation;
    std::uint32_t first;
    std::uint32_t count;
    bool has_kinds;
};

std::vector<Part> parts_of(const Mixture& mixture) {
    std::vector<Part> parts;
    std::uint32_t first = 0;
    for (const Mutation& mutation : mixture.of) {
        const auto kinds = static_cast<std::uint32_t>(mutation.kinds().size());
        const std::uint32_t count = std::max<std::uint32_t>(kinds, 1);
        parts.push_back({&mutation, first, count, kinds != 0});
        first += count;
    }
    return parts;
}

} // namespace

Mixture Mixture::bind(const Problem& problem) const {
    Mixture bound;
    for (const Mutation& mutation : of) bound.of.push_back(mutation.bound(problem));
    return bound;
}

void Mixture::check(const Space& space) const {
    if (of.empty()) throw InvalidInput{"mixture: it has no mutations; name some, such as swap, inversion"};
    for (const Mutation& mutation : of) mutation.check(space);
}

std::vector<std::string> Mixture::kinds() const {
    std::vector<std::string> names;
    for (const Mutation& mutation : of) {
        const auto kinds = mutation.kinds();
        if (kinds.empty())
            names.push_back(fmt::format("{}", mutation.name()));
        else
            names.insert(names.end(), kinds.begin(), kinds.end());
    }
    return names;
}

void Mixture::mutate_batch(const StageStreams& streams, const Space& space, std::span<Mutant> mutants,
                           Scratch& scratch, bool always) const {
    const std::vector<Part> parts = parts_of(*this);
    const std::uint32_t kinds = parts.back().first + parts.back().count;
    std::vector<std::uint32_t> wanted(mutants.size());
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        wanted[i] = mutants[i].kind;
        if (wanted[i] != any_kind) continue;
        // The part itself draws from the stream of the slot.
        wanted[i] = streams.beside(mutants[i].slot).below(kinds);
    }
    std::vector<Mutant> some;
    std::vector<std::size_t> places;
    for (const Part& part : parts) {
        some.clear();
        places.clear();
        for (std::size_t i = 0; i < mutants.size(); ++i) {
            if (wanted[i] - part.first >= part.count) continue;
            Mutant mutant = mutants[i];
            mutant.kind = part.has_kinds ? wanted[i] - part.first : any_kind;
            some.push_back(mutant);
            places.push_back(i);
        }
        part.mutation->mutate(streams, space, some, scratch, always);
        for (std::size_t i = 0; i < some.size(); ++i) mutants[places[i]].changed = some[i].changed;
    }
}

} // namespace knossos
