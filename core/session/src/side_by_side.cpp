// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/side_by_side.h>

#include "text_lines.h"

#include <tilewright/base/concat.h>
#include <tilewright/session/text_diff.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace tilewright::session {

namespace {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Where a comment starts in a line, outside of quotes; npos = nowhere.
std::size_t commentAt(std::string_view line, CodeKind kind) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        quoted ^= line[i] == '"';
        if (quoted)
            continue;
        if (kind == CodeKind::Llvm && line[i] == ';')
            return i;
        // Arm's immediates start with the same sign, without a blank.
        const bool alone = i + 1 == line.size() || line[i + 1] == ' ' || line[i + 1] == '#';
        if ((kind == CodeKind::Script || kind == CodeKind::Assembly) && line[i] == '#' && alone)
            return i;
    }
    return std::string_view::npos;
}

bool isSilent(std::string_view line, CodeKind kind) {
    constexpr std::array<std::string_view, 13> directives = {
        ".file",    ".ident", ".cfi_",    ".size",  ".type",      ".p2align",     ".loc",
        ".section", ".text",  ".addrsig", ".globl", ".attribute", ".intel_syntax"};
    constexpr std::array<std::string_view, 4> preamble = {"source_filename", "target triple",
                                                          "target datalayout", "attributes #"};
    const auto begins = [&](const auto& names) {
        return std::any_of(names.begin(), names.end(),
                           [&](std::string_view name) { return line.starts_with(name); });
    };
    if (kind == CodeKind::Assembly)
        return begins(directives);
    return kind == CodeKind::Llvm && (begins(preamble) || line.starts_with('!'));
}

/// Takes `, !tbaa !3` and `#0` off a line of LLVM IR.
std::string withoutMetadata(std::string_view line) {
    std::string out(line);
    for (std::size_t at = out.find(", !"); at != std::string::npos; at = out.find(", !", at)) {
        std::size_t end = at + 3;
        while (end < out.size() && out[end] != ',')
            ++end;
        out.erase(at, end - at);
    }
    return out;
}

/// Numbers names by first use. One serves one side.
class NameTable {
public:
    std::string of(char role, const std::string& name) {
        auto& names = tables_[role];
        const auto [it, added] = names.try_emplace(name, names.size());
        static_cast<void>(added);
        return std::to_string(it->second);
    }

private:
    std::map<char, std::map<std::string, std::size_t>> tables_;
};

class Normalizer {
public:
    Normalizer(CodeKind kind, const NormalizeOptions& options) : kind_(kind), options_(options) {}

    std::string line(std::string_view text) {
        std::string out;
        bool quoted = false;
        for (std::size_t i = 0; i < text.size();) {
            quoted ^= text[i] == '"';
            const std::size_t end = quoted ? i : tokenEnd(text, i);
            if (end == i) {
                out.push_back(text[i++]);
                continue;
            }
            out += token(text.substr(i, end - i), text.substr(end));
            i = end;
        }
        return out;
    }

private:
    static std::size_t tokenEnd(std::string_view text, std::size_t i) {
        const bool sign = (text[i] == '%' || text[i] == '.') && i + 1 < text.size() &&
                          (isWord(text[i + 1]) || text[i + 1] == '.');
        if (!sign && !isWord(text[i]))
            return i;
        std::size_t end = i + 1;
        while (end < text.size() && (isWord(text[end]) || (sign && text[end] == '.')))
            ++end;
        return end;
    }

    std::string token(std::string_view word, std::string_view rest) {
        const std::string text(word);
        if (options_.addresses && word.starts_with("0x") && word.size() > 2)
            return "0x";
        switch (kind_) {
        case CodeKind::Llvm:
            return llvm(text, rest);
        case CodeKind::Assembly:
            if (options_.labels && word.starts_with(".L"))
                return ".L" + names_.of('l', text);
            return text;
        case CodeKind::Script:
            return script(text);
        case CodeKind::Plain:
            break;
        }
        return text;
    }

