#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace knossos::study {

/// How long a locked file is waited for.
struct Patience {
    double seconds = 30.0;
    /// Called while waiting, with the seconds so far; false gives up at once, with Interrupted.
    std::function<bool(double)> on_wait{};
};

/// A SQLite file: statements, transactions and errors in our words. What it holds is the store's matter.
class Database {
  public:
    /// Opens the file, or makes it if it is to be written to. Throws InputOutputError.
    Database(std::filesystem::path file, Patience patience, bool writable);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();

    /// A prepared statement with its values bound; reset when it goes.
    class Statement {
      public:
        Statement(const Database& database, sqlite3_stmt* statement)
            : database_{database}, statement_{statement} {}
        Statement(const Statement&) = delete;
        Statement& operator=(const Statement&) = delete;
        ~Statement();
        Statement& bind(std::int64_t value);
        Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
        Statement& bind(double value);
        Statement& bind(std::optional<double> value) { return bind(value.value_or(std::nan(""))); }
        /// The text must live until the statement has run.
        Statement& bind(std::string_view text);
        Statement& bind(const char* text) { return bind(std::string_view{text}); }
        /// Whether there is a row.
        bool step();
        [[nodiscard]] std::int64_t integer(int column) const;
        [[nodiscard]] std::uint64_t count(int column) const {
            return static_cast<std::uint64_t>(integer(column));
        }
        [[nodiscard]] double real(int column) const;
        [[nodiscard]] std::optional<double> maybe_real(int column) const {
            return is_null(column) ? std::nullopt : std::optional{real(column)};
        }
        [[nodiscard]] std::string_view text(int column) const;
        [[nodiscard]] bool is_null(int column) const;

      private:
        Statement& bound(int code);
        const Database& database_;
        sqlite3_stmt* statement_;
        int next_ = 1;
    };

    /// All or nothing. Writing transactions take their lock at the start, so that they never have to give way
    /// in the middle.
    class Transaction {
      public:
        explicit Transaction(Database& database);
        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;
        ~Transaction();
        void commit();

      private:
        Database& database_;
        bool committed_ = false;
    };

    void run(const char* sql) const;
    /// Statements are prepared once; the text is the key, so it has to be a literal.
    Statement prepare(const char* sql) const;
    std::int64_t number(const char* sql) const;
    [[nodiscard]] bool changed() const;
    [[nodiscard]] std::int64_t last_row() const;
    /// From now on a locked file is waited for, whatever on_wait() answers.
    void insist() { insisting_ = true; }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    /// Throws what fits a code of SQLite.
    [[noreturn]] void fail(int code) const;
    /// Throws that the file is damaged.
    [[noreturn]] void fail_as_damaged() const;

  private:
    struct Finalise {
        void operator()(sqlite3_stmt* statement) const;
    };
    [[nodiscard]] bool wait(int attempts) const;

    std::filesystem::path file_;
    Patience patience_;
    bool insisting_ = false;
    sqlite3* handle_ = nullptr;
    mutable std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalise>> statements_;
    mutable double waiting_since_ = 0.0;
    mutable bool given_up_ = false; ///< because the user said so
};

/// Seconds since 1970.
double unix_seconds();

} // namespace knossos::study
