// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::session {

/// What a file or folder that somebody opens turns out to be.
enum class OpenKind : std::uint8_t {
    Model,     ///< ONNX
    Module,    ///< TVMScript
    Results,   ///< a work directory or its database
    TvmPair,   ///< TVM's workload and record files, JSON
    TvmSqlite, ///< a folder with TVM's pair as SQLite files
    Missing,   ///< not there
    Unknown,   ///< none of these; the reason says what was looked for
};

/// One thing to open.
struct OpenTarget {
    OpenKind kind = OpenKind::Unknown;
    /// The model, the work directory, the folder, or the workload file of a pair.
    std::filesystem::path path;
    std::filesystem::path recordFile; ///< of a pair
    std::string reason;               ///< why it cannot be opened; empty otherwise
};

/// Recognises files by their first bytes, not by their names alone. The two halves of a TVM pair
/// are brought together in whatever order they come; a half that comes alone finds the other one in
/// its folder by name. Reads at most a few kilobytes of each file and never throws.
std::vector<OpenTarget> recogniseFiles(const std::vector<std::filesystem::path>& files);

} // namespace tilewright::session
