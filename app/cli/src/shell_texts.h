// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilewright::cli {

/// A completion script for `bash`, `zsh` or `fish`, made from the table of commands. Throws
/// UserError (kind `usage`) for another shell.
std::string completionScript(std::string_view shell);

/// The manual page tilewright(1) in man's own language, made from the table of commands.
std::string manualPage();

} // namespace tilewright::cli
