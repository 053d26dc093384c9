// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/dependence_graph.h>

#include <algorithm>

namespace tilewright::analysis {
namespace {

using Touchers = std::vector<std::pair<const ir::BufferNode*, std::vector<int>>>;

std::vector<int>& touchersOf(Touchers& table, const ir::BufferNode* buffer) {
    for (auto& [key, list] : table)
        if (key == buffer)
            return list;
    return table.emplace_back(buffer, std::vector<int>{}).second;
}

const std::vector<int>* findTouchers(const Touchers& table, const ir::BufferNode* buffer) {
    for (const auto& [key, list] : table)
        if (key == buffer)
            return &list;
    return nullptr;
}

void pushUnique(std::vector<int>& list, int value) {
    if (std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(value);
}

} // namespace

void BufferWriters::add(const ir::BufferNode* buffer) {
    for (auto& [key, count] : counts_) {
        if (key == buffer) {
            ++count;
            return;
        }
    }
    counts_.emplace_back(buffer, 1);
}

void BufferWriters::mergeKeeping(const BufferWriters& other) {
    for (const auto& entry : other.counts_)
        if (count(entry.first) == 0)
            counts_.push_back(entry);
}

int BufferWriters::count(const ir::BufferNode* buffer) const {
    for (const auto& [key, n] : counts_)
        if (key == buffer)
            return n;
    return 0;
}

DependenceGraph::DependenceGraph(std::span<const ir::BlockNode* const> children) {
    Touchers readers;
    const auto addAll = [this](const std::vector<int>* sources, int target, DependenceKind kind) {
        if (!sources)
            return;
        for (const int source : *sources)
            if (source != target)
                dependences_.push_back({source, target, kind});
    };
    for (int child = 0; child < static_cast<int>(children.size()); ++child) {
        const ir::BlockNode& block = *children[static_cast<std::size_t>(child)];
        for (const auto& read : block.reads)
            pushUnique(touchersOf(readers, read.buffer.get()), child);
        for (const auto& write : block.writes)
            pushUnique(touchersOf(writerLists_, write.buffer.get()), child);
        for (const auto& read : block.reads)
            addAll(findTouchers(writerLists_, read.buffer.get()), child, DependenceKind::Raw);
        for (const auto& write : block.writes)
            addAll(findTouchers(writerLists_, write.buffer.get()), child, DependenceKind::Waw);
        for (const auto& write : block.writes)
            addAll(findTouchers(readers, write.buffer.get()), child, DependenceKind::War);
    }
    for (const auto& [buffer, list] : writerLists_)
        for (std::size_t i = 0; i < list.size(); ++i)
            writers_.add(buffer);
}

std::vector<int> DependenceGraph::producers(int child) const {
    std::vector<int> result;
    for (const Dependence& d : dependences_)
        if (d.target == child && (d.kind == DependenceKind::Raw || d.kind == DependenceKind::Waw))
            pushUnique(result, d.source);
    return result;
}

std::vector<int> DependenceGraph::consumers(int child) const {
    std::vector<int> result;
    for (const Dependence& d : dependences_)
        if (d.source == child && (d.kind == DependenceKind::Raw || d.kind == DependenceKind::Waw))
            pushUnique(result, d.target);
    return result;
}

std::vector<int> DependenceGraph::writersOf(const ir::BufferNode* buffer) const {
    const std::vector<int>* list = findTouchers(writerLists_, buffer);
    return list ? *list : std::vector<int>{};
}

} // namespace tilewright::analysis
