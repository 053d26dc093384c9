// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace tilewright::session {

/// The lines of a text without their ends; a last empty one does not count.
std::vector<std::string_view> linesOf(std::string_view text);

} // namespace tilewright::session
