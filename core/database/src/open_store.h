// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sqlite_connection.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::database {

/// Throws UserError naming the file unless an ordinary, readable, non-empty file is there.
void requireStoreFile(const std::filesystem::path& file);

/// Throws UserError unless the connection is to one of our stores, of a schema version this build
/// can read, with exactly that version's tables. Returns the version.
int requireStoreSchema(Connection& connection);

/// Opens for reading, without changing anything, not even an older schema.
std::unique_ptr<Connection> openStoreForReading(const std::filesystem::path& file);

/// Opens for writing; makes the file when it is missing (complete or not at all), upgrades an older
/// schema after a copy. The caller holds the directory's lock.
std::unique_ptr<Connection> openStoreForWriting(const std::filesystem::path& file);

/// What SQLite finds wrong page by page; the quick form does not compare indices with tables.
std::vector<std::string> pageProblems(Connection& connection, bool quick, int limit);

/// Throws UserError when a store of at most `maxBytes` has a page that is damaged.
void requireSoundPages(Connection& connection, std::int64_t maxBytes);

} // namespace tilewright::database
