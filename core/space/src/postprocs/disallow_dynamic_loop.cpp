// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/postproc.h>

#include <tilewright/ir/make.h>

namespace tilewright::space {

namespace {

class DisallowDynamicLoop final : public Postproc {
public:
    [[nodiscard]] std::string_view name() const override { return "DisallowDynamicLoop"; }

    [[nodiscard]] schedule::Outcome<void> apply(const SpaceContext&,
                                                schedule::Schedule& sch) const override {
        for (const auto& [function, node] : sch.module().functions()) {
            const ir::ForNode* dynamic = nullptr;
            findDynamic(node->body, dynamic);
            if (dynamic)
                return schedule::fail("DisallowDynamicLoop", "the extent of loop " +
                                                                 dynamic->loopVar->name +
                                                                 " is not constant");
        }
        return {};
    }

private:
    /// Loops stand only below loops, sequences, branches and blocks; expressions need no visit.
    static void findDynamic(const ir::Stmt& stmt, const ir::ForNode*& dynamic) {
        if (dynamic)
            return;
        if (const auto* loop = ir::as<ir::ForNode>(stmt)) {
            if (!ir::constInt(loop->extent))
                dynamic = loop;
            findDynamic(loop->body, dynamic);
        } else if (const auto* seq = ir::as<ir::SeqStmtNode>(stmt)) {
            for (const ir::Stmt& part : seq->seq)
                findDynamic(part, dynamic);
        } else if (const auto* realize = ir::as<ir::BlockRealizeNode>(stmt)) {
            if (realize->block->init)
                findDynamic(realize->block->init, dynamic);
            findDynamic(realize->block->body, dynamic);
        } else if (const auto* branch = ir::as<ir::IfThenElseNode>(stmt)) {
            findDynamic(branch->thenCase, dynamic);
            if (branch->elseCase)
                findDynamic(branch->elseCase, dynamic);
        } else if (const auto* attr = ir::as<ir::AttrStmtNode>(stmt)) {
            findDynamic(attr->body, dynamic);
        }
    }
};

} // namespace

PostprocPtr disallowDynamicLoop() {
    return std::make_shared<DisallowDynamicLoop>();
}

} // namespace tilewright::space
