// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/node.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilewright::ir {

/// Gives every printed object a name that no other object in reach has. Names live in frames and
/// are free again when their frame closes.
class NameTable {
public:
    NameTable();

    void pushFrame() { marks_.push_back(entries_.size()); }
    void popFrame();
    /// Keeps a name from being given away.
    void reserve(std::string name) { used_.insert(std::move(name)); }
    /// Names `node`, starting from its hint; `otherwise` serves for an empty hint.
    const std::string& define(const Node* node, std::string_view hint, std::string_view otherwise);
    /// Lets `node` print as a text that is no name of its own, such as `A.elem_offset`.
    void defineText(const Node* node, std::string text);
    /// Null when the node has no name.
    [[nodiscard]] const std::string* find(const Node* node) const;

private:
    struct Entry {
        const Node* node;
        bool ownsName;
    };
    std::unordered_map<const Node*, std::string> names_;
    std::unordered_set<std::string> used_;
    std::vector<Entry> entries_;
    std::vector<std::size_t> marks_;
};

} // namespace tilewright::ir
