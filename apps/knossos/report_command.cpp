#include "commands.hpp"
#include "outputs.hpp"
#include "signals.hpp"

#include <knossos/core/files.hpp>
#include <knossos/study/report.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace knossos::app {

namespace {

// html, markdown or csv: as asked for, else by the file's extension.
std::string format_of(const ReportOptions& options) {
    if (!options.format.empty()) return options.format;
    const std::string extension = std::filesystem::path{options.output}.extension().string();
    if (extension.empty() || extension == ".html" || extension == ".htm") return "html";
    if (extension == ".md") return "markdown";
    if (extension == ".csv") return "csv";
    throw InvalidInput{
        fmt::format("{}: a report ends in .html, .md or .csv; or say --format", options.output)};
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw InputOutputError{fmt::format("{}: {}", folder.string(), failed.message())};
}

void write_all(const std::filesystem::path& folder, const std::vector<study::TextFile>& files) {
    for (const study::TextFile& file : files) {
        const auto path = folder / file.name;
        make_folder(path.parent_path());
        write_file(path, file.text);
    }
}

} // namespace

void write_ioh(const study::Store& store, const std::string& folder, bool quiet, const Registry& registry) {
    write_all(folder, study::ioh_report(store, registry));
    if (!quiet) fmt::print(stderr, "wrote {}\n", folder);
}

int report_study(const ReportOptions& options, const Registry& registry) {
    const std::string format = format_of(options);
    if (!options.output.empty() && options.output != "-") check_place(options.output);
    const SignalWatch watch;
    const study::Store store =
        study::Store::open(options.database, store_options(options.wait, options.quiet, registry.program()));
    const study::Analysis analysis = study::analyse(store, registry);
    if (analysis.runs == 0)
        throw InvalidInput{fmt::format("{}: the study holds no run yet", options.database)};
    const auto tell = [&](const std::string& path) {
        if (!options.quiet) fmt::print(stderr, "wrote {}\n", path);
    };
    if (!options.csv.empty()) {
        write_all(options.csv, study::csv_report(analysis));
        tell((std::filesystem::path{options.csv} / "*.csv").string());
    }
    if (!options.svg.empty()) {
        write_all(options.svg, study::svg_report(analysis));
        tell((std::filesystem::path{options.svg} / "*.svg").string());
    }
    if (!options.ioh.empty()) write_ioh(store, options.ioh, options.quiet, registry);
    const bool other_output = !options.csv.empty() || !options.svg.empty() || !options.ioh.empty();
    if (options.output.empty() && options.format.empty() && other_output) return reached;
    std::string text;
    if (format == "html") text = study::html_report(analysis);
    if (format == "markdown") text = study::markdown_report(analysis);
    if (format == "csv") text = study::csv_report(analysis).front().text;
    std::string output = options.output;
    if (output.empty() && format == "html")
        output = std::filesystem::path{options.database}.stem().string() + ".html";
    if (output.empty() || output == "-") {
        fmt::print("{}", text);
        return reached;
    }
    write_file(output, text);
    tell(output);
    return reached;
}

} // namespace knossos::app
