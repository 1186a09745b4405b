#include <knossos/core/files.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/study/store.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>
#include <unistd.h>
#include <unordered_map>

namespace knossos::study {

namespace {

// Says that a SQLite file is a study of ours: "Knos".
constexpr int application_id = 0x4B6E6F73;
constexpr int format_version = 2;

constexpr const char* schema = R"(
CREATE TABLE study (
    name TEXT NOT NULL, description TEXT NOT NULL, file TEXT NOT NULL, targets TEXT NOT NULL,
    created TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE configuration (
    id INTEGER PRIMARY KEY, label TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, recipe TEXT NOT NULL,
    problem TEXT NOT NULL, objective TEXT NOT NULL, target REAL, size REAL, varied TEXT NOT NULL,
    seed INTEGER NOT NULL, runs INTEGER NOT NULL);
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

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// By a clock that nobody sets.
double since_start() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

bool is_running(std::int64_t process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }

// key=value lines; keys hold no "=".
std::string varied_text(const std::vector<std::pair<std::string, std::string>>& varied) {
    std::string text;
    for (const auto& [key, value] : varied) text += fmt::format("{}={}\n", key, value);
    return text;
}

std::vector<std::pair<std::string, std::string>> read_varied(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> varied;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos)
            varied.emplace_back(line.substr(0, equals), line.substr(equals + 1));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return varied;
}

} // namespace

class Store::Database {
  public:
    Database(std::filesystem::path file, StoreOptions options, bool writable);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database() {
        statements_.clear();
        sqlite3_close(handle_);
    }

    // A prepared statement with its values bound; reset when it goes.
    class Statement {
      public:
        Statement(const Database& database, sqlite3_stmt* statement)
            : database_{database}, statement_{statement} {}
        Statement(const Statement&) = delete;
        Statement& operator=(const Statement&) = delete;
        ~Statement() {
            sqlite3_reset(statement_);
            sqlite3_clear_bindings(statement_);
        }
        Statement& bind(std::int64_t value) { return bound(sqlite3_bind_int64(statement_, next_, value)); }
        Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
        Statement& bind(double value) {
            // SQLite has no place for "not a number" but NULL.
            return bound(std::isnan(value) ? sqlite3_bind_null(statement_, next_)
                                           : sqlite3_bind_double(statement_, next_, value));
        }
        Statement& bind(std::optional<double> value) { return bind(value.value_or(std::nan(""))); }
        // The text must live until the statement has run.
        Statement& bind(std::string_view text) {
            return bound(sqlite3_bind_text(statement_, next_, text.data(), static_cast<int>(text.size()),
                                           SQLITE_STATIC));
        }
        Statement& bind(const char* text) { return bind(std::string_view{text}); }
        bool step() {
            const int code = sqlite3_step(statement_);
            if (code == SQLITE_ROW) return true;
            if (code != SQLITE_DONE) database_.fail(code);
            return false;
        }
        [[nodiscard]] std::int64_t integer(int column) const {
            return sqlite3_column_int64(statement_, column);
        }
        [[nodiscard]] std::uint64_t count(int column) const {
            return static_cast<std::uint64_t>(integer(column));
        }
        [[nodiscard]] double real(int column) const {
            return is_null(column) ? std::nan("") : sqlite3_column_double(statement_, column);
        }
        [[nodiscard]] std::optional<double> maybe_real(int column) const {
            return is_null(column) ? std::nullopt : std::optional{real(column)};
        }
        [[nodiscard]] std::string_view text(int column) const {
            const unsigned char* text = sqlite3_column_text(statement_, column);
            if (text == nullptr) return {};
            return {reinterpret_cast<const char*>(text),
                    static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
        }
        [[nodiscard]] bool is_null(int column) const {
            return sqlite3_column_type(statement_, column) == SQLITE_NULL;
        }

      private:
        Statement& bound(int code) {
            if (code != SQLITE_OK) database_.fail(code);
            ++next_;
            return *this;
        }
        const Database& database_;
        sqlite3_stmt* statement_;
        int next_ = 1;
    };

