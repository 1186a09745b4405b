#include "arrays.hpp"
#include "bindings.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/memory.hpp>
#include <knossos/recipe/recipe.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace nb = nanobind;

namespace knossos::python {

namespace {

nb::object array_of(const Space& space, const std::vector<Genome>& genomes) {
    return genome_array(space, genomes.size(), [&](std::size_t i) { return genomes[i].bytes.data(); });
}

// Children of pairs of parents, by the recombination of a recipe that says nothing else.
nb::tuple recombine(const Recipe& settings, const Space& space, const Numbers& first, const Numbers& second,
                    std::uint64_t seed, bool always) {
    std::vector<Genome> a = genomes_from(space, first, "first");
    std::vector<Genome> b = genomes_from(space, second, "second");
    if (a.size() != b.size())
        throw InvalidInput{
            fmt::format("there are {} first parents and {} second ones; it takes two to make children",
                        a.size(), b.size())};
    const Recombination op = settings.settings().recombine;
    op.check(space);
    std::vector<Couple> couples;
    for (std::size_t i = 0; i < a.size(); ++i)
        couples.push_back({a[i].bytes.data(), b[i].bytes.data(), static_cast<std::uint32_t>(i)});
    Scratch scratch;
    op.cross({Streams{seed}.key(Purpose::recombine), 0}, space, couples, scratch, always);
    return nb::make_tuple(array_of(space, a), array_of(space, b));
}

nb::object mutate(const Recipe& settings, const Space& space, const Numbers& genomes, std::uint64_t seed,
                  bool always) {
    std::vector<Genome> all = genomes_from(space, genomes, "genomes");
    const Problem problem = evaluated_by(space, Objective::maximise, [](const Batch&, std::span<double>) {});
    const auto chosen = settings.settings().mutate;
    if (!chosen) throw InvalidInput{"no mutation is named"};
    const Mutation op = chosen->bound(problem);
    op.check(space);
    std::vector<Mutant> mutants;
    for (std::size_t i = 0; i < all.size(); ++i)
        mutants.push_back({all[i].bytes.data(), static_cast<std::uint32_t>(i)});
    Scratch scratch;
    op.mutate({Streams{seed}.key(Purpose::mutate), 0}, space, mutants, scratch, always);
    return array_of(space, all);
}

nb::object random_genomes(const Space& space, std::size_t count, std::uint64_t seed) {
    const double needed = array_bytes(space, count);
    const auto memory = static_cast<double>(usable_memory());
    if (needed > memory)
        throw InvalidInput{fmt::format(
            "count is {}; so many genomes would take about {:.1f} GB of memory, and there are {:.1f} GB",
            count, needed * 1e-9, memory * 1e-9)};
    GenomeArray genomes{space, count};
    std::vector<std::byte> genome(space.genome_bytes());
    for (std::size_t i = 0; i < count; ++i) {
        std::ranges::fill(genome, std::byte{0});
        Stream stream = Streams{seed}.at(Purpose::initialise, 0, static_cast<std::uint32_t>(i));
        randomise(stream, space, genome.data());
        genomes.put(i, genome.data());
    }
    return genomes.array(count);
}

} // namespace

void bind_operators(nb::module_& module) {
    using namespace nb::literals;
    module.def("recombine", &recombine, "settings"_a, "space"_a, "first"_a, "second"_a, "seed"_a, "always"_a,
               "The children of pairs of parents.");
    module.def("mutate", &mutate, "settings"_a, "space"_a, "genomes"_a, "seed"_a, "always"_a,
               "Mutants of genomes.");
    module.def("random_genomes", &random_genomes, "space"_a, "count"_a, "seed"_a, "Genomes drawn at random.");
}

} // namespace knossos::python
