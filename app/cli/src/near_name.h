// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// The name that `word` was most likely meant to be; empty when none comes near.
std::string nearName(std::string_view word, const std::vector<std::string>& names);

} // namespace tilewright::cli
