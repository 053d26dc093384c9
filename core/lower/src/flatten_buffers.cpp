// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "passes.h"
#include "resize_buffer.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/make.h>

#include <unordered_map>

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

class Flattener final : public IndexRewriter {
public:
    /// The one-dimensional buffer that stands for a buffer.
    Buffer flat(const Buffer& buffer) {
        const auto it = flat_.find(buffer.get());
        if (it != flat_.end())
            return it->second;
        const DataType type = buffer->indexType();
        Expr total = makeInt(1, type);
        if (buffer->strides.empty()) {
            for (const Expr& extent : buffer->shape)
                total = total * extent;
        } else {
            for (std::size_t d = 0; d < buffer->shape.size(); ++d)
                total = total + (buffer->shape[d] - makeInt(1, type)) * buffer->strides[d];
        }
        Buffer result = resizeBuffer(*buffer, {total});
        flat_.emplace(buffer.get(), result);
        keep_.push_back(buffer);
        return result;
    }

protected:
    using IndexRewriter::rewriteNode;
    Expr rewriteNode(const BufferLoadNode& node) override {
        return makeLoad(flat(node.buffer), {offset(*node.buffer, node.indices)}, node.predicate);
    }
    Stmt rewriteNode(const BufferStoreNode& node) override {
        return makeStore(flat(node.buffer), rewrite(node.value),
                         {offset(*node.buffer, node.indices)}, node.predicate);
    }
    Buffer rewriteBuffer(const Buffer& buffer) override { return flat(buffer); }
    Stmt rewriteNode(const DeclBufferNode& node) override {
        // An alias reads and writes the storage that it was declared over.
        if (!node.data)
            return Stmt(new AllocBufferNode(flat(node.buffer), {}));
        if (const auto* call = as<CallNode>(node.data);
            call && call->op == Op::BufferData && call->args.size() == 1) {
            if (const auto* load = as<BufferLoadNode>(call->args[0]);
                load && load->buffer->dtype == node.buffer->dtype) {
                flat_[node.buffer.get()] = flat(load->buffer);
                keep_.push_back(node.buffer);
                return makeNoOp();
            }
        }
        throw base::UserError(
            "lower", base::concat("buffer `", node.buffer->name,
                                  "` is declared over memory of another type; only "
                                  "T.decl_buffer(…, data=B.data) with B's type is accepted"));
    }

private:
    Expr offset(const BufferNode& buffer, const std::vector<Expr>& indices) {
        IndexForm sum;
        if (buffer.elemOffset)
            sum = indices_.form(buffer.elemOffset);
        Expr other; // what is no index arithmetic, such as an index that is itself loaded
        Expr stride = makeInt(1, buffer.indexType());
        for (std::size_t d = indices.size(); d-- > 0;) {
            const Expr step = buffer.strides.empty() ? stride : buffer.strides[d];
            const Expr index = rewrite(indices[d]);
            const auto factor = constInt(step);
            if (factor && isIndexExpr(index)) {
                IndexSimplifier::addScaled(sum, indices_.form(index), *factor);
            } else {
                const Expr piece = cast(DataType::i(64), index) * cast(DataType::i(64), step);
                other = other ? other + piece : piece;
            }
            stride = stride * buffer.shape[d];
        }
        const DataType type = other ? DataType::i(64) : DataType::i(32);
        const Expr plain = indices_.toExpr(renormalised(sum), wide(sum) ? DataType::i(64) : type);
        return other ? other + cast(DataType::i(64), plain) : plain;
    }
    IndexForm renormalised(const IndexForm& sum) const {
        return indices_.form(indices_.toExpr(sum, DataType::i(64)));
    }
    static bool wide(const IndexForm& sum) {
        for (const IndexTerm& term : sum.terms)
            if (term.atom->dtype.bits == 64)
                return true;
        return false;
    }

    std::unordered_map<const BufferNode*, Buffer> flat_;
    std::vector<Buffer> keep_;
};

} // namespace

Stmt flattenBuffers(const Stmt& body, std::vector<Param>& params) {
    Flattener flattener;
    for (Param& param : params)
        if (param.buffer)
            param.buffer = flattener.flat(param.buffer);
    return flattener.rewrite(body);
}

} // namespace tilewright::lower
