// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/dump.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright::json {

/// Writes a JSON Lines file. A line is handed to the operating system whole, in one write, so that
/// a process killed in between leaves no half line behind another process's line.
class LineWriter {
public:
    enum class Mode : std::uint8_t { Truncate, Append };
    /// Throws UserError (kind `file-write`) naming the file.
    LineWriter(std::filesystem::path file, Mode mode);
    LineWriter(LineWriter&& other) noexcept;
    LineWriter& operator=(LineWriter&&) = delete;
    ~LineWriter();

    void write(const Value& value, Style style = Style::Compact);
    /// Writes a text as it is, and the line break.
    void writeText(std::string_view line);
    /// Waits until the lines are on the disk.
    void sync();

private:
    [[noreturn]] void refuse() const;
    std::filesystem::path file_;
    int descriptor_ = -1;
    std::string buffer_;
};

} // namespace tilewright::json
