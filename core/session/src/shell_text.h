// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilewright::session {

/// An argument between single quotes, as a POSIX shell reads it back.
std::string inQuotes(std::string_view argument);

} // namespace tilewright::session
