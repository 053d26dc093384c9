// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../command.h"

#include <tilewright/session/tuning_input.h>

namespace tilewright::cli {

// Arguments that several commands share.
PositionalSpec inputPositional();
PositionalSpec workDirPositional();
OptionSpec shapeOption();
/// `--target T`; names the default in the help when there is one.
OptionSpec targetOption(const std::string& defaultTarget);
OptionSpec jsonOption();
OptionSpec workDirOption();

session::InputOptions inputOptions(const Arguments& arguments);
/// The value of a required option. Throws UserError (kind `usage`) naming it.
std::string requiredOption(const Arguments& arguments, std::string_view name);

} // namespace tilewright::cli
