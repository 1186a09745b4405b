#include "arrays.hpp"
#include "artefacts.hpp"
#include "bindings.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/render/picture.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstring>

namespace nb = nanobind;

namespace knossos::python {

namespace {

nb::dict fields_of(const PartInfo& part) {
    nb::dict fields;
    for (const FieldInfo& field : part.fields)
        fields[nb::str(field.name.c_str())] = nb::make_tuple(field.default_value, field.meaning);
    return fields;
}

nb::dict parts_of(const Registry& registry) {
    nb::dict places;
    for (const RecipeSection& section : registry.sections()) {
        nb::dict parts;
        for (const PartInfo& part : section.parts)
            parts[nb::str(part.name.c_str())] = nb::make_tuple(part.summary, fields_of(part));
        places[nb::str(section.path.c_str())] = parts;
    }
    return places;
}

nb::dict values_of(const Recipe& recipe) {
    nb::dict places;
    for (const RecipeSection& section : recipe.registry().sections()) {
        const Recipe::Choice* const choice = recipe.choice(section.path);
        if (choice == nullptr) continue;
        nb::dict values;
        if (!choice->kind.empty()) values["kind"] = choice->kind;
        for (const auto& [key, value] : choice->values) values[nb::str(key.c_str())] = value;
        places[nb::str(section.path.c_str())] = values;
    }
    return places;
}

nb::list columns_of(std::span<const Column> columns) {
    nb::list all;
    for (const Column& column : columns) {
        nb::dict one;
        one["name"] = std::string{column.name.text()};
        one["role"] = std::string{to_string(column.role)};
        one["direction"] = column.direction == Objective::maximise ? "maximise" : "minimise";
        one["low"] = column.low;
        one["high"] = column.high;
        all.append(one);
    }
    return all;
}

void bind_artefacts(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Thing>(module, "Artefact",
                      "What a genome stands for, or a file holds: a board, a level.\n\n"
                      ">>> import knossos\n"
                      ">>> knossos.Recipe('pmx-queens', problem__n=6).run(seed=1).artefact.caption\n"
                      "'6 queens, solved'\n")
        .def_prop_ro(
            "caption", [](const Thing& thing) { return thing.artefact->caption(); }, "in one line")
        .def(
            "json", [](const Thing& thing) { return thing.artefact->json(); },
            "A JSON object as text: what results say of it.")
        .def(
            "text",
            [](const Thing& thing, std::uint32_t columns, bool unicode) {
                return thing.artefact->text({.unicode = unicode, .columns = columns});
            },
            "columns"_a = 80, "unicode"_a = true, "For people, at most so many columns wide.")
        .def(
            "svg",
            [](const Thing& thing, std::uint32_t cell, bool dark) {
                return render::to_svg(
                    thing.artefact->picture({.theme = dark ? render::dark : render::light, .cell = cell}));
            },
            "cell"_a = 0, "dark"_a = false, "A picture, with so many pixels a cell; 0: as many as suit.")
        .def(
            "png",
            [](const Thing& thing, std::uint32_t cell, bool dark) {
                const std::string bytes = render::to_png(
                    thing.artefact->picture({.theme = dark ? render::dark : render::light, .cell = cell}));
                return nb::bytes(bytes.data(), bytes.size());
            },
            "cell"_a = 0, "dark"_a = false, "The same as PNG.")
        .def(
            "save",
            [](const Thing& thing, const std::filesystem::path& path) {
                write_artefact(path.string(), *thing.artefact, format_of(path.string(), thing.registry));
            },
            "path"_a, "Writes it in the format that the name asks for: .tmj, .png, .svg, .txt, .json, …")
        .def("_repr_svg_",
             [](const Thing& thing) {
                 return render::to_svg(thing.artefact->picture({.theme = render::light}));
             })
        .def("__repr__", [](const Thing& thing) { return "<Artefact: " + thing.artefact->caption() + ">"; })
        .def_prop_ro(
            "measures",
            [](const Thing& thing) {
                nb::dict measures;
                for (const Measured& one : thing.artefact->measures())
                    measures[nb::str(one.name.c_str())] = one.value;
                return measures;
            },
            "what it is like, in numbers")
        .def_prop_ro(
            "cells", [](const Thing& thing) { return cells_of(*thing.artefact); },
            "its cells, uint8 [height, width]; None if it has none", nb::sig("def cells(self) -> object"));
    module.def(
        "read_artefact",
        [](const std::filesystem::path& path) {
            return Thing{read_artefact(read_file(path, std::size_t{1} << 28U), path)};
        },
        "path"_a, "What a file holds, of whatever kind.");
}

} // namespace

nb::object cells_of(const Artefact& artefact) {
    auto cells = std::make_unique<std::vector<std::uint8_t>>(artefact.cells());
    const std::size_t columns = artefact.cells_per_row();
    if (columns == 0 || cells->empty()) return nb::none();
    const std::array<std::size_t, 2> shape{cells->size() / columns, columns};
    std::uint8_t* const data = cells->data();
    const nb::capsule keeper{cells.release(), [](void* pointer) noexcept {
                                 delete static_cast<std::vector<std::uint8_t>*>(pointer);
                             }};
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, shape.size(), shape.data(), keeper));
}

