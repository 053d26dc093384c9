// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::session {

/// A run of a compiled library on tensors from files.
struct RunRequest {
    std::string library;
    std::vector<std::pair<std::string, std::string>> inputs; ///< name, .npy file
    std::filesystem::path outputDir;                         ///< made when missing
    int repeat = 1;
    int threads = 1;
};

/// Runs it in a child process; returns `{"schema", "outputs": [{"name", "file", "shape"}],
/// "samples_ms", "median_ms", "threads"}`, `file` relative to the output folder. With several
/// repeats some runs come first that are not timed. Throws UserError: `unreadable-file`, `library`,
/// `model-metadata`, `npy`, `usage` for inputs that are missing or unknown, `shape-mismatch`,
/// `run`, `run-crash`, `not-writable`.
json::Value runModel(const RunRequest& request);

} // namespace tilewright::session
