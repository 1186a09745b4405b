#include "bindings.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/genome.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <limits>

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

// As Python writes it, in ASCII, which every text can be.
std::string written(nb::handle value) {
    const nb::object text = nb::steal(PyObject_ASCII(value.ptr()));
    if (!text.is_valid()) throw nb::python_error{};
    return nb::cast<std::string>(text);
}

// A whole number of Python's. No genome has more genes than this: lengths in bytes stay far from what a
// machine can count.
std::uint32_t whole_number(nb::handle value, const char* name) {
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();
        throw nb::type_error(
            fmt::format("{} is {}; it must be a whole number", name, written(value)).c_str());
    }
    std::uint32_t found = 0;
    if (!nb::try_cast(number, found))
        throw InvalidInput{
            fmt::format("{} is {}; it must be a whole number in 0..{}", name, written(number), most)};
    return found;
}
std::uint32_t length_of(nb::handle value) { return whole_number(value, "space.length"); }

double real_number(nb::handle value, const char* name) {
    double found = 0.0;
    if (!nb::try_cast(value, found))
        throw nb::type_error(fmt::format("{} is {}; it must be a number", name, written(value)).c_str());
    return found;
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
            [](nb::handle length, nb::handle ones) {
                return ones.is_none()
                           ? Space::bits(length_of(length))
                           : Space::bits_with_ones(length_of(length), whole_number(ones, "space.ones"));
            },
            "length"_a.none(), "ones"_a = nb::none(),
            nb::sig("def bits(length: int, ones: int | None = None) -> Space"),
            "Strings of bits; with `ones`, each has exactly so many.")
        .def_static(
            "integers",
            [](nb::handle length, nb::handle alphabet) {
                return Space::integers(length_of(length), whole_number(alphabet, "space.alphabet"));
            },
            "length"_a.none(), "alphabet"_a.none(),
            nb::sig("def integers(length: int, alphabet: int) -> Space"), "Integers from 0 to alphabet - 1.")
        .def_static(
            "permutation", [](nb::handle length) { return Space::permutation(length_of(length)); },
            "length"_a.none(), nb::sig("def permutation(length: int) -> Space"),
            "Each of 0 .. length - 1 exactly once.")
        .def_static(
            "reals",
            [](nb::handle length, nb::handle low, nb::handle high) {
                return Space::reals(length_of(length),
                                    Bounds{real_number(low, "low"), real_number(high, "high")});
            },
            "length"_a.none(), "low"_a.none() = 0.0, "high"_a.none() = 1.0,
            nb::sig("def reals(length: int, low: float = 0.0, high: float = 1.0) -> Space"),
            "Real numbers, all within the same bounds.")
        .def_static(
            "reals_within",
            [](nb::handle bounds) {
                std::vector<std::pair<double, double>> pairs;
                if (!nb::try_cast(bounds, pairs))
                    throw nb::type_error("bounds must be a pair of numbers (low, high) for each gene");
                std::vector<Bounds> own;
                for (const auto& [low, high] : pairs) own.push_back({low, high});
                return Space::reals(std::move(own));
            },
            "bounds"_a.none(),
            nb::sig("def reals_within(bounds: collections.abc.Sequence[tuple[float, float]]) -> Space"),
            "Real numbers, each within its own bounds.")
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
