// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/expr.h>

#include <tilewright/ir/make.h>

#include <array>
#include <unordered_map>

namespace tilewright::ir {

// Out of line: the members' destructors need the complete BufferNode.
BufferLoadNode::BufferLoadNode(DataType type, Buffer b, std::vector<Expr> i, Expr p)
    : ExprNode(NodeKind::BufferLoad, type), buffer(std::move(b)), indices(std::move(i)),
      predicate(std::move(p)) {}
BufferLoadNode::~BufferLoadNode() = default;
RegionAccessNode::RegionAccessNode(Buffer b, std::vector<Range> r)
    : ExprNode(NodeKind::RegionAccess, DataType::handle()), buffer(std::move(b)),
      region(std::move(r)) {}
RegionAccessNode::~RegionAccessNode() = default;

Range Range::fromExtent(Expr extent) {
    Expr zero = makeInt(0, extent->dtype);
    return Range{std::move(zero), std::move(extent)};
}

Range Range::point(Expr index) {
    Expr one = makeInt(1, index->dtype);
    return Range{std::move(index), std::move(one)};
}

namespace {

struct OpRow {
    std::string_view spelling;
    Purity purity;
};

constexpr OpRow kOps[] = {
#define TW_OP(Name, spelling, purity) {spelling, Purity::purity},
#include <tilewright/ir/ops.def>
};

} // namespace

std::string_view spelling(Op op) {
    return kOps[static_cast<std::size_t>(op)].spelling;
}
Purity purity(Op op) {
    return kOps[static_cast<std::size_t>(op)].purity;
}

std::optional<Op> opFromSpelling(std::string_view text) {
    static const auto table = [] {
        std::unordered_map<std::string_view, Op> rows;
        for (std::size_t i = 0; i < std::size(kOps); ++i)
            if (!kOps[i].spelling.empty())
                rows.emplace(kOps[i].spelling, static_cast<Op>(i));
        return rows;
    }();
    const auto it = table.find(text);
    return it == table.end() ? std::nullopt : std::optional(it->second);
}

} // namespace tilewright::ir
