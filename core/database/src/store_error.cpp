// SPDX-License-Identifier: Apache-2.0
#include "store_error.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/work_dir.h>

#include <sqlite3.h>

namespace tilewright::database {

void refuseStore(std::string_view kind, const std::filesystem::path& file, std::string message) {
    throw base::UserError(std::string(kind), std::move(message),
                          {base::TextLocation{file.string(), 0, 0}});
}

void throwStoreError(const std::filesystem::path& file, int code, const std::string& message) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: {
        const auto pid = DirectoryLock::owner(file.parent_path());
        refuseStore("database-locked", file,
                    base::concat("the database is in use by ",
                                 pid ? base::concat("process ", *pid) : "another process"));
    }
    case SQLITE_NOTADB:
        refuseStore("database-corrupt", file,
                    "not a Tilewright database: no SQLite header, or it is damaged");
    case SQLITE_CORRUPT:
        refuseStore("database-corrupt", file, base::concat("the database is damaged: ", message));
    case SQLITE_FULL:
        refuseStore("disk-full", file, "the disk is full; what was committed before is kept");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        refuseStore("database-readonly", file,
                    base::concat("the database cannot be written: ", message));
    case SQLITE_CANTOPEN:
        refuseStore("database-unreadable", file,
                    base::concat("the database cannot be opened: ", message));
    case SQLITE_IOERR:
        refuseStore(code == SQLITE_IOERR_SHORT_READ ? "database-corrupt" : "database-io", file,
                    base::concat("reading or writing the database failed: ", message));
    case SQLITE_TOOBIG:
        refuseStore("database-too-big", file, "a value is larger than a database row can hold");
    case SQLITE_NOMEM:
        refuseStore("out-of-memory", file, "not enough memory for the database");
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_FORMAT:
        refuseStore("database-corrupt", file,
                    base::concat("the database's tables are damaged: ", message));
    default:
        throw base::InternalError(
            base::concat(file.string(), ": SQLite error ", code, ": ", message));
    }
}

} // namespace tilewright::database