    // All or nothing. Writing transactions take their lock at the start, so that they never have to give way
    // in the middle.
    class Transaction {
      public:
        explicit Transaction(Database& database) : database_{database} { database.run("BEGIN IMMEDIATE"); }
        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;
        ~Transaction() {
            if (!committed_) sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
        }
        void commit() {
            database_.run("COMMIT");
            committed_ = true;
        }

      private:
        Database& database_;
        bool committed_ = false;
    };

    void run(const char* sql) const {
        waiting_since_ = 0.0;
        const auto execute = [&] { return sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); };
        int code = execute();
        // SQLite asks nobody to wait where two could wait for each other, as when both set up a new file.
        const bool unasked = waiting_since_ == 0.0;
        for (int attempts = 0; unasked && (code & 0xFF) == SQLITE_BUSY && wait(attempts); ++attempts)
            code = execute();
        if (code != SQLITE_OK) fail(code);
    }
    // Statements are prepared once; the text is the key, so it has to be a literal.
    Statement prepare(const char* sql) const {
        auto& slot = statements_[sql];
        if (!slot) {
            sqlite3_stmt* made = nullptr;
            const int code = sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
            if (code != SQLITE_OK) fail(code);
            slot.reset(made);
        }
        return {*this, slot.get()};
    }
    std::int64_t number(const char* sql) const {
        Statement statement = prepare(sql);
        return statement.step() ? statement.integer(0) : 0;
    }
    [[nodiscard]] bool changed() const { return sqlite3_changes(handle_) != 0; }
    [[nodiscard]] std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_); }

    [[noreturn]] void fail(int code) const;
    void check_format() const;
    void create(const Study& study) const;
    void admit(const Study& study);
    void load_done();

    std::filesystem::path file;
    StoreOptions options;
    std::string host = host_name();
    std::string owner = fmt::format("{}:{}:{:.6f}", host_name(), getpid(), now());

    bool insisting = false;
    std::vector<std::int64_t> rows; ///< of the study's configurations, in its order
    std::vector<std::uint64_t> seeds;
    std::uint64_t runs = 0;
    std::vector<bool> done;  ///< by number and configuration, as far as this process knows
    std::size_t cursor = 0;  ///< in `done`
    double look_again = 0.0; ///< for lapsed claims, not before
    Progress at_start{};

  private:
    struct Finalise {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    [[nodiscard]] bool wait(int attempts) const;

    sqlite3* handle_ = nullptr;
    mutable std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalise>> statements_;
    mutable double waiting_since_ = 0.0;
    mutable bool given_up_ = false; ///< because the user said so
};

