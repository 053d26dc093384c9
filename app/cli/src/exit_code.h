// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/diagnostic.h>

namespace tilewright::cli {

/// The documented exit codes.
enum ExitCode : int {
    kSuccess = 0,
    kAnswerIsNo = 1, ///< schedule refused, different, wrong result
    kUsage = 2,      ///< also unknown operators and targets, and a missing shape
    kNoSchedule = 3, ///< finished, but some task has neither a schedule nor a working default
    kBadInput = 4,   ///< an input that is missing, unreadable, or no model or module
    kDevice = 5,     ///< device unavailable or lost
    kDatabase = 6,   ///< locked, corrupt, foreign or newer database
    kRegression = 7, ///< `compare --fail-above`
    kNoSpace = 8,    ///< disk full, directory not writable
    kInternal = 70,
    kInterrupted = 130,
    kTerminated = 143
};

/// The exit code for a user's problem, by its kind; `otherwise` for kinds that no list knows.
int exitCodeOf(const base::Diagnostic& diagnostic, int otherwise = kBadInput);

} // namespace tilewright::cli