    /// A label is used as `label %x` and stands as `x:`.
    std::string llvm(const std::string& text, std::string_view rest) {
        const bool target = std::exchange(last_, text) == "label";
        if (text[0] == '%') {
            const bool renamed = target ? options_.labels : options_.names;
            return renamed ? (target ? "%L" : "%") + names_.of(target ? 'l' : 'v', text.substr(1))
                           : text;
        }
        if (rest.starts_with(":") && options_.labels)
            return "L" + names_.of('l', text);
        return text;
    }

    /// `ax0_fused_1` and the like: numbers at a name's end tell equal names apart.
    std::string script(const std::string& text) {
        const std::size_t underscore = text.rfind('_');
        if (!options_.names || underscore == std::string::npos || underscore == 0 ||
            !isDigits(std::string_view(text).substr(underscore + 1)) ||
            std::isdigit(static_cast<unsigned char>(text[0])) != 0)
            return text;
        const std::string stem = text.substr(0, underscore);
        const auto [it, added] = script_.try_emplace(text, stems_[stem]);
        if (added)
            ++stems_[stem];
        return base::concat(stem, '_', it->second);
    }

    CodeKind kind_;
    NormalizeOptions options_;
    NameTable names_;
    std::string last_;
    std::map<std::string, int> script_;
    std::map<std::string, int> stems_;
};

std::vector<TextSpan> wordsOf(std::string_view line) {
    std::vector<TextSpan> words;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i + 1;
        if (isWord(line[i]))
            while (end < line.size() && isWord(line[end]))
                ++end;
        else if (line[i] == ' ')
            while (end < line.size() && line[end] == ' ')
                ++end;
        else
            while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80)
                ++end;
        words.push_back({i, end - i});
        i = end;
    }
    return words;
}

/// Length of the longest common subsequence of the words from each place on.
using WordTable = std::vector<std::vector<int>>;

WordTable commonWords(std::string_view left, const std::vector<TextSpan>& a, std::string_view right,
                      const std::vector<TextSpan>& b) {
    WordTable table(a.size() + 1, std::vector<int>(b.size() + 1, 0));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t k = b.size(); k-- > 0;) {
            const bool same =
                left.substr(a[i].begin, a[i].length) == right.substr(b[k].begin, b[k].length);
            table[i][k] =
                same ? table[i + 1][k + 1] + 1 : std::max(table[i + 1][k], table[i][k + 1]);
        }
    return table;
}

void addSpan(std::vector<TextSpan>& spans, const TextSpan& word) {
    if (!spans.empty() && spans.back().begin + spans.back().length == word.begin)
        spans.back().length += word.length;
    else
        spans.push_back(word);
}

void markWords(SideRow& row) {
    const std::vector<TextSpan> a = wordsOf(row.left);
    const std::vector<TextSpan> b = wordsOf(row.right);
    constexpr std::size_t most = 400;
    if (a.size() > most || b.size() > most) {
        row.leftSpans = {{0, row.left.size()}};
        row.rightSpans = {{0, row.right.size()}};
        return;
    }
    const WordTable common = commonWords(row.left, a, row.right, b);
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() || k < b.size()) {
        if (i < a.size() && k < b.size() &&
            std::string_view(row.left).substr(a[i].begin, a[i].length) ==
                std::string_view(row.right).substr(b[k].begin, b[k].length)) {
            ++i, ++k;
        } else if (k == b.size() || (i < a.size() && common[i + 1][k] >= common[i][k + 1])) {
            addSpan(row.leftSpans, a[i++]);
        } else {
            addSpan(row.rightSpans, b[k++]);
        }
    }
}

/// How much two lines have in common, 0 … 1, by their words other than blanks.
double similarity(std::string_view left, std::string_view right) {
    const std::vector<TextSpan> a = wordsOf(left);
    const std::vector<TextSpan> b = wordsOf(right);
    if (a.empty() || b.empty() || a.size() > 120 || b.size() > 120)
        return 0;
    return 2.0 * commonWords(left, a, right, b)[0][0] / static_cast<double>(a.size() + b.size());
}

