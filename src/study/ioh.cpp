#include <knossos/core/text.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

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
    if (kind == GenomeKind::reals) {
        const char* const end = genome.data() + genome.size();
        for (const char* at = genome.data(); at < end;) {
            double gene = 0.0;
            const auto [behind, error] = std::from_chars(at, end, gene);
            if (error == std::errc{} && std::isfinite(gene)) genes.push_back(gene);
            at = error == std::errc::invalid_argument ? at + 1 : behind;
        }
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
    // The worst value that can be written would have 301 digits.
    rows += std::abs(value) < 1e15 ? fmt::format("{} {:.10f}\n", evaluations, value)
                                   : fmt::format("{} {:.10g}\n", evaluations, value);
}

// The reader starts a new run at every row for evaluation 1, so that each run has exactly one. Where nothing
// is known of it (several islands are looked at generation by generation, and a best need not hold all it
// must), that is the worst value that can be written: no value may stand before it was found.
void add_run(std::string& rows, const RunRecord& run, bool maximise) {
    constexpr double worst = 1e300;
    const double nothing = maximise ? -worst : worst;
    rows += "evaluations raw_y\n";
    if (run.trace.empty() || run.trace.front().evaluations != 1) add_row(rows, 1, nothing);
    for (const TracePoint& point : run.trace) add_row(rows, point.evaluations, point.best);
    const std::uint64_t last = run.trace.empty() ? 1 : run.trace.back().evaluations;
    if (last < run.evaluations)
        add_row(rows, run.evaluations, run.trace.empty() ? nothing : run.trace.back().best);
}

// A number as it is, anything else as a text in quotes: iohinspector evaluates attributes as Python, and a
// value of a study must stay a value.
std::string attribute_text(const std::string& value) {
    if (finite_number(value)) return value;
    return nlohmann::ordered_json(value).dump(-1, ' ', false,
                                              nlohmann::ordered_json::error_handler_t::replace);
}

// A configuration's log: a JSON file, and the .dat file that it names.
struct Log {
    std::string label;
    std::string algorithm;
    std::string folder{};
    LoggedFunction function;
    bool maximise = false;
    std::string info;
    std::size_t dimension = 0;
    GenomeKind kind = GenomeKind::bits;
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    std::string rows{};
};

Log log_of(const RecordedConfiguration& configuration, const Registry& registry) {
    const Recipe recipe = Recipe::parse(configuration.recipe, configuration.label, {}, registry);
    const Space space = recipe.problem().space();
    Log log{.label = configuration.label,
            .algorithm = label_without_size(configuration.label, registry),
            .function = domain_of(recipe).logged_function(recipe.choice("problem")->values),
            .maximise = configuration.objective == Objective::maximise,
            .info = recipe.description(),
            .dimension = space.length,
            .kind = space.kind};
    for (const auto& [name, value] : configuration.varied)
        log.parameters.push_back({{name, attribute_text(value)}});
    return log;
}

// Sizes of a problem share an algorithm; whatever else differs makes another one, in a folder of its own.
void tell_apart(std::vector<Log>& logs) {
    const auto key = [](const Log& log) { return std::tuple{log.algorithm, log.function.id, log.dimension}; };
    std::map<std::tuple<std::string, std::uint32_t, std::size_t>, std::size_t> count;
    for (const Log& log : logs) ++count[key(log)];
    std::map<std::string, std::size_t> same; // labels of a database need not differ
    for (Log& log : logs) {
        if (count[key(log)] < 2) continue;
        log.algorithm = log.label;
        if (const std::size_t before = same[log.label]++; before > 0)
            log.algorithm += fmt::format(" ({})", before + 1);
    }
    std::map<std::string, std::string> algorithms; // by folder
    for (Log& log : logs) {
        const std::string name = file_name(log.algorithm);
        log.folder = name;
        for (std::size_t i = 2; algorithms.emplace(log.folder, log.algorithm).first->second != log.algorithm;
             ++i)
            log.folder = fmt::format("{}-{}", name, i);
    }
}

} // namespace

std::vector<TextFile> ioh_report(const Store& store, const Registry& registry) {
    std::vector<Log> logs;
    for (const RecordedConfiguration& one : store.study().configurations)
        logs.push_back(log_of(one, registry));
    tell_apart(logs);
    store.for_each_run(true, true, [&](const RunRecord& run) {
        if (run.trace.empty() && run.values.empty()) return; // it failed before it had anything
        Log& log = logs[run.configuration];
        add_run(log.rows, run, log.maximise);
        log.runs.push_back({{"instance", 1},
                            {"evals", run.evaluations},
                            {"best",
                             {{"evals", run.found_at},
                              {"y", std::isfinite(run.best) ? run.best
                                    : log.maximise          ? -1e300
                                                            : 1e300},
                              {"x", genes_of(run.genome, log.kind)}}}});
    });
    std::vector<TextFile> files;
    for (Log& log : logs) {
        if (log.runs.empty()) continue;
        const std::string called =
            fmt::format("f{}_{}_DIM{}", log.function.id, file_name(log.function.name), log.dimension);
        const std::string path =
            fmt::format("data_{}/IOHprofiler_f{}_DIM{}.dat", called, log.function.id, log.dimension);
        const nlohmann::ordered_json json{
            {"version", layout_version},
            {"suite", log.function.suite},
            {"function_id", log.function.id},
            {"function_name", log.function.name},
            {"maximization", log.maximise},
            {"algorithm", {{"name", log.algorithm}, {"info", log.info}}},
            {"experiment_attributes", std::move(log.parameters)},
            {"attributes", {"evaluations", "raw_y"}},
            {"scenarios", {{{"dimension", log.dimension}, {"path", path}, {"runs", std::move(log.runs)}}}}};
        files.push_back({fmt::format("{}/{}", log.folder, path), std::move(log.rows)});
        // Names in the database may be anything.
        files.push_back({fmt::format("{}/IOHprofiler_{}.json", log.folder, called),
                         json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"});
    }
    return files;
}

} // namespace knossos::study
