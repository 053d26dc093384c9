// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../command.h"

#include <tilewright/target/target.h>

#include <filesystem>
#include <vector>

namespace tilewright::cli {

/// Reads a target and asks the code generator whether it knows the CPU. Throws UserError (kind
/// `target`).
target::Target checkedTarget(const std::string& text);

/// What to compile for: `--target`; without it `host`, or the one target that the records of
/// `--work-dir` are for when none are for `host`. Says on standard error when it is not `host`, and
/// when no record is for the target.
target::Target targetOfRecords(const Arguments& arguments);

} // namespace tilewright::cli
