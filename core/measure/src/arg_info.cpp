// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/arg_info.h>

#include <tilewright/base/concat.h>
#include <tilewright/ir/visit.h>

#include <set>

namespace tilewright::measure {

namespace {

/// Data variables and buffers that a body stores to, through regions and aliases as well.
class StoredBuffers : public ir::Visitor {
public:
    [[nodiscard]] bool contains(const ir::Buffer& buffer) const {
        return stored_.contains(buffer.get());
    }

protected:
    void visitNode(const ir::BufferStoreNode& node) override {
        stored_.insert(node.buffer.get());
        Visitor::visitNode(node);
    }
    void visitNode(const ir::BlockNode& node) override {
        for (const ir::BufferRegion& region : node.writes)
            stored_.insert(region.buffer.get());
        Visitor::visitNode(node);
        // After the body: a store to a matched buffer is one to its source.
        for (const ir::MatchBufferRegion& match : node.matchBuffers)
            if (stored_.contains(match.buffer.get()))
                stored_.insert(match.source.buffer.get());
    }

private:
    std::set<const ir::BufferNode*> stored_;
};

base::Unexpected<base::Diagnostic> refuse(std::string message) {
    return base::Unexpected(base::Diagnostic("arg-info", std::move(message)));
}

} // namespace

base::Result<std::vector<ArgInfo>> argInfosOf(const ir::PrimFunc& function) {
    StoredBuffers stored;
    stored.visit(function->body);
    std::vector<ArgInfo> infos;
    for (std::size_t i = 0; i < function->params.size(); ++i) {
        const ir::Param& param = function->params[i];
        if (!param.buffer)
            return refuse(base::concat("every parameter must be a buffer: parameter ", i,
                                       " is a scalar or a pointer"));
        ArgInfo info;
        info.dtype = ir::toString(param.buffer->dtype);
        info.isOutput = stored.contains(param.buffer);
        for (const ir::Expr& extent : param.buffer->shape) {
            const auto* constant = ir::as<ir::IntImmNode>(extent);
            if (constant == nullptr)
                return refuse(base::concat("shapes must be constant: parameter ", i, " (",
                                           param.buffer->name, ") has a symbolic extent"));
            info.shape.push_back(constant->value);
        }
        infos.push_back(std::move(info));
    }
    return infos;
}

base::Result<std::vector<ArgInfo>> argInfosOf(const ir::Module& module) {
    const ir::PrimFunc function = module.find(module.entryName());
    if (!function)
        return refuse("the module has no entry function: none is marked, named main, or alone");
    return argInfosOf(function);
}

} // namespace tilewright::measure