void bind_recipes(nb::module_& module) {
    using namespace nb::literals;
    bind_artefacts(module);
    nb::class_<Recipe>(module, "Recipe", "A run as data, complete and consistent.")
        .def_static(
            "load",
            [](const std::string& name, const std::vector<std::string>& overrides) {
                return Recipe::load(name, overrides);
            },
            "name_or_file"_a, "overrides"_a, "A built-in recipe by name, or a file that ends in .toml.")
        .def_static(
            "parse",
            [](const std::string& toml, const std::string& file, const std::vector<std::string>& overrides) {
                return Recipe::parse(toml, file, overrides);
            },
            "toml"_a, "file"_a, "overrides"_a, "Reads TOML; `file` is what messages call it.")
        .def_prop_ro("name", &Recipe::name, "what people call it")
        .def_prop_ro("description", &Recipe::description, "what it does")
        .def_prop_ro("seed", &Recipe::seed, "the seed of its runs")
        .def_prop_ro(
            "hash", [](const Recipe& recipe) { return recipe.hash(); }, "what it is, as a number")
        .def_prop_ro(
            "has_problem", [](const Recipe& recipe) { return recipe.choice("problem") != nullptr; },
            "whether it names a problem")
        .def_prop_ro(
            "space", [](const Recipe& recipe) { return recipe.problem().space(); }, "what its genomes are")
        .def_prop_ro(
            "columns", [](const Recipe& recipe) { return columns_of(recipe.problem().schema().columns()); },
            "what an evaluation gives")
        .def("to_toml", &Recipe::to_toml, "The whole recipe with every default.")
        .def("values", &values_of, "Everything that was chosen, by place.")
        .def(
            "decode",
            [](const Recipe& recipe, const Numbers& genes) -> std::vector<Thing> {
                std::vector<Thing> things;
                for (const Genome& genome : genomes_from(recipe.problem().space(), genes, "genomes")) {
                    ArtefactPtr artefact = artefact_of(recipe, genome);
                    if (artefact) things.push_back({std::move(artefact), recipe.registry()});
                }
                return things;
            },
            "genomes"_a, "What genomes stand for.");
    module.def(
        "recipe_names",
        [] {
            std::vector<std::string> names;
            for (const BuiltInRecipe& one : built_in_recipes()) names.push_back(one.name);
            return names;
        },
        "The recipes that are built in.");
    module.def(
        "parts", [] { return parts_of(Registry::built_in()); },
        "What can stand in each place of a recipe: its summary and fields, by name.");
}

} // namespace knossos::python
