// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::database {

/// "TWDB" in the header's application id.
inline constexpr int kApplicationId = 0x54574442;

/// The statements that make version N out of version N-1, at place N-1; version 0 is an empty file.
/// Entries are never changed once released, only added.
std::span<const std::string_view> schemaMigrations();

/// The version that this build writes; `user_version` of the file.
int currentSchemaVersion();

/// Brings a store to the last of `migrations`, in one transaction, after a copy beside it
/// (`tuning.twdb.v<old>.bak`). Does nothing when it is there already. Throws UserError
/// (`database-newer`, `database-corrupt`, …) and then leaves the file as it was.
void upgradeStore(const std::filesystem::path& file, std::span<const std::string_view> migrations);

} // namespace tilewright::database
