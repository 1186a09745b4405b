#include "study/database.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>

namespace knossos::study {

double unix_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Database::Statement::~Statement() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

Database::Statement& Database::Statement::bind(std::int64_t value) {
    return bound(sqlite3_bind_int64(statement_, next_, value));
}

Database::Statement& Database::Statement::bind(double value) {
    // SQLite has no place for "not a number" but NULL.
    return bound(std::isnan(value) ? sqlite3_bind_null(statement_, next_)
                                   : sqlite3_bind_double(statement_, next_, value));
}

Database::Statement& Database::Statement::bind(std::string_view text) {
    return bound(
        sqlite3_bind_text(statement_, next_, text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
}

bool Database::Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
}

std::int64_t Database::Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Database::Statement::real(int column) const {
    return is_null(column) ? std::nan("") : sqlite3_column_double(statement_, column);
}

std::string_view Database::Statement::text(int column) const {
    const unsigned char* text = sqlite3_column_text(statement_, column);
    if (text == nullptr) return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool Database::Statement::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Database::Statement& Database::Statement::bound(int code) {
    if (code != SQLITE_OK) database_.fail(code);
    ++next_;
    return *this;
}

Database::Transaction::Transaction(Database& database) : database_{database} {
    database.run("BEGIN IMMEDIATE");
}

Database::Transaction::~Transaction() {
    if (!committed_) sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::Transaction::commit() {
    database_.run("COMMIT");
    committed_ = true;
}

Database::Database(std::filesystem::path file, Patience patience, bool writable)
    : file_{std::move(file)}, patience_{std::move(patience)} {
    const int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    int code = sqlite3_open_v2(file_.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK && !writable)
        code = (sqlite3_close(handle_), sqlite3_open_v2(file_.c_str(), &handle_,
                                                        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr));
    if (code != SQLITE_OK) {
        const std::string why = sqlite3_errmsg(handle_);
        sqlite3_close(handle_);
        throw InputOutputError{fmt::format("{}: {}", file_.string(), why)};
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

Database::~Database() {
    statements_.clear();
    sqlite3_close(handle_);
}

void Database::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Database::run(const char* sql) const {
    waiting_since_ = 0.0;
    const auto execute = [&] { return sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); };
    int code = execute();
    // SQLite asks nobody to wait where two could wait for each other, as when both set up a new file.
    const bool unasked = waiting_since_ == 0.0;
    for (int attempts = 0; unasked && (code & 0xFF) == SQLITE_BUSY && wait(attempts); ++attempts)
        code = execute();
    if (code != SQLITE_OK) fail(code);
}

Database::Statement Database::prepare(const char* sql) const {
    auto& slot = statements_[sql];
    if (!slot) {
        sqlite3_stmt* made = nullptr;
        const int code = sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
        if (code != SQLITE_OK) fail(code);
        slot.reset(made);
    }
    return {*this, slot.get()};
}

std::int64_t Database::number(const char* sql) const {
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

bool Database::changed() const { return sqlite3_changes(handle_) != 0; }

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_); }

// Sleeps for a moment, unless it has been long enough or the user has had enough.
bool Database::wait(int attempts) const {
    const double time = unix_seconds();
    if (attempts == 0) waiting_since_ = time;
    const double waited = time - waiting_since_;
    if (waited > patience_.seconds) return false;
    given_up_ = patience_.on_wait && !patience_.on_wait(waited) && !insisting_;
    if (given_up_) return false;
    sqlite3_sleep(attempts < 20 ? 2 : 50);
    return true;
}

void Database::fail(int code) const {
    const std::string name = file_.string();
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
                                           name,
                                           waiting_since_ == 0.0 ? 0.0 : unix_seconds() - waiting_since_)};
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

void Database::fail_as_damaged() const { fail(SQLITE_CORRUPT); }

} // namespace knossos::study
