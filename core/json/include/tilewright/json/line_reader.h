// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright::json {

/// Reads a text file of any size line by line, holding one line (plus a buffer) in memory.
/// `\r` before the break and a byte-order mark at the start of the file are taken away. Movable,
/// not copyable; owned by one thread.
class LineReader {
public:
    /// Opens the file. Throws UserError (kind `file-read`) naming it when it cannot be opened or is
    /// no ordinary file.
    explicit LineReader(std::filesystem::path file);
    LineReader(LineReader&& other) noexcept;
    LineReader& operator=(LineReader&& other) noexcept;
    ~LineReader();

    /// Moves to the next line; false at the end. Throws UserError when reading fails.
    bool next();
    /// The current line without its break; valid until the next call of next().
    [[nodiscard]] std::string_view line() const { return line_; }
    /// Its number, counted from 1.
    [[nodiscard]] std::int64_t number() const { return number_; }
    /// Whether a line break ended it; a last line without one may have been cut.
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
    bool fill();
    std::filesystem::path file_;
    int descriptor_ = -1;
    std::string buffer_;
    std::size_t begin_ = 0;
    std::string_view line_;
    std::int64_t number_ = 0;
    bool complete_ = true;
    bool end_ = false;
};

/// The whole content of a file. Throws UserError (kind `file-read`) naming it.
std::string readTextFile(const std::filesystem::path& file);

} // namespace tilewright::json
