// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// What the text to be compared is, so that a normaliser knows its comments and names.
enum class CodeKind : std::uint8_t { Script, Llvm, Assembly, Plain };

/// What is taken away before two texts are compared, always on both sides alike.
struct NormalizeOptions {
    bool names = true;     ///< SSA values and numbered variables, by first use: `%12`, `ax0_1`
    bool labels = true;    ///< jump targets, by first use: `.LBB0_3`, `bb4:`
    bool addresses = true; ///< numbers in hexadecimal
    bool comments = true;  ///< comments and lines that are nothing else
    bool metadata = true;  ///< debug and type metadata, directives that emit nothing
};

/// A text without what the options take away; lines that are left empty go.
std::string normalizedCode(std::string_view text, CodeKind kind, const NormalizeOptions& options);

/// A part of a line, in bytes.
struct TextSpan {
    std::size_t begin = 0;
    std::size_t length = 0;
    bool operator==(const TextSpan&) const = default;
};

enum class LineChange : std::uint8_t { Equal, Changed, OnlyLeft, OnlyRight, Folded };

/// A line of the left text beside its counterpart.
struct SideRow {
    LineChange change = LineChange::Equal;
    int leftLine = 0; ///< from 1, 0 = not there; of Folded the first one
    int rightLine = 0;
    std::string left;
    std::string right;
    std::vector<TextSpan> leftSpans; ///< words that differ, of Changed
    std::vector<TextSpan> rightSpans;
    int folded = 0; ///< equal lines that this row stands for
};

struct SideBySide {
    std::vector<SideRow> rows;
    int differences = 0; ///< runs of rows that are not equal
    [[nodiscard]] bool equal() const { return differences == 0; }
};

/// Lines aligned by the shortest edit; inside a changed pair, words by the same. With `foldContext`
/// ≥ 0 equal regions longer than twice that and 3 are folded, keeping so many lines beside changes.
SideBySide alignTexts(std::string_view left, std::string_view right, int foldContext = -1);

/// normalizedCode() of both sides, then alignTexts().
SideBySide compareCode(std::string_view left, std::string_view right, CodeKind kind,
                       const NormalizeOptions& options, int foldContext = -1);

} // namespace tilewright::session
