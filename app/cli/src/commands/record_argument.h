// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../command.h"

#include <tilewright/database/record.h>

namespace tilewright::cli {

/// The record that a positional argument names. Throws UserError (kind `usage`).
database::RecordId recordArgument(const Arguments& arguments, std::string_view name);

} // namespace tilewright::cli
