// SPDX-License-Identifier: Apache-2.0
#include "open_store.h"

#include "store_error.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/schema.h>
#include <tilewright/database/work_dir.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::database {
namespace fs = std::filesystem;
namespace {

/// Every table and index as its statement says it, sorted.
std::string schemaText(Connection& connection) {
    Statement statement(connection, "SELECT type, name, tbl_name, coalesce(sql, '') FROM "
                                    "sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY "
                                    "type, name");
    std::string text;
    while (statement.step())
        for (int column = 0; column < 4; ++column)
            text += statement.string(column) + "\n";
    return text;
}

std::string expectedSchemaText(std::span<const std::string_view> migrations, int version) {
    Connection memory({}, Connection::Mode::Memory);
    for (int v = 0; v < version; ++v)
        memory.execute(std::string(migrations[static_cast<std::size_t>(v)]));
    return schemaText(memory);
}

int requireSchema(Connection& connection, std::span<const std::string_view> migrations) {
    const fs::path& file = connection.file();
    const std::int64_t application = connection.scalar("PRAGMA application_id");
    const std::int64_t version = connection.scalar("PRAGMA user_version");
    if (application != kApplicationId)
        refuseStore("database-foreign", file,
                    "an SQLite database, but not a Tilewright one (or its header is damaged)");
    if (version > static_cast<std::int64_t>(migrations.size()))
        refuseStore("database-newer", file,
                    base::concat("the database has schema version ", version,
                                 ", this build knows up to ", migrations.size(),
                                 "; use a newer Tilewright"));
    std::string found;
    try {
        found = version > 0 ? schemaText(connection) : std::string();
    } catch (const base::InternalError& error) {
        refuseStore("database-corrupt", file, error.what());
    }
    if (version < 1 || found != expectedSchemaText(migrations, static_cast<int>(version)))
        refuseStore("database-corrupt", file,
                    base::concat("the database is damaged: its tables are not those of schema "
                                 "version ",
                                 version));
    return static_cast<int>(version);
}

void setUp(Connection& connection) {
    connection.execute(
        "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768");
}

void syncDirectory(const fs::path& dir) {
    const int descriptor = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

void removeLeftovers(const fs::path& file) {
    std::error_code ignored;
    const std::string prefix = file.filename().string() + ".new-";
    for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored))
        if (entry.path().filename().string().starts_with(prefix))
            fs::remove(entry.path(), ignored);
}

/// Makes the store under another name and renames it when it is whole, so that a process killed in
/// between leaves none.
void createStore(const fs::path& file) {
    removeLeftovers(file);
    fs::path fresh = file;
    fresh += base::concat(".new-", ::getpid());
    try {
        Connection connection(fresh, Connection::Mode::Create);
        connection.execute(base::concat("PRAGMA application_id=", kApplicationId,
                                        "; PRAGMA page_size=8192; PRAGMA journal_mode=WAL; BEGIN"));
        for (const std::string_view sql : schemaMigrations())
            connection.execute(std::string(sql));
        connection.execute(base::concat("PRAGMA user_version=", currentSchemaVersion(),
                                        "; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)"));
    } catch (const base::UserError& error) {
        removeLeftovers(file);
        // The name in the message is the one that the user knows.
        refuseStore(error.diagnostic().kind, file, error.diagnostic().message);
    }
    if (::rename(fresh.c_str(), file.c_str()) != 0)
        refuseStore("database-readonly", file,
                    base::concat("the database cannot be made: ", std::strerror(errno)));
    syncDirectory(file.parent_path());
}

bool isWritableDir(const fs::path& dir) {
    return ::access(dir.c_str(), W_OK) == 0;
}

} // namespace

void requireStoreFile(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        const int error = errno;
        refuseStore(
            error == ENOENT || error == ENOTDIR ? "database-missing" : "database-unreadable", file,
            error == ENOENT || error == ENOTDIR
                ? std::string("there is no database here")
                : base::concat("the database cannot be read: ", std::strerror(error)));
    }
    if (!S_ISREG(status.st_mode))
        refuseStore("database-corrupt", file,
                    S_ISDIR(status.st_mode) ? "this is a folder, not a database"
                                            : "this is no ordinary file");
    if (::access(file.c_str(), R_OK) != 0)
        refuseStore("database-unreadable", file,
                    base::concat("the database cannot be read: ", std::strerror(errno)));
    if (status.st_size == 0)
        refuseStore("database-corrupt", file, "the database is an empty file");
}

int requireStoreSchema(Connection& connection) {
    return requireSchema(connection, schemaMigrations());
}

std::unique_ptr<Connection> openStoreForReading(const fs::path& file) {
    requireStoreFile(file);
    fs::path log = file;
    log += "-wal";
    std::error_code ignored;
    const bool hasLog = fs::exists(log, ignored) && fs::file_size(log, ignored) > 0;
    // Without the right to make the shared memory beside it, a file that nobody writes can still be
    // read as it stands.
    const bool immutable = !hasLog && !isWritableDir(file.parent_path());
    auto connection = std::make_unique<Connection>(file, immutable ? Connection::Mode::Immutable
                                                                   : Connection::Mode::ReadOnly);
    requireStoreSchema(*connection);
    setUp(*connection);
    return connection;
}

std::unique_ptr<Connection> openStoreForWriting(const fs::path& file) {
    struct stat status {};
    if (::lstat(file.c_str(), &status) != 0 && errno == ENOENT)
        createStore(file);
    requireStoreFile(file);
    upgradeStore(file, schemaMigrations());
    auto connection = std::make_unique<Connection>(file, Connection::Mode::ReadWrite);
    setUp(*connection);
    return connection;
}

std::vector<std::string> pageProblems(Connection& connection, bool quick, int limit) {
    std::vector<std::string> problems;
    Statement statement(
        connection,
        base::concat("PRAGMA ", quick ? "quick_check" : "integrity_check", "(", limit, ")"));
    while (statement.step())
        if (statement.text(0) != "ok")
            problems.push_back(statement.string(0));
    return problems;
}

void requireSoundPages(Connection& connection, std::int64_t maxBytes) {
    const std::int64_t bytes =
        connection.scalar("PRAGMA page_count") * connection.scalar("PRAGMA page_size");
    if (bytes > maxBytes)
        return;
    const auto problems = pageProblems(connection, true, 1);
    if (!problems.empty())
        refuseStore("database-corrupt", connection.file(),
                    base::concat("the database is damaged: ", problems.front()));
}

void upgradeStore(const fs::path& file, std::span<const std::string_view> migrations) {
    Connection connection(file, Connection::Mode::ReadWrite);
    const int version = requireSchema(connection, migrations);
    requireSoundPages(connection, std::int64_t{64} << 20);
    if (version == static_cast<int>(migrations.size()))
        return;
    fs::path copy = file;
    copy += base::concat(".v", version, ".bak");
    if (!fs::exists(copy)) {
        Statement backup(connection, "VACUUM INTO ?1");
        backup.bind(1, copy.string()).run();
    }
    TransactionScope transaction(connection);
    for (std::size_t v = static_cast<std::size_t>(version); v < migrations.size(); ++v)
        connection.execute(std::string(migrations[v]));
    connection.execute(base::concat("PRAGMA user_version=", migrations.size()));
    transaction.commit();
}

} // namespace tilewright::database
