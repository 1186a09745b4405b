#include "results.hpp"

#include "arrays.hpp"
#include "artefacts.hpp"

#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/trade_offs.hpp>
#include <knossos/render/contact_sheet.hpp>

#include <fmt/format.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>

namespace nb = nanobind;

namespace knossos::python {

namespace {

struct Figure {
    const char* name;
    std::function<double(const Statistics&)> of;
};

const std::vector<Figure>& figures() {
    static const std::vector<Figure> all{
        {"generation", [](const Statistics& s) { return static_cast<double>(s.generation); }},
        {"evaluations", [](const Statistics& s) { return static_cast<double>(s.evaluations); }},
        {"steps", [](const Statistics& s) { return static_cast<double>(s.steps); }},
        {"best", [](const Statistics& s) { return s.best; }},
        {"mean", [](const Statistics& s) { return s.mean; }},
        {"worst", [](const Statistics& s) { return s.worst; }},
        {"deviation", [](const Statistics& s) { return s.deviation; }},
        {"diversity", [](const Statistics& s) { return s.diversity; }},
        {"best_ever", [](const Statistics& s) { return s.best_ever; }},
        {"merit", [](const Statistics& s) { return s.merit; }},
        {"violation", [](const Statistics& s) { return s.violation; }},
        {"feasible", [](const Statistics& s) { return s.feasible; }},
        {"selection_intensity", [](const Statistics& s) { return s.selection_intensity; }},
        {"coverage", [](const Statistics& s) { return s.coverage; }},
        {"qd_score", [](const Statistics& s) { return s.qd_score; }},
        {"seconds", [](const Statistics& s) { return s.seconds; }}};
    return all;
}

nb::object column(std::size_t size, const std::function<double(std::size_t)>& value) {
    return new_doubles({size}, [&](double* out) {
        for (std::size_t i = 0; i < size; ++i) out[i] = value(i);
    });
}

nb::object whole(const nb::object& numbers) { return numbers.attr("astype")("int64"); }

nb::dict history_of(const Outcome& outcome) {
    const auto& history = outcome.result->history;
    nb::dict columns;
    for (const Figure& figure : figures())
        columns[figure.name] = column(history.size(), [&](std::size_t i) { return figure.of(history[i]); });
    for (const char* name : {"generation", "evaluations", "steps"}) columns[name] = whole(columns[name]);
    return columns;
}

nb::dict record_of(const Outcome& outcome) {
    const Result& result = *outcome.result;
    nb::dict record;
    for (std::size_t i = 0; i < result.columns.size(); ++i)
        record[nb::str(std::string{result.columns[i].name.text()}.c_str())] =
            result.record.empty() ? result.fitness : result.record[i];
    return record;
}

nb::dict hall_of(const Outcome& outcome) {
    const Result& result = *outcome.result;
    const auto& hall = result.hall_of_fame;
    nb::dict columns;
    for (std::size_t c = 0; c < result.columns.size(); ++c)
        columns[nb::str(std::string{result.columns[c].name.text()}.c_str())] =
            column(hall.size(), [&](std::size_t i) {
                return hall[i].record.empty() ? hall[i].fitness : hall[i].record[c];
            });
    columns["violation"] = column(hall.size(), [&](std::size_t i) { return hall[i].violation; });
    columns["generation"] =
        column(hall.size(), [&](std::size_t i) { return static_cast<double>(hall[i].generation); });
    columns["evaluations"] =
        column(hall.size(), [&](std::size_t i) { return static_cast<double>(hall[i].evaluations); });
    columns["island"] =
        column(hall.size(), [&](std::size_t i) { return static_cast<double>(hall[i].island); });
    for (const char* name : {"generation", "evaluations", "island"}) columns[name] = whole(columns[name]);
    return columns;
}

// The record of each elite, and along each axis the cell that it keeps.
nb::object gallery_of(const Outcome& outcome) {
    const Result& result = *outcome.result;
    if (!result.gallery) return nb::none();
    const Gallery& gallery = *result.gallery;
    const std::size_t size = gallery.cell.size();
    nb::dict columns;
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
        const auto values = gallery.elites.column(c);
        columns[nb::str(std::string{result.columns[c].name.text()}.c_str())] =
            column(size, [&](std::size_t i) { return values[i]; });
    }
    columns["cell"] = column(size, [&](std::size_t i) { return static_cast<double>(gallery.cell[i]); });
    columns["island"] = column(size, [&](std::size_t i) { return static_cast<double>(gallery.island[i]); });
    for (const char* name : {"cell", "island"}) columns[name] = whole(columns[name]);
    nb::list axes;
    for (const Axis& axis : gallery.axes)
        axes.append(nb::make_tuple(axis.name, axis.low, axis.high, axis.step, axis.cells));
    nb::dict all;
    all["columns"] = columns;
    all["axes"] = axes;
    all["cells"] = gallery.cells;
    all["coverage"] = gallery.coverage;
    all["qd_score"] = gallery.qd_score;
    all["genomes"] =
        genome_array(gallery.elites.space(), size, [&](std::size_t i) { return gallery.elites.genome(i); });
    return all;
}

// What the measures of artefacts are, which takes a while where there are many: by name.
nb::dict measures_of(const Outcome& outcome) {
    nb::dict columns;
    if (!outcome.recipe || !outcome.result->gallery) return columns;
    std::optional<MeasuredGallery> gallery;
    {
        const nb::gil_scoped_release others_may_run;
        gallery = measured(*outcome.recipe, *outcome.result->gallery);
    }
    for (std::size_t m = 0; m < gallery->measures.size(); ++m)
        columns[nb::str(gallery->measures[m].name.c_str())] =
            column(gallery->elites.size(), [&](std::size_t i) { return gallery->elites[i].measures[m]; });
    return columns;
}

// Some elites from all over the cells on one sheet, each with where it lies on the axes.
std::optional<std::string> sheet_of(const Outcome& outcome, std::size_t count) {
    if (!outcome.recipe || !outcome.result->gallery) return std::nullopt;
    const Result& result = *outcome.result;
    const Population& elites = result.gallery->elites;
    const std::size_t size = result.gallery->cell.size();
    const std::size_t shown = std::min(count, size);
    std::vector<render::SheetItem> items;
    for (std::size_t k = 0; k < shown; ++k) {
        const std::size_t i = k * size / shown;
        const std::byte* const bytes = elites.genome(i);
        const ArtefactPtr artefact = artefact_of(
            *outcome.recipe, {elites.space(), std::vector(bytes, bytes + elites.space().genome_bytes())});
        if (!artefact) return std::nullopt;
        std::string caption;
        for (const Axis& axis : result.gallery->axes)
            for (std::size_t c = 0; c < result.columns.size(); ++c)
                if (result.columns[c].name.text() == axis.name)
                    caption +=
                        fmt::format("{}{} {:g}", caption.empty() ? "" : "  ", axis.name, elites.column(c)[i]);
        const ArtefactPtr written = artefact->as_written();
        items.push_back({(written ? *written : *artefact).picture({.max_side = 240}), std::move(caption)});
    }
    if (items.empty()) return std::nullopt;
    return render::to_svg(render::contact_sheet(items, {.title = outcome.recipe->name()}));
}

const Genome* genome_at(const Result& result, std::optional<std::size_t> index) {
    if (!index) return &result.best;
    return *index < result.hall_of_fame.size() ? &result.hall_of_fame[*index].genome : nullptr;
}

std::optional<Thing> artefact_at(const Outcome& outcome, std::optional<std::size_t> index) {
    if (!outcome.recipe) return std::nullopt;
    const Genome* const genome = genome_at(*outcome.result, index);
    if (genome == nullptr) throw nb::index_error("the hall of fame is not that long");
    ArtefactPtr artefact = artefact_of(*outcome.recipe, *genome);
    if (!artefact) return std::nullopt;
    return Thing{std::move(artefact), outcome.recipe->registry()};
}

} // namespace

