// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilewright::cli {

/// Parses, runs the command, prints what goes wrong; returns the exit code.
int runCommandLine(int argc, char** argv);

} // namespace tilewright::cli
