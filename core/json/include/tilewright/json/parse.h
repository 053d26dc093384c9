// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/json/value.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright::json {

/// `Strict` is RFC 8259 (UTF-8 required). `Tvm` also takes what MetaSchedule's own files and other
/// tools leave behind: trailing commas, `\xHH` escapes, NaN and (-)Infinity, bytes that are not
/// UTF-8, a byte-order mark in front.
enum class Dialect : std::uint8_t { Strict, Tvm };

struct ParseOptions {
    Dialect dialect = Dialect::Strict;
    /// Deeper nesting is refused, so that no text can exhaust the stack.
    int maxDepth = 512;
    /// Names the text in errors.
    std::string fileName = {};
    /// The number of the text's first line in its file, counted from 1.
    int firstLine = 1;
};

/// Reads one value and nothing after it but blanks. Throws ParseError (kind `json-syntax`) with
/// file, line and column (in bytes, from 1), saying what was expected and found.
Value parse(std::string_view text, const ParseOptions& options = {});
Value parse(std::string_view text, std::string fileName, int firstLine = 1);

/// As parse, the error as a value.
base::Result<Value> tryParse(std::string_view text, const ParseOptions& options = {});

/// Reads the value that stands at `offset` and moves `offset` behind it and the blanks after it;
/// for texts that hold several values in a row.
base::Result<Value> tryParsePrefix(std::string_view text, std::size_t& offset,
                                   const ParseOptions& options = {});

/// Reads a whole file. Throws UserError (kind `file-read`) naming the file, or ParseError.
Value parseFile(const std::filesystem::path& file, Dialect dialect = Dialect::Strict);

} // namespace tilewright::json