Outcome outcome_of(Result result, const Settings& settings, const Schema& schema) {
    const bool at_target =
        settings.stop.has(StopKind::target) &&
        settings.stop.ends_at({result.violation, result.merit}, false, schema.merit_objective());
    return {std::make_shared<const Result>(std::move(result)), std::nullopt, at_target};
}

nb::dict dictionary_of(const Statistics& statistics) {
    nb::dict all;
    for (const Figure& figure : figures()) all[figure.name] = figure.of(statistics);
    all["generation"] = statistics.generation;
    all["evaluations"] = statistics.evaluations;
    all["steps"] = statistics.steps;
    return all;
}

void bind_results(nb::module_& module) {
    using namespace nb::literals;
    const auto value = [](auto member) {
        return [member](const Outcome& outcome) { return (*outcome.result).*member; };
    };
    nb::class_<Outcome>(module, "Result", "What a run came to.")
        .def_prop_ro("fitness", value(&Result::fitness), "of the best")
        .def_prop_ro("violation", value(&Result::violation), "by how much the best misses what must hold")
        .def_prop_ro("merit", value(&Result::merit), "what targets look at")
        .def_prop_ro("merit_name", value(&Result::merit_name), "what that is")
        .def_prop_ro(
            "solved", [](const Outcome& outcome) { return outcome.result->solved || outcome.at_target; },
            "whether the target was reached")
        .def_prop_ro("stopped_by", value(&Result::stopped_by), "the rule that ended the run")
        .def_prop_ro("evaluations", value(&Result::evaluations), "made")
        .def_prop_ro("generations", value(&Result::generations), "made")
        .def_prop_ro("steps", value(&Result::steps), "what the algorithm counts beside generations")
        .def_prop_ro("failures", value(&Result::failures), "evaluations that failed")
        .def_prop_ro("restarts", value(&Result::restarts), "made")
        .def_prop_ro("remark", value(&Result::remark), "what the algorithm says")
        .def_prop_ro("seconds", value(&Result::seconds), "taken")
        .def_prop_ro(
            "digest", [](const Outcome& outcome) { return digest_text(outcome.result->digest); },
            "of every generation and the best genome: what two equal runs have in common")
        .def_prop_ro(
            "reached",
            [](const Outcome& outcome) {
                return outcome.recipe ? is_reached(*outcome.recipe, *outcome.result)
                                      : outcome.result->solved || outcome.at_target;
            },
            "whether the run got what its recipe asks for")
        .def_prop_ro(
            "genome", [](const Outcome& outcome) { return genome_array(outcome.result->best); },
            "the best, as an array of its genes")
        .def_prop_ro(
            "has_front", [](const Outcome& outcome) { return has_front(*outcome.result); },
            "whether it has several objectives")
        .def("record", &record_of, "The values of the best, by column.")
        .def("history", &history_of, "The figures of generations, by name.")
        .def("hall_of_fame", &hall_of,
             "The best different individuals, best first; of several objectives the front.")
        .def(
            "hall_genomes",
            [](const Outcome& outcome) {
                const auto& hall = outcome.result->hall_of_fame;
                return genome_array(outcome.result->best.space, hall.size(),
                                    [&](std::size_t i) { return hall[i].genome.bytes.data(); });
            },
            "Their genomes.")
        .def("gallery", &gallery_of, nb::sig("def gallery(self) -> dict | None"),
             "The elites, where the algorithm keeps an archive.")
        .def("gallery_svg", &sheet_of, "count"_a,
             "So many of them on a sheet; None if there is nothing to show.")
        .def("gallery_measures", &measures_of, "What their artefacts are like, by name.")
        .def("artefact", &artefact_at, "index"_a = nb::none(),
             "What the best stands for, or one of the hall of fame; None if there is nothing to show.")
        .def(
            "json",
            [](const Outcome& outcome) -> std::optional<std::string> {
                if (!outcome.recipe) return std::nullopt;
                return result_json(*outcome.recipe, *outcome.result);
            },
            "The result as `knossos run --json` writes it; None without a recipe that names a problem.");
}

} // namespace knossos::python
