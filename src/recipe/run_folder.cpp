#include <knossos/core/bytes.hpp>

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/recipe/trade_offs.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/run/epochs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <system_error>
#include <type_traits>

namespace knossos {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view trace_header =
    "generation,evaluations,best,mean,worst,deviation,diversity,best_ever,seconds";

// Columns that a trace has where they say something: behind the others, in this order.
struct TraceColumn {
    std::string_view name;
    double (*get)(const Statistics&);
    bool (*set)(Statistics&, double); ///< false if it can't be that
    bool (*is_telling)(const Statistics&);
};

template <auto member>
constexpr TraceColumn trace_column(std::string_view name, bool (*is_telling)(const Statistics&)) {
    return {name, [](const Statistics& row) { return static_cast<double>(row.*member); },
            [](Statistics& row, double value) {
                using Member = std::remove_reference_t<decltype(row.*member)>;
                constexpr double most = 9007199254740992.0; // up to here doubles tell whole numbers apart
                if (std::is_integral_v<Member> && !(value >= 0.0 && value <= most)) return false;
                row.*member = static_cast<Member>(value);
                return true;
            },
            is_telling};
}

constexpr auto misses = [](const Statistics& row) { return row.violation != 0.0 || row.feasible != 1.0; };
constexpr auto has_archive = [](const Statistics& row) { return row.coverage != 0.0; };
constexpr std::array<TraceColumn, 7> more_trace_columns{
    {trace_column<&Statistics::violation>("violation", misses),
     trace_column<&Statistics::feasible>("feasible", misses),
     trace_column<&Statistics::merit>("merit",
                                      [](const Statistics& row) { return row.merit != row.best_ever; }),
     trace_column<&Statistics::coverage>("coverage", has_archive),
     trace_column<&Statistics::qd_score>("qd_score", has_archive),
     trace_column<&Statistics::steps>("steps", [](const Statistics& row) { return row.steps != 0; }),
     trace_column<&Statistics::selection_intensity>(
         "intensity", [](const Statistics& row) { return row.selection_intensity != 0.0; })}};

bool is_run_folder(const fs::path& path) {
    std::error_code error;
    const bool found = fs::exists(path / "recipe.toml", error);
    if (error && error != std::errc::filename_too_long)
        throw InputOutputError{fmt::format("{}: looking into it failed: {}", path.string(), error.message())};
    return found;
}

// A run that was killed before its recipe was there leaves a folder for the next one.
bool is_as_good_as_empty(const fs::path& path) {
    if (!fs::is_directory(path)) return false;
    std::error_code error;
    const fs::directory_iterator entries{path, error};
    return !error &&
           std::ranges::all_of(entries, [](const auto& entry) { return is_leftover(entry.path()); });
}

// What a run could be taken up from.
struct Candidate {
    std::uint64_t generation = 0;
    std::string file{}; ///< a checkpoint's; empty for a generation in epochs/
};

// The newest first. Where there are both kinds, checkpoints are read for their generation; one that can't be
// may be of any, and comes first, so that it is said what is wrong with it.
std::vector<Candidate> candidates_in(const fs::path& folder, std::uint32_t islands,
                                     const RecipeHash& recipe_hash) {
    std::vector<Candidate> all;
    for (const std::uint64_t generation : complete_epochs(folder, islands)) all.push_back({generation});
    const bool has_epochs = !all.empty();
    for (const fs::path& file : checkpoint_files(folder)) {
        Candidate& one = all.emplace_back(~std::uint64_t{0}, file.filename().string());
        if (!has_epochs) continue;
        try {
            one.generation = generation_of(read_checkpoint(file, recipe_hash));
        } catch (const InvalidInput&) { // NOLINT(bugprone-empty-catch): said by whoever reads it again
        }
    }
    std::ranges::stable_sort(all, std::greater{}, &Candidate::generation);
    return all;
}

// What one member sees of a shared folder another may not see yet: the first member's list holds for all.
std::vector<Candidate> agreed_candidates(const fs::path& folder, std::uint32_t islands,
                                         const RecipeHash& recipe_hash, Exchange* exchange) {
    if (exchange == nullptr) return candidates_in(folder, islands, recipe_hash);
    ByteWriter out;
    together(*exchange, [&] {
        if (exchange->member() != 0) return;
        for (const Candidate& one : candidates_in(folder, islands, recipe_hash)) {
            out.put(one.generation);
            out.put_text(one.file);
        }
    });
    const auto first = exchange->gather(out.take()).front();
    std::vector<Candidate> all;
    for (ByteReader in{first}; !in.empty();) {
        Candidate& one = all.emplace_back();
        one.generation = in.get<std::uint64_t>();
        one.file = in.get_text();
    }
    return all;
}

// Worked out once, unless it depends on the generation.
RecipeHash hash_of(const Recipe& recipe) {
    const std::uint64_t whole = recipe.hash();
    if (whole == recipe.hash(0)) return [whole](std::uint64_t /*generation*/) { return whole; };
    return [recipe](std::uint64_t generation) { return recipe.hash(generation); };
}

template <class Number>
Number next_number(std::string_view& row, std::string_view file, std::size_t line) {
    const std::size_t end = std::min(row.find(','), row.size());
    Number value{};
    const auto [stop, error] = read_number(row.data(), row.data() + end, value);
    if (error != std::errc{} || stop != row.data() + end)
        throw InvalidInput{fmt::format("{}:{}: '{}' is not a number of a trace", file, line,
                                       row.substr(0, std::min<std::size_t>(end, 40)))};
    row = end < row.size() ? row.substr(end + 1) : std::string_view{};
    return value;
}

} // namespace

