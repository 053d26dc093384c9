// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

struct TextLine {
    char mark = ' '; ///< ' ' in both, '-' only left, '+' only right
    int left = 0;    ///< line number from 1, 0 = not there
    int right = 0;
    std::string text;
};

/// The shortest edit from one text to another, line by line.
std::vector<TextLine> diffLines(std::string_view left, std::string_view right);

/// A unified diff with `context` lines around changes; empty when the texts are equal.
std::string unifiedDiff(std::string_view left, std::string_view right, std::string_view leftName,
                        std::string_view rightName, int context = 3);

/// Assembly with what numbering alone makes different taken away: labels are numbered by first
/// use, comments and directives that emit nothing are dropped.
std::string normalizedAssembly(std::string_view assembly);

} // namespace tilewright::session
