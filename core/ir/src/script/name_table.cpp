// SPDX-License-Identifier: Apache-2.0
#include "name_table.h"

#include <algorithm>
#include <array>

namespace tilewright::ir {

namespace {

bool isPythonKeyword(std::string_view text) {
    static constexpr std::array<std::string_view, 35> kWords{
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    return std::binary_search(kWords.begin(), kWords.end(), text);
}

bool isNameChar(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string sanitised(std::string_view hint) {
    std::string name(hint);
    for (char& c : name) {
        if (!isNameChar(c))
            c = '_';
    }
    if (name[0] >= '0' && name[0] <= '9')
        name.insert(name.begin(), 'v');
    if (isPythonKeyword(name))
        name.push_back('_');
    return name;
}

} // namespace

NameTable::NameTable() : used_{"T", "I", "range"} {}

void NameTable::popFrame() {
    const std::size_t mark = marks_.back();
    marks_.pop_back();
    while (entries_.size() > mark) {
        const Entry entry = entries_.back();
        entries_.pop_back();
        const auto it = names_.find(entry.node);
        if (entry.ownsName)
            used_.erase(it->second);
        names_.erase(it);
    }
}

const std::string& NameTable::define(const Node* node, std::string_view hint,
                                     std::string_view otherwise) {
    const std::string base = sanitised(hint.empty() ? otherwise : hint);
    std::string name = base;
    for (int i = 1; !used_.insert(name).second; ++i)
        name = base + '_' + std::to_string(i);
    const auto [it, isNew] = names_.try_emplace(node, name);
    if (isNew) {
        entries_.push_back({node, true});
    } else {
        used_.erase(name);
    }
    return it->second;
}

void NameTable::defineText(const Node* node, std::string text) {
    if (names_.try_emplace(node, std::move(text)).second)
        entries_.push_back({node, false});
}

const std::string* NameTable::find(const Node* node) const {
    const auto it = names_.find(node);
    return it == names_.end() ? nullptr : &it->second;
}

} // namespace tilewright::ir
