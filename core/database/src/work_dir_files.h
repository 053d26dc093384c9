// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tilewright::database {

/// Adds a line break when a file ends in the middle of a line (its writer was killed), so that what
/// is appended does not become part of the cut line.
void completeLastLine(const std::filesystem::path& file);

} // namespace tilewright::database
