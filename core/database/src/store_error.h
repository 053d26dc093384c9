// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright::database {

/// Throws the UserError for an SQLite result code, naming the file.
[[noreturn]] void throwStoreError(const std::filesystem::path& file, int code,
                                  const std::string& message);
/// Throws a UserError of a kind (`database-…`), naming the file.
[[noreturn]] void refuseStore(std::string_view kind, const std::filesystem::path& file,
                              std::string message);

} // namespace tilewright::database
