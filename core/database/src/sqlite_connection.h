// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record_query.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tilewright::database {

class Connection;

/// A prepared statement; text and blobs are copied when bound. Parameters and columns count as
/// SQLite counts them: from 1 and from 0.
class Statement {
public:
    Statement(Connection& connection, std::string_view sql);
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;
    ~Statement();

    Statement& bindNull(int index);
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, int value) { return bind(index, std::int64_t{value}); }
    Statement& bind(int index, bool value) { return bind(index, std::int64_t{value}); }
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view text);
    Statement& bind(int index, const char* text) { return bind(index, std::string_view(text)); }
    Statement& bindValue(int index, const SqlValue& value);
    Statement& bindBlob(int index, std::string_view bytes);
    template <class T> Statement& bind(int index, const std::optional<T>& value) {
        return value ? bind(index, *value) : bindNull(index);
    }
    /// NULL when empty.
    Statement& bindTextOrNull(int index, std::string_view text) {
        return text.empty() ? bindNull(index) : bind(index, text);
    }
    /// NULL when the id is not valid.
    Statement& bindId(int index, std::int64_t id) {
        return id < 0 ? bindNull(index) : bind(index, id);
    }

    /// True while there is a row.
    bool step();
    /// Runs to the end and makes ready for the next use.
    void run();
    /// Makes ready for the next use; bindings stay.
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string string(int column) const { return std::string(text(column)); }
    [[nodiscard]] std::string_view blob(int column) const;
    [[nodiscard]] std::optional<double> optionalReal(int column) const {
        return isNull(column) ? std::nullopt : std::optional(real(column));
    }
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(int column) const {
        return isNull(column) ? std::nullopt : std::optional(integer(column));
    }

private:
    Connection* connection_;
    sqlite3_stmt* statement_ = nullptr;
};

/// An open SQLite file. Turns SQLite's codes into UserError that name the file.
/// Registers tw_sum(…), the check sum of a row, and tw_regex(pattern, text).
class Connection {
public:
    enum class Mode : std::uint8_t { ReadOnly, Immutable, ReadWrite, Create, Memory };
    Connection(std::filesystem::path file, Mode mode);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    void execute(const std::string& sql);
    /// A statement that is prepared once and kept; made ready before it is handed out.
    Statement& cached(std::string_view sql);
    /// The first column of the first row; 0 when there is none.
    std::int64_t scalar(std::string_view sql);
    std::string scalarText(std::string_view sql);

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    [[nodiscard]] sqlite3* handle() const { return handle_; }
    [[noreturn]] void fail(int code) const;
    /// True between BEGIN and COMMIT.
    [[nodiscard]] bool inTransaction() const;

private:
    std::filesystem::path file_;
    sqlite3* handle_ = nullptr;
    std::map<std::string, Statement, std::less<>> statements_;
};

/// BEGIN IMMEDIATE … COMMIT; rolled back unless committed. Inside an open transaction it does
/// nothing, so that functions can be put together.
class TransactionScope {
public:
    explicit TransactionScope(Connection& connection);
    TransactionScope(const TransactionScope&) = delete;
    ~TransactionScope();
    void commit();

private:
    Connection& connection_;
    bool own_;
};

} // namespace tilewright::database
