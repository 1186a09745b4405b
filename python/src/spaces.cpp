#include "bindings.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/genome.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace knossos::python {

namespace {

std::vector<std::pair<double, double>> bounds_of(const Space& space) {
    std::vector<std::pair<double, double>> all;
    if (space.kind != GenomeKind::reals) return all;
    for (std::size_t i = 0; i < space.length; ++i)
        all.emplace_back(space.bounds(i).low, space.bounds(i).high);
    return all;
}

// No genome of Python's has more: lengths in bytes stay far from what a machine can count.
std::size_t some_genes(std::size_t length) {
    constexpr std::size_t most = 4'294'967'295;
    if (length > most)
        throw InvalidInput{fmt::format("space.length is {}; genomes have at most {} genes", length, most)};
    return length;
}

} // namespace

void bind_spaces(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Space>(module, "Space",
                      "What genomes are: their kind, length and alphabet or bounds.\n\n"
                      ">>> import knossos\n"
                      ">>> knossos.random_genomes(knossos.Space.permutation(5), 3, seed=1).shape\n"
                      "(3, 5)\n")
        .def_static(
            "bits",
            [](std::size_t length, std::optional<std::size_t> ones) {
                return ones ? Space::bits_with_ones(some_genes(length), *ones)
                            : Space::bits(some_genes(length));
            },
            "length"_a, "ones"_a = nb::none(), "Strings of bits; with `ones`, each has exactly so many.")
        .def_static(
            "integers",
            [](std::size_t length, std::uint32_t alphabet) {
                return Space::integers(some_genes(length), alphabet);
            },
            "length"_a, "alphabet"_a, "Integers from 0 to alphabet - 1.")
        .def_static("permutation", &Space::permutation, "length"_a, "Each of 0 .. length - 1 exactly once.")
        .def_static(
            "reals",
            [](std::size_t length, double low, double high) {
                return Space::reals(some_genes(length), Bounds{low, high});
            },
            "length"_a, "low"_a = 0.0, "high"_a = 1.0, "Real numbers, all within the same bounds.")
        .def_static(
            "reals_within",
            [](const std::vector<std::pair<double, double>>& bounds) {
                std::vector<Bounds> own;
                for (const auto& [low, high] : bounds) own.push_back({low, high});
                return Space::reals(std::move(own));
            },
            "bounds"_a, "Real numbers, each within its own bounds.")
        .def_prop_ro(
            "kind", [](const Space& space) { return std::string{to_string(space.kind)}; },
            "bits, packed, integers, permutation or reals")
        .def_prop_ro(
            "length", [](const Space& space) { return space.length; }, "how many genes a genome has")
        .def_prop_ro(
            "alphabet", [](const Space& space) { return space.alphabet; },
            "of integers, how many values a gene may have")
        .def_prop_ro("bounds", &bounds_of, "of reals, where each gene lies")
        .def(
            "__eq__", [](const Space& a, const Space& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const Space& space) { return std::hash<std::string>{}(describe(space)); })
        .def("__repr__", [](const Space& space) { return "<Space: " + describe(space) + ">"; });
    module.def("toml_text", &toml_text, "text"_a, "A text as TOML writes it.");
}

} // namespace knossos::python