RunFolder::RunFolder(fs::path path, Recipe recipe)
    : path_{std::move(path)}, recipe_{std::move(recipe)}, recipe_hash_{hash_of(recipe_)} {}

RunFolder RunFolder::create(const fs::path& path, const Recipe& recipe) {
    std::error_code error;
    if (is_run_folder(path))
        throw InvalidInput{
            fmt::format("{}: already holds a run; go on with it by '{} resume {}', or choose another "
                        "folder",
                        path.string(), recipe.registry().program(), path.string())};
    if (fs::exists(path) && !is_as_good_as_empty(path))
        throw InvalidInput{fmt::format("{}: is not an empty folder; choose another one", path.string())};
    fs::create_directories(path, error);
    if (error)
        throw InputOutputError{
            fmt::format("{}: making the folder failed: {}", path.string(), error.message())};
    RunFolder folder{path, recipe};
    write_file(path / "recipe.toml", folder.recipe_.to_toml());
    return folder;
}

RunFolder RunFolder::open(const fs::path& path, const Registry& registry) {
    if (!is_run_folder(path)) {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (!fs::exists(status))
            throw InvalidInput{
                fmt::format("{0}: there is no such run folder; '{1} run RECIPE -d {0}' makes one",
                            path.string(), registry.program())};
        throw InvalidInput{fmt::format(
            "{}: is not a run folder{}; '{} run RECIPE -d FOLDER' makes one", path.string(),
            fs::is_directory(status) ? " (it has no recipe.toml)" : ", but a file", registry.program())};
    }
    // Not load(), which gives a recipe without a name that of its file.
    const std::string file = (path / "recipe.toml").string();
    return {path, Recipe::parse(read_file(file, Recipe::largest_file), file, {}, registry)};
}

bool RunFolder::is_finished() const { return fs::exists(path_ / "result.json"); }

// A checkpoint is damaged if anybody can't read their part of it. The next one is tried then.
Run RunFolder::resume(Settings settings, std::string& remark, Exchange* exchange) const {
    const Problem problem = recipe_.problem();
    check(problem, settings);
    const std::uint32_t islands = settings.islands.count;
    const IslandRange own = exchange == nullptr ? IslandRange{0, islands}
                                                : share_of(islands, exchange->members(), exchange->member());
    for (const Candidate& one : agreed_candidates(path_, islands, recipe_hash_, exchange)) {
        const bool is_epoch = one.file.empty();
        SnapshotParts parts;
        std::vector<std::byte> snapshot;
        std::string fault = fault_in(exchange, [&] {
            if (is_epoch)
                parts = load_epoch(path_, one.generation, own, recipe_hash_(one.generation));
            else
                snapshot = read_checkpoint(path_ / one.file, recipe_hash_);
        });
        std::optional<Run> run;
        if (fault.empty()) {
            fault = fault_in(exchange, [&] {
                if (is_epoch)
                    run.emplace(problem, settings, parts, exchange);
                else
                    run.emplace(problem, settings, snapshot, exchange);
            });
            if (fault.empty()) return std::move(*run);
            fault = is_epoch ? fmt::format("{}, generation {}: {}", (path_ / "epochs").string(),
                                           one.generation, fault)
                             : fmt::format("{}: {}", (path_ / one.file).string(), fault);
        }
        remark += (remark.empty() ? "" : "; ") + fault;
    }
    if (!remark.empty()) throw InvalidInput{remark};
    return Run{problem, std::move(settings), exchange};
}

