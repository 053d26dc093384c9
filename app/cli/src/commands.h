// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"

namespace tilewright::cli {

// One function a command (or group of commands), each in its own file under commands/.
CommandSpec extractCommand();
CommandSpec tuneCommand();
std::vector<CommandSpec> sessionCommands();
CommandSpec measureCommand();
std::vector<CommandSpec> recordsCommands();
CommandSpec showCommand();
CommandSpec diffCommand();
CommandSpec compareCommand();
CommandSpec applyCommand();
CommandSpec equalCommand();
CommandSpec spaceCommand();
CommandSpec featuresCommand();
CommandSpec benchCommand();
CommandSpec compileCommand();
CommandSpec runCommand();
CommandSpec profileCommand();
CommandSpec verifyCommand();
CommandSpec reportCommand();
std::vector<CommandSpec> databaseCommands();
std::vector<CommandSpec> deviceCommands();
CommandSpec operatorsCommand();
CommandSpec peaksCommand();
CommandSpec doctorCommand();
CommandSpec guiCommand();

} // namespace tilewright::cli
