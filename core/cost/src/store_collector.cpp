// SPDX-License-Identifier: Apache-2.0
#include "store_nest.h"
#include "value_reader.h"

#include <tilewright/ir/make.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tilewright::cost {

using namespace ir; // NOLINT(google-build-using-namespace): a source of one language of nodes

std::int64_t NestBuffer::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape)
        product *= extent;
    return product;
}

namespace {

constexpr std::string_view kUnrollSteps = "pragma_auto_unroll_max_step";

/// Walks the statements of a function; values are left to ValueReader.
class StoreCollector {
public:
    explicit StoreCollector(StoreNest& nest) : nest_(nest), values_(nest) {}

    void run(const PrimFuncNode& function) {
        for (const Param& param : function.params) {
            if (!param.buffer)
                continue;
            nest_.buffers[static_cast<std::size_t>(values_.bufferId(param.buffer.get()))]
                .parameter = true;
        }
        visit(function.body.get());
        for (NestBuffer& buffer : nest_.buffers)
            if (buffer.allocated && buffer.used)
                buffer.loop = buffer.scope < 0 ? -1 : scopeOf(buffer.scope).loop;
    }

private:
    /// A loop or block; buffers are allocated in the innermost one around their uses.
    struct Scope {
        int parent;
        int depth;
        int loop; ///< innermost loop inside the scope
    };

    [[nodiscard]] const Scope& scopeOf(int id) const {
        return scopes_[static_cast<std::size_t>(id)];
    }

    int enterScope(int loop) {
        scopes_.push_back({scope_, scope_ < 0 ? 0 : scopeOf(scope_).depth + 1, loop});
        return static_cast<int>(scopes_.size()) - 1;
    }

    void visit(const StmtNode* stmt) {
        switch (stmt->kind()) {
        case NodeKind::For:
            visitFor(*static_cast<const ForNode*>(stmt));
            break;
        case NodeKind::SeqStmt:
            for (const Stmt& part : static_cast<const SeqStmtNode*>(stmt)->seq)
                visit(part.get());
            break;
        case NodeKind::BlockRealize:
            visitBlock(*static_cast<const BlockRealizeNode*>(stmt));
            break;
        case NodeKind::BufferStore:
            visitStore(*static_cast<const BufferStoreNode*>(stmt));
            break;
        case NodeKind::IfThenElse: {
            const auto* branch = static_cast<const IfThenElseNode*>(stmt);
            const std::optional<bool> known = values_.prove(branch->condition);
            if (!known)
                values_.readAside(branch->condition, loop_);
            if (known.value_or(true))
                visit(branch->thenCase.get());
            if (branch->elseCase && !known.value_or(false))
                visit(branch->elseCase.get());
            touch();
            break;
        }
        case NodeKind::AttrStmt:
            visit(static_cast<const AttrStmtNode*>(stmt)->body.get());
            break;
        case NodeKind::While:
            visit(static_cast<const WhileNode*>(stmt)->body.get());
            break;
        case NodeKind::Evaluate:
            values_.readAside(static_cast<const EvaluateNode*>(stmt)->value, loop_);
            touch();
            break;
        case NodeKind::Bind: {
            const auto* bind = static_cast<const BindNode*>(stmt);
            values_.readAside(bind->value, loop_);
            values_.bind(bind->var.get(), values_.index(bind->value));
            touch();
            break;
        }
        case NodeKind::AllocBuffer:
            declare(static_cast<const AllocBufferNode*>(stmt)->buffer.get());
            break;
        default:
            break;
        }
    }

    void visitFor(const ForNode& node) {
        const auto extent = constInt(node.extent);
        if (extent && *extent <= 0)
            return;
        const IndexForm min = values_.index(node.min);
        const bool unit = extent && *extent == 1;
        if (unit)
            values_.bind(node.loopVar.get(), min);
        if (unit && node.forKind == ForKind::Serial && node.annotations.empty()) {
            visit(node.body.get());
            return;
        }
        NestLoop loop;
        loop.parent = loop_;
        loop.kind = node.forKind;
        loop.threadTag = &node.threadTag;
        loop.extent = extent.value_or(1);
        loop.product = loop.extent;
        if (loop_ >= 0) {
            const NestLoop& outer = nest_.loops[static_cast<std::size_t>(loop_)];
            loop.depth = outer.depth + 1;
            loop.product *= outer.product;
            loop.unrollSteps = outer.unrollSteps;
        }
        if (!node.annotations.empty())
            if (const AttrValue* steps = node.annotations.find(kUnrollSteps))
                if (const std::int64_t n = steps->toInt(0); n > 0)
                    loop.unrollSteps = n;
        if (!unit)
            bindLoop(node, min, loop.depth);
        nest_.loops.push_back(loop);
        const int outerLoop = loop_;
        const int outerScope = scope_;
        loop_ = static_cast<int>(nest_.loops.size()) - 1;
        scope_ = enterScope(loop_);
        visit(node.body.get());
        loop_ = outerLoop;
        scope_ = outerScope;
    }

