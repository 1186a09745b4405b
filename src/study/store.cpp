#include <knossos/core/files.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/study/store.hpp>
#include <knossos/version.hpp>

#include "study/database.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <unistd.h>

namespace knossos::study {

namespace {

// Says that a SQLite file is a study of ours: "Knos".
constexpr int application_id = 0x4B6E6F73;
constexpr int format_version = 3;

constexpr const char* schema = R"(
CREATE TABLE study (
    name TEXT NOT NULL, description TEXT NOT NULL, file TEXT NOT NULL, targets TEXT NOT NULL,
    paired INTEGER NOT NULL, created TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE configuration (
    id INTEGER PRIMARY KEY, place INTEGER, label TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, recipe TEXT NOT NULL,
    problem TEXT NOT NULL, objective TEXT NOT NULL, target REAL, size REAL, seed INTEGER NOT NULL,
    runs INTEGER NOT NULL);
CREATE TABLE parameter (
    configuration INTEGER NOT NULL REFERENCES configuration, place INTEGER NOT NULL, name TEXT NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (configuration, place)) WITHOUT ROWID;
CREATE TABLE run (
    id INTEGER PRIMARY KEY, configuration INTEGER NOT NULL REFERENCES configuration, number INTEGER NOT NULL,
    seed INTEGER NOT NULL, outcome TEXT NOT NULL, evaluations INTEGER NOT NULL, generations INTEGER NOT NULL,
    seconds REAL NOT NULL, best REAL, found_at INTEGER NOT NULL, found_generation INTEGER NOT NULL, stopped_by TEXT NOT NULL,
    genome TEXT NOT NULL, digest TEXT NOT NULL, version TEXT NOT NULL, host TEXT NOT NULL,
    UNIQUE (configuration, number));
CREATE TABLE trace (
    run INTEGER NOT NULL REFERENCES run, evaluations INTEGER NOT NULL, best REAL NOT NULL,
    PRIMARY KEY (run, evaluations)) WITHOUT ROWID;
CREATE TABLE value (
    run INTEGER NOT NULL REFERENCES run, name TEXT NOT NULL, role TEXT NOT NULL, value REAL,
    PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE claim (
    configuration INTEGER NOT NULL, number INTEGER NOT NULL, owner TEXT NOT NULL, host TEXT NOT NULL,
    process INTEGER NOT NULL, until REAL NOT NULL, PRIMARY KEY (configuration, number)) WITHOUT ROWID;
)";

constexpr std::array<const char*, 3> outcome_names{"solved", "unsolved", "failed"};

// By a clock that nobody sets.
double since_start() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

bool is_running(std::int64_t process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }

std::string targets_text(const std::vector<double>& targets) {
    std::string text;
    for (const double target : targets) text += fmt::format("{}{}", text.empty() ? "" : " ", target);
    return text;
}

} // namespace

// What a store knows besides its file.
struct Store::State {
    State(std::filesystem::path file, StoreOptions its_options, bool writable)
        : database{std::move(file), {its_options.wait, its_options.on_wait}, writable},
          options{std::move(its_options)} {}

    void check_format() const;
    void create(const Study& study) const;
    void admit(const Study& study);
    std::int64_t admit(const Study& study, std::size_t index) const;
    void check_seeds(const Study& study) const;
    void drop_older(const Study& study);
    void load_done();

    Database database;
    StoreOptions options;
    std::string host = host_name();
    std::string owner = fmt::format("{}:{}:{:.6f}", host_name(), getpid(), unix_seconds());