Store::Database::Database(std::filesystem::path its_file, StoreOptions its_options, bool writable)
    : file{std::move(its_file)}, options{std::move(its_options)} {
    const int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    int code = sqlite3_open_v2(file.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK && !writable)
        code = (sqlite3_close(handle_),
                sqlite3_open_v2(file.c_str(), &handle_, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr));
    if (code != SQLITE_OK) {
        const std::string why = sqlite3_errmsg(handle_);
        sqlite3_close(handle_);
        throw InputOutputError{fmt::format("{}: {}", file.string(), why)};
    }
    sqlite3_extended_result_codes(handle_, 1);
    // The file may be anybody's: what stands in its schema is not run, and a damaged one is noticed early.
    for (const int danger : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                             SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
        sqlite3_db_config(handle_, danger, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_busy_handler(
        handle_,
        [](void* self, int attempts) { return static_cast<Database*>(self)->wait(attempts) ? 1 : 0; }, this);
}

// Sleeps for a moment, unless it has been long enough or the user has had enough.
bool Store::Database::wait(int attempts) const {
    const double time = now();
    if (attempts == 0) waiting_since_ = time;
    const double waited = time - waiting_since_;
    if (waited > options.wait) return false;
    given_up_ = options.on_wait && !options.on_wait(waited) && !insisting;
    if (given_up_) return false;
    sqlite3_sleep(attempts < 20 ? 2 : 50);
    return true;
}

void Store::Database::fail(int code) const {
    const std::string name = file.string();
    switch (code & 0xFF) {
    case SQLITE_ERROR: // no such table or column: our own SQL is always right
        throw InvalidInput{fmt::format("{}: this is not a study: {}", name, sqlite3_errmsg(handle_))};
    case SQLITE_NOTADB:
        throw InvalidInput{fmt::format("{}: this is not a study: the file is no SQLite database", name)};
    case SQLITE_CORRUPT:
        throw InvalidInput{fmt::format("{}: the database is damaged ({})", name, sqlite3_errmsg(handle_))};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (given_up_)
            throw Interrupted{
                fmt::format("{}: interrupted while another program kept the file locked. Nothing that "
                            "was recorded is lost, and the same command again does the rest",
                            name)};
        throw InputOutputError{fmt::format("{}: another program keeps the file locked; it was waited for "
                                           "{:.0f} s. Nothing that was recorded is lost",
                                           name, waiting_since_ == 0.0 ? 0.0 : now() - waiting_since_)};
    case SQLITE_FULL:
        throw InputOutputError{fmt::format("{}: the disk is full. Nothing that was recorded is lost: make "
                                           "room and start the same command again",
                                           name)};
    case SQLITE_READONLY:
        throw InputOutputError{fmt::format("{}: the file can't be written to", name)};
    case SQLITE_NOMEM:
        throw std::bad_alloc{};
    default:
        throw InputOutputError{fmt::format("{}: {} (SQLite {})", name, sqlite3_errmsg(handle_), code)};
    }
}

void Store::Database::check_format() const {
    if (number("PRAGMA application_id") != application_id)
        throw InvalidInput{
            fmt::format("{}: this is not a study: the database was made by another program", file.string())};
    const std::int64_t found = number("PRAGMA user_version");
    if (found > format_version)
        throw InvalidInput{fmt::format("{}: the study has format {}, written by a newer Knossos; this is {}, "
                                       "which reads formats up to {}",
                                       file.string(), found, version, format_version)};
    if (found < format_version)
        throw InvalidInput{fmt::format("{}: the study has format {}, of an older Knossos; this one reads and "
                                       "writes format {}: run the study into another file",
                                       file.string(), found, format_version)};
}

void Store::Database::create(const Study& study) const {
    run(schema);
    run(fmt::format("PRAGMA application_id = {}", application_id).c_str());
    run(fmt::format("PRAGMA user_version = {}", format_version).c_str());
    std::string targets;
    for (const double target : study.targets)
        targets += fmt::format("{}{}", targets.empty() ? "" : " ", target);
    prepare("INSERT INTO study VALUES (?, ?, ?, ?, strftime('%Y-%m-%d %H:%M:%SZ'), ?)")
        .bind(study.name)
        .bind(study.description)
        .bind(study.text)
        .bind(targets)
        .bind(version)
        .step();
}

void Store::Database::admit(const Study& study) {
    std::string held;
    {
        Statement name = prepare("SELECT name FROM study");
        if (name.step()) held = name.text(0);
    }
    if (held != study.name)
        throw InvalidInput{fmt::format("{}: holds the study '{}', not '{}'; choose another file with -o",
                                       file.string(), held, study.name)};
    for (const Configuration& one : study.configurations) {
        const std::string recipe = one.recipe.to_toml();
        const std::string hash = identity_of(one.recipe);
        const std::string varied = varied_text(one.varied);
        const Problem problem = one.recipe.problem();
        // A name whose recipe has changed since stands for the new one.
        prepare("UPDATE configuration SET label = label || ' (earlier recipe)' WHERE label = ? AND hash <> ?")
            .bind(one.label)
            .bind(hash)
            .step();
        prepare("INSERT INTO configuration (label, hash, recipe, problem, objective, target, size, varied, "
                "seed, runs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET "
                "label = excluded.label, varied = excluded.varied, runs = max(runs, excluded.runs)")
            .bind(one.label)
            .bind(hash)
            .bind(recipe)
            .bind(one.recipe.choice("problem")->kind)
            .bind(problem.objective() == Objective::maximise ? "maximise" : "minimise")
            .bind(problem.target())
            .bind(size_of_problem(one.recipe))
            .bind(varied)
            .bind(one.recipe.seed())
            .bind(study.runs)
            .step();
        Statement row = prepare("SELECT id FROM configuration WHERE hash = ?");
        row.bind(hash).step();
        rows.push_back(row.integer(0));
        seeds.push_back(one.recipe.seed());
    }
    runs = study.runs;
}

void Store::Database::load_done() {
    done.assign(rows.size() * runs, false);
    for (std::size_t index = 0; index < rows.size(); ++index) {
        Statement each =
            prepare("SELECT number, outcome = 'solved' FROM run WHERE configuration = ? AND number < ?");
        each.bind(rows[index]).bind(runs);
        while (each.step()) {
            done[each.count(0) * rows.size() + index] = true;
            ++at_start.done;
            at_start.solved += each.count(1);
        }
    }
}

Store::Store(std::unique_ptr<Database> database) : database_{std::move(database)} {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

void Store::insist() { database_->insisting = true; }

Store Store::open_for(const std::filesystem::path& file, const Study& study, StoreOptions options) {
    std::error_code ignored; // then opening it will say it
    if (std::filesystem::is_directory(file, ignored))
        throw InvalidInput{
            fmt::format("{0}: is a folder; the runs go into a file, such as {0}/study.db", file.string())};
    if (file.has_parent_path() && is_no_folder(file.parent_path()))
        throw InvalidInput{
            fmt::format("{}: there is no folder {}", file.string(), file.parent_path().string())};
    auto database = std::make_unique<Database>(file, std::move(options), true);
    // Only a file without any table is taken for a new study: somebody else's database stays as it is.
    if (database->number("SELECT count(*) FROM sqlite_schema") != 0) database->check_format();
    database->run("PRAGMA journal_mode = WAL");
    // In WAL mode this survives every crash of a program; a power cut may take the last moments with it.
    database->run("PRAGMA synchronous = NORMAL");
    Database::Transaction transaction{*database};
    if (database->number("SELECT count(*) FROM sqlite_schema") == 0) database->create(study);
    database->admit(study);
    transaction.commit();
    database->load_done();
    return Store{std::move(database)};
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
    auto database = std::make_unique<Database>(file, std::move(options), false);
    database->check_format();
    return Store{std::move(database)};
}

Store::Progress Store::progress() const { return database_->at_start; }

std::vector<Task> Store::claim(std::size_t most) {
    Database& db = *database_;
    std::vector<Task> tasks;
    if (most == 0) return tasks;
    // Once all is claimed, only claims that lapse can bring more, and to look for those takes a pass over all
    // that is not done yet.
    if (db.cursor == db.done.size() && since_start() < db.look_again) return tasks;
    const std::size_t configurations = db.rows.size();
    Database::Transaction transaction{db};
    const auto take = [&](std::size_t index) {
        const std::int64_t row = db.rows[index % configurations];
        const std::uint64_t number = index / configurations;
        {
            auto recorded = db.prepare("SELECT 1 FROM run WHERE configuration = ? AND number = ?");
            if (recorded.bind(row).bind(number).step()) {
                db.done[index] = true;
                return;
            }
        }
        db.prepare("INSERT OR IGNORE INTO claim VALUES (?, ?, ?, ?, ?, ?)")
            .bind(row)
            .bind(number)
            .bind(db.owner)
            .bind(db.host)
            .bind(static_cast<std::int64_t>(getpid()))
            .bind(now() + db.options.claim_seconds)
            .step();
        if (db.changed()) tasks.push_back({index % configurations, number});
    };
    // Number by number across the configurations, so that an unfinished study says something about each.
    for (; db.cursor < db.done.size() && tasks.size() < most; ++db.cursor)
        if (!db.done[db.cursor]) take(db.cursor);
    if (tasks.empty()) {
        // What is left are other processes' claims: take over those that have lapsed.
        std::vector<std::int64_t> gone;
        {
            auto each = db.prepare("SELECT DISTINCT process FROM claim WHERE host = ? AND owner <> ?");
            each.bind(db.host).bind(db.owner);
            while (each.step())
                if (!is_running(each.integer(0))) gone.push_back(each.integer(0));
        }
        for (const std::int64_t process : gone)
            db.prepare("DELETE FROM claim WHERE host = ? AND process = ?").bind(db.host).bind(process).step();
        db.prepare("DELETE FROM claim WHERE until < ?").bind(now()).step();
        for (std::size_t index = 0; index < db.done.size() && tasks.size() < most; ++index)
            if (!db.done[index]) take(index);
        if (tasks.size() < most) db.look_again = since_start() + db.options.look_seconds;
    }
    transaction.commit();
    return tasks;
}

bool Store::is_complete() const {
    const Database& db = *database_;
    for (const std::int64_t row : db.rows) {
        auto count = db.prepare("SELECT count(*) FROM run WHERE configuration = ? AND number < ?");
        count.bind(row).bind(db.runs).step();
        if (count.count(0) < db.runs) return false;
    }
    return true;
}

void Store::renew_claims() {
    Database& db = *database_;
    Database::Transaction transaction{db};
    db.prepare("UPDATE claim SET until = ? WHERE owner = ?")
        .bind(now() + db.options.claim_seconds)
        .bind(db.owner)
        .step();
    transaction.commit();
}

void Store::release_claims() {
    Database& db = *database_;
    Database::Transaction transaction{db};
    db.prepare("DELETE FROM claim WHERE owner = ?").bind(db.owner).step();
    transaction.commit();
}

void Store::record(std::span<const RunRecord> runs) {
    if (runs.empty()) return;
    Database& db = *database_;
    Database::Transaction transaction{db};
    for (const RunRecord& one : runs) {
        const std::int64_t row = db.rows[one.configuration];
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
            .bind(one.host.empty() ? db.host : one.host)
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
    for (const RunRecord& one : runs) db.done[one.number * db.rows.size() + one.configuration] = true;
}

RecordedStudy Store::study() const {
    const Database& db = *database_;
    RecordedStudy study;
    {
        auto row = db.prepare("SELECT name, description, created, version, targets FROM study");
        if (!row.step()) db.fail(SQLITE_CORRUPT);
        study.name = row.text(0);
        study.description = row.text(1);
        study.created = row.text(2);
        study.version = row.text(3);
        std::string targets{row.text(4)};
        const char* place = targets.c_str();
        for (char* end = nullptr;; place = end) {
            const double target = std::strtod(place, &end);
            if (end == place) break;
            study.targets.push_back(target);
        }
    }
    auto each = db.prepare("SELECT label, recipe, hash, problem, objective, target, size, varied, runs FROM "
                           "configuration ORDER BY id");
    while (each.step())
        study.configurations.push_back(
            {.label = std::string{each.text(0)},
             .recipe = std::string{each.text(1)},
             .hash = std::string{each.text(2)},
             .problem = std::string{each.text(3)},
             .objective = each.text(4) == "maximise" ? Objective::maximise : Objective::minimise,
             .target = each.maybe_real(5),
             .size = each.maybe_real(6),
             .varied = read_varied(each.text(7)),
             .runs = each.count(8)});
    return study;
}

void Store::for_each_run(bool traces, bool genomes,
                         const std::function<void(const RunRecord&)>& visit) const {
    const Database& db = *database_;
    // One moment of the file, even while others write to it.
    db.run("BEGIN");
    std::unordered_map<std::int64_t, std::size_t> index;
    {
        auto each = db.prepare("SELECT id FROM configuration ORDER BY id");
        while (each.step()) index.emplace(each.integer(0), index.size());
    }
    {
        auto each = db.prepare("SELECT id, configuration, number, seed, outcome, evaluations, generations, "
                               "seconds, best, found_at, stopped_by, digest, CASE WHEN ? THEN genome ELSE '' "
                               "END, found_generation "
                               "FROM run ORDER BY configuration, number");
        each.bind(std::int64_t{genomes ? 1 : 0});
        RunRecord run;
        while (each.step()) {
            const auto configuration = index.find(each.integer(1));
            if (configuration == index.end())
                throw InvalidInput{fmt::format(
                    "{}: the database is damaged: run {} is of configuration {}, which is not there",
                    db.file.string(), each.integer(0), each.integer(1))};
            run.configuration = configuration->second;
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
                                        db.file.string(), each.integer(0))};
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