bool RunFolder::is_in_use() const {
    try {
        (void)FolderLock{path_};
        return false;
    } catch (const InvalidInput&) {
        return true;
    }
}

FolderLock RunFolder::claim() const {
    FolderLock lock{path_};
    remove_leftovers(path_);
    return lock;
}

void RunFolder::write(std::span<const std::byte> snapshot, const std::vector<Statistics>& history) const {
    write_checkpoint(path_, snapshot, recipe_hash_(generation_of(snapshot)));
    write_file(path_ / "trace.csv", trace_csv(history));
}

void RunFolder::write(const Gallery& gallery) const {
    if (writes_gallery_) write_file(path_ / "gallery.json", gallery_json(measured(recipe_, gallery)));
}

// Nobody goes on before all have written: then the generation is complete. What fails for one, be it the
// first who alone writes what is not an island, ends all.
void RunFolder::write_together(const Run& run, const Result& result, bool is_end) const {
    Exchange& exchange = *run.exchange();
    together(exchange, [&] {
        if (!run.islands().empty())
            write_epoch(path_, run.snapshot_parts(), run.islands().front().generation,
                        recipe_hash_(run.islands().front().generation));
    });
    together(exchange, [&] {
        if (exchange.member() != 0) return;
        remove_old_epochs(path_, recipe_.settings().islands.count, false);
        write_file(path_ / "trace.csv", trace_csv(result.history));
        if (result.gallery) write(*result.gallery);
        if (is_end) write_end(result);
    });
}

void RunFolder::save(const Run& run) const {
    const Result result = run.result();
    if (run.exchange() != nullptr) return write_together(run, result, false);
    write(run.snapshot(), result.history);
    if (result.gallery) write(*result.gallery);
}

void RunFolder::finish(const Run& run) const {
    const Result result = run.result();
    if (run.exchange() != nullptr) return write_together(run, result, true);
    write(run.snapshot(), result.history);
    if (result.gallery) write(*result.gallery);
    write_end(result);
}

void RunFolder::write_end(const Result& result) const {
    if (result.stopped_by_time)
        write_file(path_ / "recipe.toml",
                   fmt::format("{}# The run was ended by {}, at this generation.\n",
                               recipe_.with_stop(generations(result.generations)).to_toml(),
                               result.stopped_by));
    if (has_front(result)) {
        write_file(path_ / "front.json", front_json(recipe_, result));
        write_file(path_ / "front.csv", front_csv(result));
    }
    write_file(path_ / "result.json", result_json(recipe_, result));
}

void RunFolder::change_recipe(Recipe recipe) {
    write_file(path_ / "recipe.toml", recipe.to_toml());
    recipe_ = std::move(recipe);
    recipe_hash_ = hash_of(recipe_);
}

void RunFolder::reopen() const {
    std::error_code error;
    fs::remove(path_ / "result.json", error);
    if (error)
        throw InputOutputError{
            fmt::format("{}: removing it failed: {}", (path_ / "result.json").string(), error.message())};
}

bool BackgroundSaver::save(const Run& run) {
    if (saving_.valid() && saving_.wait_for(std::chrono::seconds{0}) != std::future_status::ready)
        return false;
    wait();
    // A gallery takes a while to be measured: not more often than every now and then.
    const auto now = std::chrono::steady_clock::now();
    constexpr std::chrono::seconds now_and_then{2};
    const bool shows = !shown_ || now - *shown_ >= now_and_then;
    if (shows) shown_ = now;
    saving_ = std::async(std::launch::async, [this, snapshot = run.snapshot(), history = run.result().history,
                                              gallery = shows ? run.gallery() : std::nullopt] {
        folder_.write(snapshot, history);
        if (gallery) folder_.write(*gallery);
    });
    return true;
}