    std::vector<std::int64_t> rows; ///< of the study's configurations, in its order
    std::vector<std::string> hashes;
    Dropped dropped{};
    std::uint64_t runs = 0;
    std::vector<bool> done;  ///< by number and configuration, as far as this process knows
    std::size_t cursor = 0;  ///< in `done`
    double look_again = 0.0; ///< for lapsed claims, not before
    Progress at_start{};
};

void Store::State::check_format() const {
    if (database.number("PRAGMA application_id") != application_id)
        throw InvalidInput{fmt::format("{}: this is not a study: the database was made by another program",
                                       database.file().string())};
    const std::int64_t found = database.number("PRAGMA user_version");
    if (found > format_version)
        throw InvalidInput{fmt::format("{}: the study has format {}, written by a newer Knossos; this is {}, "
                                       "which reads formats up to {}",
                                       database.file().string(), found, version, format_version)};
    if (found < format_version)
        throw InvalidInput{fmt::format("{}: the study has format {}, of an older Knossos; this one reads and "
                                       "writes format {}: run the study into another file",
                                       database.file().string(), found, format_version)};
}

void Store::State::create(const Study& study) const {
    database.run(schema);
    database.run(fmt::format("PRAGMA application_id = {}", application_id).c_str());
    database.run(fmt::format("PRAGMA user_version = {}", format_version).c_str());
    database.prepare("INSERT INTO study VALUES (?, '', '', '', 0, strftime('%Y-%m-%d %H:%M:%SZ'), ?)")
        .bind(study.name)
        .bind(version)
        .step();
}

void Store::State::admit(const Study& study) {
    std::string held;
    {
        Database::Statement name = database.prepare("SELECT name FROM study");
        if (name.step()) held = name.text(0);
    }
    if (held != study.name)
        throw InvalidInput{fmt::format("{}: holds the study '{}', not '{}'; choose another file with -o",
                                       database.file().string(), held, study.name)};
    const std::string targets = targets_text(study.targets);
    database.prepare("UPDATE study SET description = ?, file = ?, targets = ?, paired = ?")
        .bind(study.description)
        .bind(study.text)
        .bind(targets)
        .bind(std::int64_t{study.paired ? 1 : 0})
        .step();
    // What the file does not have any more has no place.
    database.prepare("UPDATE configuration SET place = NULL").step();
    for (std::size_t index = 0; index < study.configurations.size(); ++index) {
        rows.push_back(admit(study, index));
        hashes.push_back(study.configurations[index].identity);
    }
    runs = study.runs;
    check_seeds(study);
    if (options.drop_older) drop_older(study);
}

std::int64_t Store::State::admit(const Study& study, std::size_t index) const {
    const Configuration& one = study.configurations[index];
    const std::string recipe = one.recipe.to_toml();
    const Problem problem = one.recipe.problem();
    database
        .prepare("INSERT INTO configuration (place, label, hash, recipe, problem, objective, target, size, "
                 "seed, runs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET "
                 "place = excluded.place, label = excluded.label, runs = max(runs, excluded.runs)")
        .bind(std::uint64_t{index})
        .bind(one.label)
        .bind(one.identity)
        .bind(recipe)
        .bind(one.recipe.choice("problem")->kind)
        .bind(problem.schema().merit_objective() == Objective::maximise ? "maximise" : "minimise")
        .bind(target_of(problem, one.recipe.stop()))
        .bind(size_of_problem(one.recipe))
        .bind(one.recipe.seed())
        .bind(study.runs)
        .step();
    std::int64_t id = 0;
    {
        Database::Statement row = database.prepare("SELECT id FROM configuration WHERE hash = ?");
        row.bind(one.identity).step();
        id = row.integer(0);
    }
    database.prepare("DELETE FROM parameter WHERE configuration = ?").bind(id).step();
    for (std::size_t place = 0; place < one.varied.size(); ++place)
        database.prepare("INSERT INTO parameter VALUES (?, ?, ?, ?)")
            .bind(id)
            .bind(std::uint64_t{place})
            .bind(one.varied[place].first)
            .bind(one.varied[place].second)
            .step();
    return id;
}

// Seeds of a paired study and of another don't mix: neither test would be right.
void Store::State::check_seeds(const Study& study) const {
    for (std::size_t index = 0; index < rows.size(); ++index) {
        Database::Statement each =
            database.prepare("SELECT number, seed FROM run WHERE configuration = ? ORDER BY number");
        each.bind(rows[index]);
        while (each.step()) {
            const std::uint64_t wanted = study.seed_of(index, each.count(0));
            if (each.count(1) == wanted) continue;
            throw InvalidInput{fmt::format(
                "{}: paired is {} in the study, but run {} of '{}' was done with seed {} instead of {}, as "
                "{}paired = true; {}, or choose another file with -o",
                database.file().string(), study.paired ? "true" : "false", each.count(0),
                study.configurations[index].label, each.count(1), wanted, study.paired ? "without " : "with ",
                study.paired ? "leave paired out" : "write paired = true")};
        }
    }
}

void Store::State::drop_older(const Study& study) {
    if (database.number("SELECT count(*) FROM run WHERE configuration IN (SELECT id FROM configuration "
                        "WHERE place IS NOT NULL)") == 0)
        throw InvalidInput{
            fmt::format("--drop would leave nothing: {} holds no run of any configuration of '{}' as it "
                        "stands; run the study without --drop first",
                        database.file().string(), study.name)};
    const auto count = [&](const char* sql) { return static_cast<std::uint64_t>(database.number(sql)); };
    dropped.configurations = count("SELECT count(*) FROM configuration WHERE place IS NULL");
    dropped.runs = count("SELECT count(*) FROM run WHERE configuration IN (SELECT id FROM configuration "
                         "WHERE place IS NULL)");
    for (const char* table : {"trace", "value"})
        database.run(fmt::format("DELETE FROM {} WHERE run IN (SELECT run.id FROM run JOIN configuration ON "
                                 "configuration.id = run.configuration WHERE place IS NULL)",
                                 table)
                         .c_str());
    for (const char* table : {"run", "claim", "parameter"})
        database.run(fmt::format("DELETE FROM {} WHERE configuration IN (SELECT id FROM configuration WHERE "
                                 "place IS NULL)",
                                 table)
                         .c_str());
    database.run("DELETE FROM configuration WHERE place IS NULL");
}

void Store::State::load_done() {
    done.assign(rows.size() * runs, false);
    for (std::size_t index = 0; index < rows.size(); ++index) {
        Database::Statement each = database.prepare(
            "SELECT number, outcome = 'solved' FROM run WHERE configuration = ? AND number < ?");
        each.bind(rows[index]).bind(runs);
        while (each.step()) {
            done[each.count(0) * rows.size() + index] = true;
            ++at_start.done;
            at_start.solved += each.count(1);
        }
    }
}

Store::Store(std::unique_ptr<State> state) : state_{std::move(state)} {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

void Store::insist() { state_->database.insist(); }

Store Store::open_for(const std::filesystem::path& file, const Study& study, StoreOptions options) {
    std::error_code ignored; // then opening it will say it
    if (std::filesystem::is_directory(file, ignored))
        throw InvalidInput{
            fmt::format("{0}: is a folder; the runs go into a file, such as {0}/study.db", file.string())};
    if (file.has_parent_path() && is_no_folder(file.parent_path()))
        throw InvalidInput{
            fmt::format("{}: there is no folder {}", file.string(), file.parent_path().string())};
    if (options.drop_older && !std::filesystem::exists(file, ignored))
        throw InvalidInput{
            fmt::format("--drop would leave nothing: there is no file {} to drop from", file.string())};
    auto state = std::make_unique<State>(file, std::move(options), true);
    // Only a file without any table is taken for a new study: somebody else's database stays as it is.
    if (state->database.number("SELECT count(*) FROM sqlite_schema") != 0) state->check_format();
    state->database.run("PRAGMA journal_mode = WAL");
    // In WAL mode this survives every crash of a program; a power cut may take the last moments with it.
    state->database.run("PRAGMA synchronous = NORMAL");
    Database::Transaction transaction{state->database};
    if (state->database.number("SELECT count(*) FROM sqlite_schema") == 0) state->create(study);
    state->admit(study);
    transaction.commit();
    state->load_done();
    return Store{std::move(state)};
}

Store Store::open(const std::filesystem::path& file, StoreOptions options) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found || error == std::errc::filename_too_long)
        throw InvalidInput{fmt::format("{}: there is no such file", file.string())};
    if (fs::is_directory(status))
        throw InvalidInput{fmt::format("{}: is a folder; it must be the file of a study", file.string())};
    if (!error && !fs::is_regular_file(status))
        throw InvalidInput{fmt::format("{}: this is not a study: it is no file", file.string())};
    auto state = std::make_unique<State>(file, std::move(options), false);
    state->check_format();
    return Store{std::move(state)};
}

Store::Progress Store::progress() const { return state_->at_start; }
Store::Dropped Store::dropped() const { return state_->dropped; }

Store::Failures Store::failures() const {
    Failures found;
    for (const std::int64_t row : state_->rows) {
        auto each = state_->database.prepare("SELECT stopped_by, number FROM run WHERE configuration = ? AND "
                                             "outcome = 'failed' ORDER BY number");
        each.bind(row);
        while (each.step())
            if (found.count++ == 0) found.first = each.text(0);
    }
    return found;
}

std::vector<Task> Store::claim(std::size_t most) {
    State& state = *state_;
    Database& db = state.database;
    std::vector<Task> tasks;
    if (most == 0) return tasks;
    // Once all is claimed, only claims that lapse can bring more, and to look for those takes a pass over all
    // that is not done yet.
    if (state.cursor == state.done.size() && since_start() < state.look_again) return tasks;
    const std::size_t configurations = state.rows.size();
    Database::Transaction transaction{db};
    const auto take = [&](std::size_t index) {
        const std::int64_t row = state.rows[index % configurations];
        const std::uint64_t number = index / configurations;
        {
            auto recorded = db.prepare("SELECT 1 FROM run WHERE configuration = ? AND number = ?");
            if (recorded.bind(row).bind(number).step()) {
                state.done[index] = true;
                return;
            }
        }
        db.prepare("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, ?, ?, ?)")
            .bind(row)
            .bind(number)
            .bind(state.owner)
            .bind(state.host)
            .bind(static_cast<std::int64_t>(getpid()))
            .bind(unix_seconds() + state.options.claim_seconds)
            .step();
        if (db.changed()) tasks.push_back({index % configurations, number});
    };
    // Number by number across the configurations, so that an unfinished study says something about each.
    for (; state.cursor < state.done.size() && tasks.size() < most; ++state.cursor)
        if (!state.done[state.cursor]) take(state.cursor);
    if (tasks.empty()) {
        // What is left are other processes' claims: take over those that have lapsed.
        std::vector<std::int64_t> gone;
        {
            auto each = db.prepare("SELECT DISTINCT process FROM claim WHERE host = ? AND owner <> ?");
            each.bind(state.host).bind(state.owner);
            while (each.step())
                if (!is_running(each.integer(0))) gone.push_back(each.integer(0));
        }
        for (const std::int64_t process : gone)
            db.prepare("DELETE FROM claim WHERE host = ? AND process = ?")
                .bind(state.host)
                .bind(process)
                .step();
        db.prepare("DELETE FROM claim WHERE until < ?").bind(unix_seconds()).step();
        for (std::size_t index = 0; index < state.done.size() && tasks.size() < most; ++index)
            if (!state.done[index]) take(index);
        if (tasks.size() < most) state.look_again = since_start() + state.options.look_seconds;
    }
    transaction.commit();
    return tasks;
}

bool Store::is_complete() const {
    const State& state = *state_;
    const Database& db = state.database;
    for (const std::int64_t row : state.rows) {
        auto count = db.prepare("SELECT count(*) FROM run WHERE configuration = ? AND number < ?");
        count.bind(row).bind(state.runs).step();
        if (count.count(0) < state.runs) return false;
    }
    return true;
}

void Store::renew_claims() {
    State& state = *state_;
    Database& db = state.database;
    Database::Transaction transaction{db};
    db.prepare("UPDATE claim SET until = ? WHERE owner = ?")
        .bind(unix_seconds() + state.options.claim_seconds)
        .bind(state.owner)
        .step();
    transaction.commit();
}

void Store::release_claims() {
    State& state = *state_;
    Database& db = state.database;
    Database::Transaction transaction{db};
    db.prepare("DELETE FROM claim WHERE owner = ?").bind(state.owner).step();
    transaction.commit();
}

void Store::record(std::span<const RunRecord> runs) {
    if (runs.empty()) return;
    State& state = *state_;
    Database& db = state.database;
    Database::Transaction transaction{db};
    for (const RunRecord& one : runs) {
        const std::int64_t row = state.rows[one.configuration];
        if (auto held = db.prepare("SELECT hash FROM configuration WHERE id = ?");
            !held.bind(row).step() || held.text(0) != state.hashes[one.configuration])
            throw InvalidInput{fmt::format("{}: another process has dropped the configurations that this one "
                                           "is doing (--drop)",
                                           db.file().string())};
        // Whoever was taken for dead and is not may come with a run that somebody else has done: it is the
        // same run, and is kept once.
        db.prepare(
              "INSERT OR IGNORE INTO run (configuration, number, seed, outcome, evaluations, generations, "
              "seconds, best, found_at, found_generation, stopped_by, genome, digest, version, host) VALUES "
              "(?, ?, ?, ?, ?, ?, "
              "?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .bind(row)
            .bind(one.number)
            .bind(one.seed)
            .bind(outcome_names[static_cast<std::size_t>(one.outcome)])
            .bind(one.evaluations)
            .bind(one.generations)
            .bind(one.seconds)
            .bind(one.best)
            .bind(one.found_at)
            .bind(one.found_generation)
            .bind(one.stopped_by)
            .bind(one.genome)
            .bind(one.digest)
            .bind(version)
            .bind(one.host.empty() ? state.host : one.host)
            .step();
        if (db.changed()) {
            const std::int64_t id = db.last_row();
            for (const TracePoint& point : one.trace)
                db.prepare("INSERT INTO trace VALUES (?, ?, ?)")
                    .bind(id)
                    .bind(point.evaluations)
                    .bind(point.best)
                    .step();
            for (const NamedValue& one_value : one.values)
                db.prepare("INSERT INTO value VALUES (?, ?, ?, ?)")
                    .bind(id)
                    .bind(one_value.name)
                    .bind(one_value.role)
                    .bind(one_value.value)
                    .step();
        }
        db.prepare("DELETE FROM claim WHERE configuration = ? AND number = ?")
            .bind(row)
            .bind(one.number)
            .step();
    }
    transaction.commit();
    for (const RunRecord& one : runs) state.done[one.number * state.rows.size() + one.configuration] = true;
}

RecordedStudy Store::study() const {
    const Database& db = state_->database;
    RecordedStudy study;
    {
        auto row = db.prepare("SELECT name, description, created, version, targets, paired FROM study");
        if (!row.step()) db.fail_as_damaged();
        study.file = db.file().string();
        study.name = row.text(0);
        study.description = row.text(1);
        study.created = row.text(2);
        study.version = row.text(3);
        study.paired = row.integer(5) != 0;
        std::string targets{row.text(4)};
        const char* place = targets.c_str();
        for (char* end = nullptr;; place = end) {
            const double target = std::strtod(place, &end);
            if (end == place) break;
            study.targets.push_back(target);
        }
    }
    {
        auto each = db.prepare("SELECT label, recipe, hash, problem, objective, target, size, runs, id FROM "
                               "configuration WHERE place IS NOT NULL ORDER BY place, id");
        while (each.step()) {
            study.configurations.push_back(
                {.label = std::string{each.text(0)},
                 .recipe = std::string{each.text(1)},
                 .hash = std::string{each.text(2)},
                 .problem = std::string{each.text(3)},
                 .objective = each.text(4) == "maximise" ? Objective::maximise : Objective::minimise,
                 .target = each.maybe_real(5),
                 .size = each.maybe_real(6),
                 .varied = {},
                 .runs = each.count(7)});
            auto parameters =
                db.prepare("SELECT name, value FROM parameter WHERE configuration = ? ORDER BY place");
            parameters.bind(each.integer(8));
            while (parameters.step())
                study.configurations.back().varied.emplace_back(parameters.text(0), parameters.text(1));
        }
    }
    auto each = db.prepare("SELECT label, hash, (SELECT count(*) FROM run WHERE configuration = "
                           "configuration.id) FROM configuration WHERE place IS NULL ORDER BY id");
    while (each.step())
        study.older.push_back({std::string{each.text(0)}, std::string{each.text(1)}, each.count(2)});
    return study;
}

void Store::for_each_run(bool traces, bool genomes,
                         const std::function<void(const RunRecord&)>& visit) const {
    const Database& db = state_->database;
    // One moment of the file, even while others write to it.
    db.run("BEGIN");
    {
        auto lost = db.prepare("SELECT id, configuration FROM run WHERE configuration NOT IN (SELECT id FROM "
                               "configuration) LIMIT 1");
        if (lost.step())
            throw InvalidInput{
                fmt::format("{}: the database is damaged: run {} is of configuration {}, which is not there",
                            db.file().string(), lost.integer(0), lost.integer(1))};
    }
    std::vector<std::int64_t> current;
    {
        auto each = db.prepare("SELECT id FROM configuration WHERE place IS NOT NULL ORDER BY place, id");
        while (each.step()) current.push_back(each.integer(0));
    }
    RunRecord run;
    for (std::size_t index = 0; index < current.size(); ++index) {
        auto each = db.prepare("SELECT id, configuration, number, seed, outcome, evaluations, generations, "
                               "seconds, best, found_at, stopped_by, digest, CASE WHEN ? THEN genome ELSE '' "
                               "END, found_generation "
                               "FROM run WHERE configuration = ? ORDER BY number");
        each.bind(std::int64_t{genomes ? 1 : 0}).bind(current[index]);
        while (each.step()) {
            run.configuration = index;
            run.number = each.count(2);
            run.seed = each.count(3);
            const std::string_view outcome = each.text(4);
            run.outcome = outcome == "solved"   ? Outcome::solved
                          : outcome == "failed" ? Outcome::failed
                                                : Outcome::unsolved;
            run.evaluations = each.count(5);
            run.generations = each.count(6);
            run.seconds = each.real(7);
            run.best = each.real(8);
            run.found_at = each.count(9);
            run.stopped_by = each.text(10);
            run.digest = each.text(11);
            run.genome = each.text(12);
            run.found_generation = each.count(13);
            run.trace.clear();
            if (traces) {
                auto points =
                    db.prepare("SELECT evaluations, best FROM trace WHERE run = ? ORDER BY evaluations");
                points.bind(each.integer(0));
                while (points.step()) {
                    if (points.is_null(1)) // not a number, which nothing is better or worse than
                        throw InvalidInput{
                            fmt::format("{}: the database is damaged: a point of run {}'s trace has no value",
                                        db.file().string(), each.integer(0))};
                    run.trace.push_back({points.count(0), points.real(1)});
                }
            }
            run.values.clear();
            if (traces || genomes) {
                auto values = db.prepare("SELECT name, role, value FROM value WHERE run = ? ORDER BY name");
                values.bind(each.integer(0));
                while (values.step())
                    run.values.push_back({std::string{values.text(0)}, std::string{values.text(1)},
                                          values.is_null(2) ? std::nan("") : values.real(2)});
            }
            visit(run);
        }
    }
    db.run("COMMIT");
}

} // namespace knossos::study
