// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/text_diff.h>

#include "text_lines.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <array>
#include <map>

namespace tilewright::session {

namespace {

using Lines = std::vector<std::string_view>;
using Match = std::pair<int, int>;

/// Myers' greedy algorithm over left[begin…], right[begin…]; the matched pairs. Gives up (no
/// matches) on texts that differ in more than `most` lines, where a diff says nothing anyway.
std::vector<Match> matchLines(const Lines& left, const Lines& right, int begin, int leftEnd,
                              int rightEnd) {
    constexpr int most = 3000;
    const int n = leftEnd - begin;
    const int m = rightEnd - begin;
    const int limit = std::min(n + m, most);
    std::vector<std::vector<int>> history;
    std::vector<int> furthest(static_cast<std::size_t>(2 * limit + 3), 0);
    const auto at = [&](std::vector<int>& v, int k) -> int& {
        return v[static_cast<std::size_t>(k + limit + 1)];
    };
    int found = -1;
    for (int d = 0; d <= limit && found < 0; ++d) {
        history.emplace_back(furthest.begin() + (limit + 1 - d), furthest.begin() + limit + 2 + d);
        for (int k = -d; k <= d; k += 2) {
            const bool down = k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1));
            int x = down ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
            while (x < n && x - k < m &&
                   left[static_cast<std::size_t>(begin + x)] ==
                       right[static_cast<std::size_t>(begin + x - k)])
                ++x;
            at(furthest, k) = x;
            if (x >= n && x - k >= m) {
                found = d;
                break;
            }
        }
    }
    std::vector<Match> matches;
    int x = n;
    int y = m;
    for (int d = found; d > 0; --d) {
        // Entry k of step d is at index k + d of its slice, which was taken before the step.
        const std::vector<int>& before = history[static_cast<std::size_t>(d)];
        const auto value = [&](int k) { return before[static_cast<std::size_t>(k + d)]; };
        const int k = x - y;
        const bool down = k == -d || (k != d && value(k - 1) < value(k + 1));
        const int previous = down ? k + 1 : k - 1;
        const int fromX = value(previous);
        const int fromY = fromX - previous;
        const int startX = down ? fromX : fromX + 1;
        while (x > startX) {
            --x, --y;
            matches.emplace_back(begin + x, begin + y);
        }
        x = fromX;
        y = fromY;
    }
    if (found >= 0)
        while (x > 0 && y > 0) {
            --x, --y;
            matches.emplace_back(begin + x, begin + y);
        }
    std::reverse(matches.begin(), matches.end());
    return matches;
}

bool isLabelCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/// Directives that only describe: symbol types, sizes, unwinding, debug sections.
bool isSilentDirective(std::string_view line) {
    constexpr std::array<std::string_view, 12> names = {
        ".file", ".ident",   ".cfi_", ".size",    ".type",  ".p2align",
        ".loc",  ".section", ".text", ".addrsig", ".globl", ".attribute"};
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return line.starts_with(name); });
}

} // namespace

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<TextLine> diffLines(std::string_view leftText, std::string_view rightText) {
    const Lines left = linesOf(leftText);
    const Lines right = linesOf(rightText);
    const int n = static_cast<int>(left.size());
    const int m = static_cast<int>(right.size());
    const auto same = [&](int i, int k) {
        return left[static_cast<std::size_t>(i)] == right[static_cast<std::size_t>(k)];
    };
    int begin = 0;
    while (begin < n && begin < m && same(begin, begin))
        ++begin;
    int tail = 0;
    while (tail < n - begin && tail < m - begin && same(n - 1 - tail, m - 1 - tail))
        ++tail;
    std::vector<Match> matches;
    for (int i = 0; i < begin; ++i)
        matches.emplace_back(i, i);
    for (const Match& match : matchLines(left, right, begin, n - tail, m - tail))
        matches.push_back(match);
    for (int i = tail; i > 0; --i)
        matches.emplace_back(n - i, m - i);
    matches.emplace_back(n, m);
    std::vector<TextLine> out;
    int i = 0;
    int k = 0;
    for (const auto& [nextLeft, nextRight] : matches) {
        for (; i < nextLeft; ++i)
            out.push_back({'-', i + 1, 0, std::string(left[static_cast<std::size_t>(i)])});
        for (; k < nextRight; ++k)
            out.push_back({'+', 0, k + 1, std::string(right[static_cast<std::size_t>(k)])});
        if (i < n && k < m) {
            out.push_back({' ', i + 1, k + 1, std::string(left[static_cast<std::size_t>(i)])});
            ++i, ++k;
        }
    }
    return out;
}

std::string unifiedDiff(std::string_view left, std::string_view right, std::string_view leftName,
                        std::string_view rightName, int context) {
    const std::vector<TextLine> lines = diffLines(left, right);
    const int count = static_cast<int>(lines.size());
    std::vector<char> shown(lines.size(), 0);
    for (int i = 0; i < count; ++i)
        if (lines[static_cast<std::size_t>(i)].mark != ' ')
            for (int k = std::max(0, i - context); k <= std::min(count - 1, i + context); ++k)
                shown[static_cast<std::size_t>(k)] = 1;
    if (std::find(shown.begin(), shown.end(), 1) == shown.end())
        return {};
    std::string text = base::concat("--- ", leftName, "\n+++ ", rightName, '\n');
    for (int i = 0; i < count;) {
        if (!shown[static_cast<std::size_t>(i)]) {
            ++i;
            continue;
        }
        int leftStart = 0;
        int rightStart = 0;
        int leftCount = 0;
        int rightCount = 0;
        std::string body;
        for (; i < count && shown[static_cast<std::size_t>(i)]; ++i) {
            const TextLine& line = lines[static_cast<std::size_t>(i)];
            if (line.left > 0 && leftCount++ == 0)
                leftStart = line.left;
            if (line.right > 0 && rightCount++ == 0)
                rightStart = line.right;
            body += base::concat(line.mark, line.text, '\n');
        }
        text += base::concat("@@ -", leftStart, ',', leftCount, " +", rightStart, ',', rightCount,
                             " @@\n", body);
    }
    return text;
}

std::string normalizedAssembly(std::string_view assembly) {
    std::map<std::string, std::string, std::less<>> labels;
    std::string out;
    for (std::string_view line : linesOf(assembly)) {
        // A blank follows: Arm's immediates start with the same sign.
        const std::size_t comment = line.find("# ");
        if (comment != std::string_view::npos)
            line = line.substr(0, comment);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos || isSilentDirective(line.substr(first)))
            continue;
        for (std::size_t i = 0; i < line.size();) {
            if (!line.substr(i).starts_with(".L") || (i > 0 && isLabelCharacter(line[i - 1]))) {
                out.push_back(line[i++]);
                continue;
            }
            std::size_t end = i;
            while (end < line.size() && isLabelCharacter(line[end]))
                ++end;
            const auto [it, added] = labels.try_emplace(std::string(line.substr(i, end - i)));
            if (added)
                it->second = base::concat(".L", labels.size() - 1);
            out += it->second;
            i = end;
        }
        out.push_back('\n');
    }
    return out;
}

} // namespace tilewright::session