void BackgroundSaver::wait() {
    if (saving_.valid()) saving_.get();
}

std::optional<std::string> verify(const RunFolder& folder, unsigned threads) {
    const fs::path file = folder.path() / "result.json";
    if (!folder.is_finished())
        throw InvalidInput{fmt::format("{0}: holds no result yet; '{1} resume {0}' brings the run to its end",
                                       folder.path().string(), folder.recipe().registry().program())};
    const RecordedResult recorded = read_result(read_file(file), file.string());
    Settings settings = folder.recipe().settings();
    settings.threads = threads;
    const auto budget = settings.stop.limit(StopKind::evaluations);
    settings.stop = generations(recorded.generations);
    // The last generation may have been cut by it.
    if (budget) settings.stop = std::move(settings.stop) || evaluations(static_cast<std::uint64_t>(*budget));
    Run run{folder.recipe().problem(), settings};
    run.finish();
    const Result result = run.result();
    std::string differences;
    const auto compare = [&](std::string_view what, const auto& then, const auto& now) {
        if (then != now)
            differences +=
                fmt::format("{}{}: recorded {}, now {}", differences.empty() ? "" : "; ", what, then, now);
    };
    compare("evaluations", recorded.evaluations, result.evaluations);
    if (!std::isnan(recorded.best) || std::isfinite(result.fitness))
        compare("best", recorded.best, result.fitness);
    compare("digest", recorded.digest, digest_text(result.digest));
    if (differences.empty()) return std::nullopt;
    return differences;
}

std::string trace_csv(const std::vector<Statistics>& history) {
    std::vector<TraceColumn> more;
    std::string text{trace_header};
    for (const TraceColumn& column : more_trace_columns) {
        if (std::ranges::none_of(history, column.is_telling)) continue;
        more.push_back(column);
        text += fmt::format(",{}", column.name);
    }
    text += "\n";
    for (const Statistics& row : history) {
        text += fmt::format("{},{},{},{},{},{},{},{},{:.6f}", row.generation, row.evaluations, row.best,
                            row.mean, row.worst, row.deviation, row.diversity, row.best_ever, row.seconds);
        for (const TraceColumn& column : more) text += fmt::format(",{}", column.get(row));
        text += "\n";
    }
    return text;
}

namespace {

std::vector<TraceColumn> more_columns_of(std::string_view header, std::string_view file) {
    std::vector<TraceColumn> more;
    const bool begins = header.starts_with(trace_header);
    std::string_view rest = begins ? header.substr(trace_header.size()) : "";
    for (const TraceColumn& column : more_trace_columns) {
        if (!rest.starts_with(',') || !rest.substr(1).starts_with(column.name)) continue;
        rest.remove_prefix(1 + column.name.size());
        more.push_back(column);
    }
    if (begins && rest.empty()) return more;
    std::vector<std::string_view> names;
    for (const TraceColumn& column : more_trace_columns) names.push_back(column.name);
    throw InvalidInput{fmt::format("{}:1: the header must be {}, and behind that any of {}, in this order",
                                   file, trace_header, fmt::join(names, ", "))};
}

} // namespace

std::vector<Statistics> read_trace(std::string_view csv, std::string_view file) {
    std::vector<Statistics> history;
    std::vector<TraceColumn> more;
    std::size_t line = 0;
    while (!csv.empty()) {
        const std::size_t end = std::min(csv.find('\n'), csv.size());
        std::string_view row = csv.substr(0, end);
        csv = csv.substr(std::min(end + 1, csv.size()));
        if (++line == 1) {
            more = more_columns_of(row, file);
            continue;
        }
        Statistics one;
        one.generation = next_number<std::uint64_t>(row, file, line);
        one.evaluations = next_number<std::uint64_t>(row, file, line);
        for (double* value :
             {&one.best, &one.mean, &one.worst, &one.deviation, &one.diversity, &one.best_ever, &one.seconds})
            *value = next_number<double>(row, file, line);
        one.merit = one.best_ever;
        for (const TraceColumn& column : more) {
            const auto value = next_number<double>(row, file, line);
            if (!column.set(one, value))
                throw InvalidInput{fmt::format("{}:{}: {} can't be {}", file, line, column.name, value)};
        }
        history.push_back(one);
    }
    return history;
}

} // namespace knossos
