#include <knossos/recipe/domains.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace knossos::study {

namespace {

// The oldest version of IOHexperimenter whose files have this layout.
constexpr std::string_view layout_version = "0.3.3";

// A name that is safe as a file's on any system.
std::string file_name(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '_' || c == '.' || c == '=';
        name += plain ? c : '_';
    }
    return name.empty() || name.front() == '.' ? "_" + name : name;
}

// The genome's genes as numbers: bits are written without spaces, other genes with them.
nlohmann::ordered_json genes_of(const std::string& genome, GenomeKind kind) {
    auto genes = nlohmann::ordered_json::array();
    if (kind == GenomeKind::bits) {
        for (const char c : genome)
            if (c == '0' || c == '1') genes.push_back(c - '0');
        return genes;
    }
    std::uint64_t value = 0;
    bool inside = false;
    for (const char c : genome + " ") {
        if (c >= '0' && c <= '9') {
            value = value * 10 + static_cast<std::uint64_t>(c - '0');
            inside = true;
        } else if (inside) {
            genes.push_back(value);
            value = 0;
            inside = false;
        }
    }
    return genes;
}

void add_row(std::string& rows, std::uint64_t evaluations, double value) {
    rows += fmt::format("{} {:.10f}\n", evaluations, value);
}

// The reader starts a new run at every row for evaluation 1, so that each run has exactly one. Before
// anything was found that holds all it must, that is the worst value that can be written.
void add_run(std::string& rows, const RunRecord& run, bool maximise) {
    constexpr double worst = 1e300;
    const double nothing = maximise ? -worst : worst;
    rows += "evaluations raw_y\n";
    if (run.trace.empty() || run.trace.front().evaluations != 1)
        add_row(rows, 1, run.values.empty() ? run.trace.front().best : nothing);
    for (const TracePoint& point : run.trace) add_row(rows, point.evaluations, point.best);
    const std::uint64_t last = run.trace.empty() ? 1 : run.trace.back().evaluations;
    if (last < run.evaluations)
        add_row(rows, run.evaluations, run.trace.empty() ? nothing : run.trace.back().best);
}

struct Scenario {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    std::string rows;
};

struct Experiment {
    LoggedFunction function;
    bool maximise = false;
    std::string algorithm;
    std::string info;
    std::map<std::size_t, Scenario> scenarios; ///< by dimension
};

} // namespace

std::vector<TextFile> ioh_report(const Store& store, const Registry& registry) {
    const RecordedStudy study = store.study();
    std::map<std::string, Experiment> experiments; // by folder and function
    struct Place {
        Scenario* scenario;
        GenomeKind kind;
        bool maximise;
    };
    std::vector<Place> places;
    for (const RecordedConfiguration& one : study.configurations) {
        const Recipe recipe = Recipe::parse(one.recipe, one.label, {}, registry);
        const Space space = recipe.problem().space();
        const LoggedFunction function = domain_of(recipe).logged_function(recipe.choice("problem")->values);
        const std::string algorithm = label_without_size(one.label, registry);
        auto key = [&](const std::string& name) {
            return fmt::format("{}/{}_{}", file_name(name), function.id, function.name);
        };
        // Two configurations of one name and dimension are two algorithms after all.
        std::string name = algorithm;
        if (experiments.contains(key(name)) && experiments[key(name)].scenarios.contains(space.length))
            name = one.label;
        Experiment& experiment = experiments[key(name)];
        experiment.function = function;
        experiment.maximise = one.objective == Objective::maximise;
        experiment.algorithm = name;
        experiment.info = recipe.description();
        places.push_back({&experiment.scenarios[space.length], space.kind, experiment.maximise});
    }
    store.for_each_run(true, true, [&](const RunRecord& run) {
        if (run.trace.empty() && run.values.empty()) return; // it failed before it had anything
        const Place& place = places[run.configuration];
        add_run(place.scenario->rows, run, place.maximise);
        place.scenario->runs.push_back({{"instance", 1},
                                        {"evals", run.evaluations},
                                        {"best",
                                         {{"evals", run.found_at},
                                          {"y", std::isfinite(run.best) ? run.best
                                                : place.maximise        ? -1e300
                                                                        : 1e300},
                                          {"x", genes_of(run.genome, place.kind)}}}});
    });
    std::vector<TextFile> files;
    for (auto& [key, experiment] : experiments) {
        const std::string folder = key.substr(0, key.find('/'));
        const std::string called =
            fmt::format("f{}_{}", experiment.function.id, file_name(experiment.function.name));
        nlohmann::ordered_json json{
            {"version", layout_version},
            {"suite", experiment.function.suite},
            {"function_id", experiment.function.id},
            {"function_name", experiment.function.name},
            {"maximization", experiment.maximise},
            {"algorithm", {{"name", experiment.algorithm}, {"info", experiment.info}}},
            {"attributes", {"evaluations", "raw_y"}},
            {"scenarios", nlohmann::ordered_json::array()}};
        for (auto& [dimension, scenario] : experiment.scenarios) {
            if (scenario.runs.empty()) continue;
            const std::string path =
                fmt::format("data_{}/IOHprofiler_f{}_DIM{}.dat", called, experiment.function.id, dimension);
            json["scenarios"].push_back(
                {{"dimension", dimension}, {"path", path}, {"runs", std::move(scenario.runs)}});
            files.push_back({fmt::format("{}/{}", folder, path), std::move(scenario.rows)});
        }
        if (!json["scenarios"].empty())
            // Names in the database may be anything.
            files.push_back(
                {fmt::format("{}/IOHprofiler_{}.json", folder, called),
                 json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"});
    }
    return files;
}

} // namespace knossos::study
