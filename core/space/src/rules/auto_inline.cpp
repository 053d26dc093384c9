// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/schedule_rule.h>

#include "../block_facts.h"

#include <tilewright/analysis/block_predicates.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

class InlineConstantScalars final : public ScheduleRule {
public:
    [[nodiscard]] std::string_view name() const override { return "InlineConstantScalars"; }

    [[nodiscard]] std::vector<Schedule> apply(const SpaceContext&, Schedule sch,
                                              BlockRV block) const override {
        const ir::BlockNode* node = sch.get(block);
        const SrefId sref = sch.sref(block);
        const bool isScalar = node->reads.empty() && node->writes.size() == 1 &&
                              node->writes[0].buffer->shape.empty();
        if (isScalar && !isOutputBlock(sch.state(), sref))
            sch.computeInline(block);
        return {std::move(sch)};
    }
};

enum class InlineWay : std::uint8_t { None, IntoConsumer, IntoProducer };

class AutoInline final : public ScheduleRule {
public:
    explicit AutoInline(AutoInlineOptions options) : options_(std::move(options)) {}
    [[nodiscard]] std::string_view name() const override { return "AutoInline"; }

    [[nodiscard]] std::vector<Schedule> apply(const SpaceContext&, Schedule sch,
                                              BlockRV block) const override {
        switch (choose(sch, block)) {
        case InlineWay::IntoConsumer:
            sch.computeInline(block);
            break;
        case InlineWay::IntoProducer:
            sch.reverseComputeInline(block);
            break;
        case InlineWay::None:
            break;
        }
        return {std::move(sch)};
    }

private:
    [[nodiscard]] bool usesDisallowedOp(const ir::BlockNode& block) const {
        bool found = false;
        ir::walk(block.body, [&](const ir::Node& node) {
            const auto* call = ir::as<ir::CallNode>(&node);
            found =
                found || (call && std::find(options_.disallowOp.begin(), options_.disallowOp.end(),
                                            call->op) != options_.disallowOp.end());
            return !found;
        });
        return found;
    }

    [[nodiscard]] bool readsAllow(const ir::BlockNode& block) const {
        if (!options_.requireInjective && !options_.requireOrdered)
            return true;
        return std::all_of(block.reads.begin(), block.reads.end(), [&](const auto& read) {
            const analysis::AccessPattern pattern = analysis::accessPattern(read, block.writes[0]);
            return (!options_.requireInjective || pattern.injective) &&
                   (!options_.requireOrdered || pattern.ordered);
        });
    }

    [[nodiscard]] InlineWay choose(const Schedule& sch, BlockRV blockRv) const {
        const auto& state = sch.state();
        const SrefId sref = sch.sref(blockRv);
        const ir::BlockNode& block = *state.block(sref);
        const ir::BlockRealizeNode& realize = *state.realize(sref);
        if (block.writes.size() != 1 || !state.parent(sref).valid())
            return InlineWay::None;
        const std::vector<SrefId> consumers = state.consumers(sref);
        if (options_.inlineConstTensor && block.reads.empty() && !consumers.empty() &&
            canComputeInline(sch, blockRv))
            return InlineWay::IntoConsumer;
        if (!isInSpatialFunction(state, sref)) {
            if (!options_.disallowOp.empty() && usesDisallowedOp(block))
                return InlineWay::None;
            if (options_.disallowIfThenElse && analysis::hasIfThenElse(realize))
                return InlineWay::None;
            if (!readsAllow(block))
                return InlineWay::None;
        }
        const ir::AttrValue* rule = block.annotations.find("meta_schedule.inline_rule");
        if (rule && rule->asString() && *rule->asString() == "disable")
            return InlineWay::None;
        if (options_.intoConsumer && !consumers.empty() && canComputeInline(sch, blockRv))
            return InlineWay::IntoConsumer;
        if (options_.intoProducer) {
            const std::vector<SrefId> producers = state.producers(sref);
            if (producers.size() == 1 && isCompleteBlock(state, producers[0]) &&
                canReverseComputeInline(sch, blockRv) &&
                !state.block(producers[0])->annotations.contains("meta_schedule.auto_tensorize"))
                return InlineWay::IntoProducer;
        }
        return InlineWay::None;
    }

    AutoInlineOptions options_;
};

} // namespace

ScheduleRulePtr inlineConstantScalars() {
    return std::make_shared<InlineConstantScalars>();
}
ScheduleRulePtr autoInline(AutoInlineOptions options) {
    return std::make_shared<AutoInline>(std::move(options));
}

} // namespace tilewright::space
