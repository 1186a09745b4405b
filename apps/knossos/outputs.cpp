#include "outputs.hpp"

#include "front.hpp"
#include "terminal.hpp"

#include <knossos/core/files.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/render/zip.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <unistd.h>

namespace knossos::app {

namespace {

// What a genome stands for, else the genome itself.
std::string seen(const Recipe& recipe, const Genome& genome, std::size_t names, bool ascii) {
    if (const ArtefactPtr artefact = artefact_of(recipe, genome))
        return "\n" + artefact->text(terminal_options(ascii));
    std::string text = genome.to_text();
    if (text.size() > 65) text = text.substr(0, 62) + "...";
    return fmt::format("  {:<{}} {}\n", "genome", names, text);
}

} // namespace

void print_best(const Recipe& recipe, const Result& result, std::size_t names, bool ascii) {
    fmt::print("{}", seen(recipe, result.best, names, ascii));
}

void print_contestants(const Recipe& recipe, const Result& result, bool ascii) {
    for (const ShownIndividual& one : result.contestants)
        fmt::print("\n  the {}{}: {:.10g}\n{}", one.name, one.genome == result.best ? ", the best" : "",
                   one.fitness, seen(recipe, one.genome, 12, ascii));
}

void check_place(const std::string& output) {
    const std::filesystem::path path{output};
    std::error_code ignored; // then writing will say it
    if (std::filesystem::is_directory(path, ignored))
        throw InvalidInput{fmt::format("{}: is a folder; name a file", output)};
    if (path.has_parent_path() && is_no_folder(path.parent_path()))
        throw InvalidInput{fmt::format("{}: there is no folder {}", output, path.parent_path().string())};
    // Files appear whole, by way of another one beside them; what is no file is written to directly.
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const bool is_special =
        std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
    if (!is_special && ::access(folder.c_str(), W_OK | X_OK) != 0)
        throw InputOutputError{fmt::format("{}: nothing can be written to its folder: {}", output,
                                           std::generic_category().message(errno))};
}

void check_outputs(const Recipe& recipe, const std::vector<std::string>& outputs) {
    if (outputs.empty()) return;
    const Domain& domain = domain_of(recipe);
    for (const auto& output : outputs) {
        if (domain.formats.empty())
            throw InvalidInput{fmt::format("{}: a result of {} can't be written as {}", output,
                                           domain.info.name,
                                           knossos::format_of(output, recipe.registry()).name)};
        (void)render::format_of(domain.formats, output); // says which ones there are
        check_place(output);
    }
}

bool may_be_written(const Artefact& artefact, const std::vector<std::string>& outputs,
                    const Registry& registry) {
    const std::string why = artefact.why_withheld();
    if (!why.empty())
        fmt::print(stderr, "{}: {} not written: what was found {}\n", registry.program(),
                   fmt::join(outputs, ", "), why);
    return why.empty();
}

bool write_outputs(const Recipe& recipe, const Result& result, const std::vector<std::string>& outputs,
                   const render::FormatOptions& options) {
    if (outputs.empty()) return true;
    const ArtefactPtr best = artefact_of(recipe, result.best);
    if (!best) return true;
    if (!may_be_written(*best, outputs, recipe.registry())) return false;
    for (const auto& output : outputs)
        write_artefact(output, *best, knossos::format_of(output, recipe.registry()), options);
    return true;
}

std::string numbered(const std::string& path, std::size_t number, std::size_t count) {
    const std::filesystem::path whole{path};
    const std::size_t digits = std::max<std::size_t>(2, std::to_string(count).size());
    return (whole.parent_path() /
            fmt::format("{}-{:0{}}{}", whole.stem().string(), number, digits, whole.extension().string()))
        .string();
}

namespace {

// How large one of so many is drawn, in pixels: so that what lies in its cells can be made out, as long as
// the sheet stays of a size that can be looked at.
std::uint32_t side_on_sheet(const Artefact& artefact, std::size_t count) {
    constexpr std::size_t cell = 16;
    constexpr std::size_t around = 56;
    constexpr double widest_sheet = 6000.0;
    constexpr std::uint32_t least = 240;
    const std::size_t columns = artefact.cells_per_row();
    const std::size_t rows = columns == 0 ? 0 : artefact.cells().size() / columns;
    const auto wanted = static_cast<std::uint32_t>(std::max(columns, rows) * cell + around);
    const auto most = static_cast<std::uint32_t>(
        widest_sheet / std::sqrt(1.5 * static_cast<double>(std::max<std::size_t>(count, 1))));
    return std::max(least, std::min(wanted, most));
}

} // namespace

SeveralOutputs::SeveralOutputs(std::vector<std::string> outputs, std::size_t count, const Registry& registry,
                               render::FormatOptions options)
    : count_{count}, options_{std::move(options)} {
    for (std::string& path : outputs) {
        std::string format = knossos::format_of(path, registry).name;
        outputs_.push_back({.path = std::move(path), .format = std::move(format)});
    }
}

std::vector<std::string> SeveralOutputs::add(const Artefact& artefact) {
    ++taken_;
    std::vector<std::string> names;
    bool is_packed = false;
    for (Output& output : outputs_) {
        const std::string path = numbered(output.path, taken_, count_);
        const std::string stem = std::filesystem::path{path}.stem().string();
        if (output.format != "zip") {
            waiting_.emplace_back(path, artefact.files(output.format, options_, stem));
            names.push_back(path);
            continue;
        }
        is_packed = true;
        for (render::NamedBytes& file : all_files(artefact, options_, stem))
            output.packed.push_back(std::move(file));
        names.push_back(output.path);
    }
    if (is_packed) {
        render::FormatOptions small = options_;
        small.max_side = side_ = std::max(side_, side_on_sheet(artefact, count_));
        const std::size_t digits = std::max<std::size_t>(2, std::to_string(count_).size());
        sheet_.push_back({.picture = artefact.picture(small),
                          .caption = fmt::format("{:0{}}: {}", taken_, digits, artefact.caption())});
    }
    return names;
}

void SeveralOutputs::write() {
    for (const auto& [path, files] : waiting_) render::write_files(path, files);
    waiting_.clear();
}

void SeveralOutputs::finish() {
    write();
    for (Output& output : outputs_) {
        if (output.format != "zip" || output.packed.empty()) continue;
        const std::string stem = std::filesystem::path{output.path}.stem().string();
        output.packed.push_back({.name = stem + "-sheet.png",
                                 .bytes = render::to_png(render::contact_sheet(
                                     sheet_, {.theme = options_.theme, .side = side_}))});
        render::write_files(output.path,
                            std::vector{render::NamedBytes{.bytes = render::to_zip(output.packed)}});
    }
}

void write_pictures(const Recipe& recipe, const Result& result, const std::filesystem::path& folder) {
    const Domain& domain = domain_of(recipe);
    std::vector<std::string> files;
    for (const auto* name : {"best.svg", "best.png"})
        if (domain.writes(knossos::format_of(name, recipe.registry())))
            files.push_back((folder / name).string());
    write_outputs(recipe, result, files);
    if (has_front(result)) write_front_pictures(recipe, trade_offs_of(result), folder);
}

std::optional<std::string> why_hopeless(const Recipe& recipe) {
    const auto* problem = recipe.choice("problem");
    if (problem == nullptr || recipe.choice("evaluator") != nullptr) return std::nullopt;
    const Domain& domain = domain_of(recipe);
    return domain.why_hopeless ? domain.why_hopeless(problem->values) : std::nullopt;
}

} // namespace knossos::app
