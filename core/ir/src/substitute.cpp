// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::ir {

namespace {

class Substituter final : public Rewriter {
public:
    Substituter(const VarMap* values, const BufferMap* buffers)
        : values_(values), buffers_(buffers) {}

    Range range(const Range& range) {
        bool changed = false;
        return rewriteRange(range, changed);
    }
    BufferRegion region(const BufferRegion& region) {
        bool changed = false;
        return rewriteRegion(region, changed);
    }

protected:
    Expr rewriteNode(const VarNode& node) override {
        if (values_) {
            const auto it = values_->find(&node);
            if (it != values_->end())
                return it->second;
        }
        return Rewriter::rewriteNode(node);
    }
    /// A definition follows when it is renamed to another variable.
    Var rewriteDefinition(const Var& var) override {
        if (values_) {
            const auto it = values_->find(var.get());
            if (it != values_->end())
                if (Var renamed = refAs<VarNode>(it->second))
                    return renamed;
        }
        return var;
    }
    Buffer rewriteBuffer(const Buffer& buffer) override {
        if (buffers_) {
            const auto it = buffers_->find(buffer.get());
            if (it != buffers_->end())
                return it->second;
        }
        return buffer;
    }

private:
    const VarMap* values_;
    const BufferMap* buffers_;
};

} // namespace

Expr substitute(const Expr& expr, const VarMap& values) {
    return values.empty() ? expr : Substituter(&values, nullptr).rewrite(expr);
}
Stmt substitute(const Stmt& stmt, const VarMap& values) {
    return values.empty() ? stmt : Substituter(&values, nullptr).rewrite(stmt);
}
Range substitute(const Range& range, const VarMap& values) {
    return Substituter(&values, nullptr).range(range);
}
BufferRegion substitute(const BufferRegion& region, const VarMap& values) {
    return Substituter(&values, nullptr).region(region);
}
Stmt substituteBuffers(const Stmt& stmt, const BufferMap& buffers) {
    return buffers.empty() ? stmt : Substituter(nullptr, &buffers).rewrite(stmt);
}
Stmt substitute(const Stmt& stmt, const VarMap& values, const BufferMap& buffers) {
    return Substituter(&values, &buffers).rewrite(stmt);
}

} // namespace tilewright::ir
