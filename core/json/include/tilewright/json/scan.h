// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tilewright::json {

/// Finds the end of the strict JSON value that stands at `offset` (after blanks) without building
/// it; several times faster than parsing. Nothing when there is no strict JSON value there (UTF-8
/// is not checked); parse then to learn why.
std::optional<std::size_t> scanValue(std::string_view text, std::size_t offset, int maxDepth = 512);

/// The offset of the first byte at or after `offset` that is no blank; the text's size at the end.
std::size_t skipBlanks(std::string_view text, std::size_t offset);

} // namespace tilewright::json