    void bindLoop(const ForNode& node, const IndexForm& min, int depth) {
        const Interval count = nest_.forms.bounds(values_.index(node.extent));
        const std::int64_t last = count.hi == Interval::kFar ? Interval::kFar : count.hi - 1;
        if (min.count == 0) {
            const std::int64_t end = last == Interval::kFar ? Interval::kFar : min.constant + last;
            values_.bind(node.loopVar.get(), nest_.forms.loop(depth, {min.constant, end}));
            return;
        }
        const IndexForm offset = nest_.forms.loop(depth, {0, last});
        values_.bind(node.loopVar.get(), nest_.forms.add(min, offset, 1));
    }

    void visitBlock(const BlockRealizeNode& node) {
        const BlockNode& block = *node.block;
        values_.readAside(node.predicate, loop_);
        int carriedBy = -1; // outermost loop that carries a value from one iteration to the next
        for (std::size_t i = 0; i < block.iterVars.size(); ++i) {
            const IndexForm value = values_.index(node.iterValues[i]);
            values_.bind(block.iterVars[i].var.get(), value);
            if (block.iterVars[i].type != IterType::DataPar)
                carriedBy = outermost(nest_.forms.loopsOf(value), carriedBy);
        }
        for (const Buffer& buffer : block.allocBuffers)
            declare(buffer.get());
        for (const MatchBufferRegion& match : block.matchBuffers)
            values_.match(match);
        touch();
        const int home = carriedBy < 0 ? scope_ : parentScopeOf(carriedBy);
        for (const BufferRegion& write : block.writes)
            use(values_.bufferId(write.buffer.get()), home);
        noteWorkload(block.name);
        const int outerScope = scope_;
        scope_ = enterScope(loop_);
        if (block.init)
            visit(block.init.get());
        visit(block.body.get());
        scope_ = outerScope;
    }

    /// Of the loops around here whose depths are in the set, and the given one, the outermost.
    [[nodiscard]] int outermost(std::uint64_t depths, int known) const {
        for (int id = loop_; id >= 0; id = nest_.loops[static_cast<std::size_t>(id)].parent) {
            const int depth = nest_.loops[static_cast<std::size_t>(id)].depth;
            if (depth < 64 && (depths >> depth & 1U) != 0 &&
                (known < 0 || depth < nest_.loops[static_cast<std::size_t>(known)].depth))
                known = id;
        }
        return known;
    }

    [[nodiscard]] int parentScopeOf(int loop) const {
        int scope = scope_;
        while (scope >= 0 && scopeOf(scope).loop != -1 &&
               nest_.loops[static_cast<std::size_t>(scopeOf(scope).loop)].depth >=
                   nest_.loops[static_cast<std::size_t>(loop)].depth)
            scope = scopeOf(scope).parent;
        return scope;
    }

    void visitStore(const BufferStoreNode& node) {
        values_.readAsideAll(node.indices, loop_);
        NestStore store;
        store.loop = loop_;
        store.access = values_.access(node.buffer.get(), node.indices, loop_);
        values_.readValue(node.value, loop_, store.ops);
        store.loadEnd = static_cast<std::uint32_t>(nest_.accesses.size());
        touch();
        const NodeKind kind = node.value->kind();
        if (kind != NodeKind::IntImm && kind != NodeKind::FloatImm)
            nest_.stores.push_back(store);
    }

    void declare(const BufferNode* buffer) {
        nest_.buffers[static_cast<std::size_t>(values_.bufferId(buffer))].allocated = true;
    }

    /// Accesses recorded since the last call happened in the current scope.
    void touch() {
        for (; touched_ < nest_.accesses.size(); ++touched_)
            use(nest_.accesses[touched_].buffer, scope_);
    }

    void use(int id, int scope) {
        NestBuffer& buffer = nest_.buffers[static_cast<std::size_t>(id)];
        if (!buffer.used) {
            buffer.used = true;
            buffer.scope = scope;
            return;
        }
        int a = buffer.scope;
        int b = scope;
        while (a != b) {
            if (a < 0 || b < 0) {
                a = -1;
                break;
            }
            (scopeOf(a).depth >= scopeOf(b).depth ? a : b) =
                scopeOf(scopeOf(a).depth >= scopeOf(b).depth ? a : b).parent;
        }
        buffer.scope = a;
    }

    void noteWorkload(const std::string& name) {
        std::string lower(name);
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const auto has = [&](std::string_view part) {
            return lower.find(part) != std::string::npos;
        };
        if (has("softmax"))
            nest_.workload[0] = true;
        else if (has("max") || has("min"))
            nest_.workload[1] = true;
        else if (has("add"))
            nest_.workload[2] = true;
        else if (has("batch_matmul"))
            nest_.workload[3] = true;
        else if (has("matmul"))
            nest_.workload[4] = true;
        else if (has("depthwiseconv2d"))
            nest_.workload[5] = true;
        else if (has("conv2d_winograd"))
            nest_.workload[6] = true;
        else if (has("conv2d"))
            nest_.workload[7] = true;
    }

    StoreNest& nest_;
    ValueReader values_;
    std::vector<Scope> scopes_;
    std::size_t touched_ = 0;
    int scope_ = -1;
    int loop_ = -1;
};

} // namespace

void collectStores(const PrimFuncNode& function, StoreNest& nest) {
    StoreCollector(nest).run(function);
}

} // namespace tilewright::cost
