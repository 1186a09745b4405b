#include "bindings.hpp"

#include <knossos/core/error.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>
#include <knossos/study/runner.hpp>
#include <knossos/study/store.hpp>
#include <knossos/study/study.hpp>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace knossos::python {

namespace {

nb::dict dictionary_of(const study::StudyProgress& progress) {
    nb::dict all;
    all["runs"] = progress.runs;
    all["done"] = progress.done;
    all["solved"] = progress.solved;
    all["seconds"] = progress.seconds;
    return all;
}

// Each configuration's settings for where its recipe wants its runs.
std::vector<Settings> settings_there(const study::Study& study, const std::filesystem::path& file,
                                     unsigned threads) {
    std::vector<Settings> settings;
    device::RunsAtOnce runs{.count = study::runs_at_once(study, threads)};
    for (const study::Configuration& one : study.configurations) {
        std::string remark;
        try {
            settings.push_back(device::on_wanted(one.recipe, one.recipe.settings(),
                                                 one.recipe.output().device, remark, {}, &runs));
        } catch (const InvalidInput& error) {
            throw InvalidInput{fmt::format("{}: {}: {}", file.string(), one.recipe.name(), error.what())};
        }
    }
    return settings;
}

// Returns whether all runs are recorded. What the callback raises, and Ctrl-C, end it; what is done is kept.
bool carry_out(const std::filesystem::path& file, const std::filesystem::path& database,
               const study::StudyChanges& changes, unsigned threads,
               const std::optional<nb::callable>& on_progress) {
    const study::Study study = study::Study::load(file, changes);
    std::exception_ptr raised;
    const auto ask_python = [&](const auto& call) {
        const nb::gil_scoped_acquire gil;
        try {
            call();
            if (PyErr_CheckSignals() != 0) throw nb::python_error{};
        } catch (const nb::python_error&) {
            raised = std::current_exception();
        }
    };
    bool is_complete = false;
    {
        const nb::gil_scoped_release others_may_run;
        std::vector<Settings> settings = settings_there(study, file, threads);
        study::StoreOptions opening;
        opening.on_wait = [&](double) {
            ask_python([] {});
            return !raised;
        };
        study::Store store = study::Store::open_for(database, study, opening);
        study::RunnerOptions options;
        options.threads = threads;
        options.settings = std::move(settings);
        options.should_stop = [&] { return static_cast<bool>(raised); };
        options.on_progress = [&](const study::StudyProgress& progress) {
            if (!raised)
                ask_python([&] {
                    if (on_progress) (*on_progress)(dictionary_of(progress));
                });
        };
        is_complete = study::carry_out(study, store, options);
    }
    if (raised) std::rethrow_exception(raised);
    return is_complete;
}

nb::dict texts_of(const std::vector<study::TextFile>& files) {
    nb::dict all;
    for (const study::TextFile& file : files) all[nb::str(file.name.c_str())] = file.text;
    return all;
}

struct OpenStudy {
    study::Analysis analysis;
};

// Configurations that can be compared, as the figures of the report have them.
nb::list groups_of(const OpenStudy& one) {
    nb::list groups;
    for (const study::Group& group : one.analysis.groups) {
        std::vector<std::string> members;
        for (const std::size_t member : group.members)
            members.push_back(one.analysis.configurations[member].info.label);
        nb::dict all;
        all["name"] = group.name;
        all["members"] = members;
        all["labels"] = group.labels;
        all["same_scale"] = group.same_scale;
        all["is_solved"] = group.is_solved;
        groups.append(all);
    }
    return groups;
}

// What each configuration has in common with those that differ from it in size alone: problem and label.
nb::dict methods_of(const OpenStudy& one) {
    nb::dict methods;
    for (const study::AnalysedConfiguration& each : one.analysis.configurations)
        methods[nb::str(each.info.label.c_str())] = nb::make_tuple(
            each.info.problem, study::label_without_size(each.info.label, one.analysis.registry));
    return methods;
}

} // namespace

void bind_studies(nb::module_& module) {
    using namespace nb::literals;
    module.def(
        "carry_out",
        [](const std::filesystem::path& file, const std::filesystem::path& database,
           std::optional<std::uint64_t> runs, std::optional<std::uint64_t> seed,
           std::optional<std::uint64_t> budget, const std::vector<std::string>& overrides, unsigned threads,
           const std::optional<nb::callable>& on_progress) {
            return carry_out(file, database,
                             {.runs = runs, .seed = seed, .budget = budget, .overrides = overrides}, threads,
                             on_progress);
        },
        "file"_a, "database"_a, "runs"_a.none(), "seed"_a.none(), "budget"_a.none(), "overrides"_a,
        "threads"_a, "on_progress"_a.none(), "Does the runs of a study that its database has not.");
    nb::class_<OpenStudy>(module, "Study", "What a study found.")
        .def_static(
            "open",
            [](const std::filesystem::path& database) {
                const nb::gil_scoped_release others_may_run;
                return OpenStudy{study::analyse(study::Store::open(database))};
            },
            "database"_a, "Reads a database.")
        .def_prop_ro(
            "name", [](const OpenStudy& one) { return one.analysis.study.name; }, "of the study")
        .def_prop_ro(
            "description", [](const OpenStudy& one) { return one.analysis.study.description; },
            "of the study")
        .def_prop_ro(
            "runs", [](const OpenStudy& one) { return one.analysis.runs; }, "that were made")
        .def_prop_ro(
            "verdicts",
            [](const OpenStudy& one) {
                std::vector<std::string> all;
                for (const study::Group& group : one.analysis.groups)
                    for (const study::Versus& versus : group.comparisons) all.push_back(versus.verdict);
                return all;
            },
            "each comparison in a sentence")
        .def_prop_ro("groups", &groups_of, "configurations that can be compared")
        .def_prop_ro("methods", &methods_of, "by configuration: the problem, and the label without its size")
        .def(
            "csv", [](const OpenStudy& one) { return texts_of(study::csv_report(one.analysis)); },
            "The numbers behind the report, as files of CSV by name.")
        .def(
            "svg", [](const OpenStudy& one) { return texts_of(study::svg_report(one.analysis)); },
            "The plots of the report, as files of SVG by name.")
        .def(
            "markdown", [](const OpenStudy& one) { return study::markdown_report(one.analysis); },
            "The findings as Markdown.")
        .def(
            "html", [](const OpenStudy& one) { return study::html_report(one.analysis); },
            "The report as one page.");
}

} // namespace knossos::python