/// Pairs removed with added lines of one change: in order, those that look alike; when there are
/// as many of both, all of them.
void pairBlock(std::vector<SideRow>& rows, std::vector<SideRow> removed,
               std::vector<SideRow> added) {
    const auto join = [&](SideRow& left, SideRow& right) {
        SideRow row = std::move(left);
        row.change = LineChange::Changed;
        row.right = std::move(right.right);
        row.rightLine = right.rightLine;
        markWords(row);
        rows.push_back(std::move(row));
    };
    const bool all = removed.size() == added.size();
    const bool small = removed.size() * added.size() <= 10000;
    std::size_t k = 0;
    for (std::size_t i = 0; i < removed.size(); ++i) {
        std::size_t match = k;
        if (!all && small) {
            const std::size_t reach = std::min(added.size(), k + 12);
            while (match < reach && similarity(removed[i].left, added[match].right) < 0.6)
                ++match;
            if (match == reach)
                match = added.size();
        }
        if (match >= added.size()) {
            rows.push_back(std::move(removed[i]));
            continue;
        }
        for (; k < match; ++k)
            rows.push_back(std::move(added[k]));
        join(removed[i], added[k++]);
    }
    for (; k < added.size(); ++k)
        rows.push_back(std::move(added[k]));
}

void fold(std::vector<SideRow>& rows, int context) {
    std::vector<SideRow> out;
    const auto count = static_cast<int>(rows.size());
    for (int i = 0; i < count;) {
        int end = i;
        while (end < count && rows[static_cast<std::size_t>(end)].change == LineChange::Equal)
            ++end;
        if (end == i) {
            out.push_back(std::move(rows[static_cast<std::size_t>(i++)]));
            continue;
        }
        const int head = i == 0 ? 0 : context;
        const int tail = end == count ? 0 : context;
        const bool folds = end - i > head + tail + 3;
        for (int k = i; k < end; ++k) {
            SideRow& row = rows[static_cast<std::size_t>(k)];
            if (!folds || k < i + head || k >= end - tail) {
                out.push_back(std::move(row));
            } else if (k == i + head) {
                SideRow& folded = out.emplace_back();
                folded.change = LineChange::Folded;
                folded.leftLine = row.leftLine;
                folded.rightLine = row.rightLine;
                folded.folded = end - tail - k;
            }
        }
        i = end;
    }
    rows = std::move(out);
}

} // namespace

std::string normalizedCode(std::string_view text, CodeKind kind, const NormalizeOptions& options) {
    Normalizer normalizer(kind, options);
    std::string out;
    for (std::string_view line : linesOf(text)) {
        const std::size_t first = line.find_first_not_of(" \t");
        const bool wasEmpty = first == std::string_view::npos;
        if (!wasEmpty && options.metadata && isSilent(line.substr(first), kind))
            continue;
        if (options.comments)
            line = line.substr(0, commentAt(line, kind));
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        if (line.empty() && !wasEmpty)
            continue;
        out += normalizer.line(options.metadata && kind == CodeKind::Llvm ? withoutMetadata(line)
                                                                          : std::string(line));
        out.push_back('\n');
    }
    return out;
}

SideBySide alignTexts(std::string_view left, std::string_view right, int foldContext) {
    SideBySide result;
    std::vector<SideRow> removed;
    std::vector<SideRow> added;
    const auto flush = [&] {
        if (removed.empty() && added.empty())
            return;
        ++result.differences;
        pairBlock(result.rows, std::exchange(removed, {}), std::exchange(added, {}));
    };
    for (TextLine& line : diffLines(left, right)) {
        SideRow row;
        row.leftLine = line.left;
        row.rightLine = line.right;
        if (line.mark == '-') {
            row.change = LineChange::OnlyLeft;
            row.left = std::move(line.text);
            removed.push_back(std::move(row));
        } else if (line.mark == '+') {
            row.change = LineChange::OnlyRight;
            row.right = std::move(line.text);
            added.push_back(std::move(row));
        } else {
            flush();
            row.left = line.text;
            row.right = std::move(line.text);
            result.rows.push_back(std::move(row));
        }
    }
    flush();
    if (foldContext >= 0)
        fold(result.rows, foldContext);
    return result;
}

SideBySide compareCode(std::string_view left, std::string_view right, CodeKind kind,
                       const NormalizeOptions& options, int foldContext) {
    return alignTexts(normalizedCode(left, kind, options), normalizedCode(right, kind, options),
                      foldContext);
}

} // namespace tilewright::session
