// SPDX-License-Identifier: Apache-2.0
#include "sqlite_connection.h"

#include "search_pattern.h"
#include "store_error.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/hash.h>
#include <tilewright/database/work_dir.h>

#include <bit>
#include <memory>
#include <sqlite3.h>
#include <utility>

namespace tilewright::database {
namespace {

std::string_view bytesOf(sqlite3_value* value) {
    const void* data = sqlite3_value_blob(value);
    return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

/// tw_sum(a, b, …): a 64-bit sum over types and values, stored with each row that matters.
void sumFunction(sqlite3_context* context, int count, sqlite3_value** values) {
    std::uint64_t sum = 0x7477u;
    for (int i = 0; i < count; ++i) {
        const int type = sqlite3_value_type(values[i]);
        sum = base::hashCombine(sum, static_cast<std::uint64_t>(type));
        if (type == SQLITE_INTEGER)
            sum =
                base::hashCombine(sum, static_cast<std::uint64_t>(sqlite3_value_int64(values[i])));
        else if (type == SQLITE_FLOAT)
            sum = base::hashCombine(sum,
                                    std::bit_cast<std::uint64_t>(sqlite3_value_double(values[i])));
        else if (type != SQLITE_NULL)
            sum = base::hashCombine(sum, base::hashBytes(bytesOf(values[i])));
    }
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(sum));
}

/// tw_regex(pattern, text): the compiled pattern stays with the statement.
void regexFunction(sqlite3_context* context, int, sqlite3_value** values) {
    if (sqlite3_value_type(values[1]) == SQLITE_NULL) {
        sqlite3_result_int(context, 0);
        return;
    }
    auto* pattern = static_cast<SearchPattern*>(sqlite3_get_auxdata(context, 0));
    if (!pattern) {
        auto compiled = SearchPattern::compile(bytesOf(values[0]));
        if (!compiled) {
            sqlite3_result_error(context, compiled.error().message.c_str(), -1);
            return;
        }
        pattern = new SearchPattern(std::move(*compiled));
        sqlite3_set_auxdata(context, 0, pattern,
                            [](void* p) { delete static_cast<SearchPattern*>(p); });
        pattern = static_cast<SearchPattern*>(sqlite3_get_auxdata(context, 0));
        if (!pattern) {
            sqlite3_result_error_nomem(context);
            return;
        }
    }
    sqlite3_result_int(context, pattern->matches(bytesOf(values[1])) ? 1 : 0);
}

/// The file as an URI: SQLite's own escapes for what an URI gives a meaning.
std::string uriOf(const std::filesystem::path& file, std::string_view query) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        if (c == '%' || c == '?' || c == '#') {
            static constexpr char kHex[] = "0123456789ABCDEF";
            uri += '%';
            uri += kHex[static_cast<unsigned char>(c) >> 4];
            uri += kHex[static_cast<unsigned char>(c) & 15];
        } else {
            uri += c;
        }
    }
    return base::concat(uri, "?", query);
}

} // namespace

Statement::Statement(Connection& connection, std::string_view sql) : connection_(&connection) {
    const int code = sqlite3_prepare_v2(connection.handle(), sql.data(),
                                        static_cast<int>(sql.size()), &statement_, nullptr);
    if (code != SQLITE_OK)
        connection.fail(code);
}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

Statement& Statement::bindNull(int index) {
    TW_CHECK(sqlite3_bind_null(statement_, index) == SQLITE_OK) << "parameter " << index;
    return *this;
}

Statement& Statement::bind(int index, std::int64_t value) {
    TW_CHECK(sqlite3_bind_int64(statement_, index, value) == SQLITE_OK) << "parameter " << index;
    return *this;
}

Statement& Statement::bind(int index, double value) {
    TW_CHECK(sqlite3_bind_double(statement_, index, value) == SQLITE_OK) << "parameter " << index;
    return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
    // A null pointer would bind NULL, but an empty text is meant.
    const int code = sqlite3_bind_text64(statement_, index, text.empty() ? "" : text.data(),
                                         text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code != SQLITE_OK)
        connection_->fail(code);
    return *this;
}

Statement& Statement::bindValue(int index, const SqlValue& value) {
    std::visit([&](const auto& v) { bind(index, v); }, value);
    return *this;
}

Statement& Statement::bindBlob(int index, std::string_view bytes) {
    const int code = sqlite3_bind_blob64(statement_, index, bytes.empty() ? "" : bytes.data(),
                                         bytes.size(), SQLITE_TRANSIENT);
    if (code != SQLITE_OK)
        connection_->fail(code);
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    const int extended = sqlite3_extended_errcode(connection_->handle());
    connection_->fail(extended != SQLITE_OK ? extended : code);
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

void Statement::reset() {
    // The code repeats the error of the last step, which was reported there.
    (void)sqlite3_reset(statement_);
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}
double Statement::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::string_view Statement::text(int column) const {
    const unsigned char* data = sqlite3_column_text(statement_, column);
    if (!data)
        return {};
    return {reinterpret_cast<const char*>(data),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Statement::blob(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    if (!data)
        return {};
    return {static_cast<const char*>(data),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Connection::Connection(std::filesystem::path file, Mode mode) : file_(std::move(file)) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
    std::string uri = ":memory:";
    switch (mode) {
    case Mode::ReadOnly:
        flags |= SQLITE_OPEN_READONLY;
        uri = uriOf(file_, "mode=ro");
        break;
    case Mode::Immutable:
        flags |= SQLITE_OPEN_READONLY;
        uri = uriOf(file_, "mode=ro&immutable=1");
        break;
    case Mode::ReadWrite:
        flags |= SQLITE_OPEN_READWRITE;
        uri = uriOf(file_, "mode=rw");
        break;
    case Mode::Create:
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        uri = uriOf(file_, "mode=rwc");
        break;
    case Mode::Memory:
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        break;
    }
    const int code = sqlite3_open_v2(uri.c_str(), &handle_, flags, nullptr);
    if (code != SQLITE_OK) {
        const std::string message = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
        sqlite3_close_v2(handle_);
        handle_ = nullptr;
        throwStoreError(file_, code, message);
    }
    sqlite3_busy_timeout(handle_, 5000);
    const int kinds = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    sqlite3_create_function_v2(handle_, "tw_sum", -1, kinds, nullptr, sumFunction, nullptr, nullptr,
                               nullptr);
    sqlite3_create_function_v2(handle_, "tw_regex", 2, kinds, nullptr, regexFunction, nullptr,
                               nullptr, nullptr);
    // A damaged file must not make SQLite read out of bounds or run what it says.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_exec(handle_, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

Connection::~Connection() {
    statements_.clear();
    sqlite3_close_v2(handle_);
}

void Connection::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        fail(code);
}

Statement& Connection::cached(std::string_view sql) {
    auto found = statements_.find(sql);
    if (found == statements_.end())
        found = statements_.emplace(std::string(sql), Statement(*this, sql)).first;
    found->second.reset();
    return found->second;
}

std::int64_t Connection::scalar(std::string_view sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::string Connection::scalarText(std::string_view sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.string(0) : std::string();
}

void Connection::fail(int code) const {
    throwStoreError(file_, code, sqlite3_errmsg(handle_));
}

bool Connection::inTransaction() const {
    return sqlite3_get_autocommit(handle_) == 0;
}

TransactionScope::TransactionScope(Connection& connection)
    : connection_(connection), own_(!connection.inTransaction()) {
    if (own_)
        connection_.execute("BEGIN IMMEDIATE");
}

TransactionScope::~TransactionScope() {
    if (own_ && connection_.inTransaction())
        sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void TransactionScope::commit() {
    if (!own_)
        return;
    connection_.execute("COMMIT");
    own_ = false;
}

} // namespace tilewright::database
