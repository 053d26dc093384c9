// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/space_generator.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>
#include <unordered_set>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::Schedule;
using schedule::SrefId;

int SpaceContext::numCores() const {
    const auto cores = target.numCores();
    if (!cores || *cores < 1)
        throw base::UserError("target",
                              base::concat("target '", target.toText(),
                                           "' has no num-cores; add -num-cores=N, the number of "
                                           "cores to tune for"));
    return *cores;
}

namespace {

/// Blocks below `id`, children before parents, siblings in textual order.
void collectPostOrder(const schedule::ScheduleState& state, SrefId id,
                      std::vector<std::string>& names) {
    for (const SrefId child : state.childBlocks(id))
        collectPostOrder(state, child, names);
    names.push_back(state.block(id)->name);
}

std::vector<BlockRV> collectBlocks(Schedule& sch) {
    std::vector<BlockRV> blocks;
    for (const auto& [function, node] : sch.module().functions()) {
        const SrefId root = sch.state().root(function);
        if (!root.valid())
            continue;
        std::vector<std::string> names;
        collectPostOrder(sch.state(), root, names);
        std::unordered_set<std::string> seen;
        for (const std::string& name : names) {
            if (!seen.insert(name).second)
                throw base::UserError("duplicate-block",
                                      base::concat("function ", function, " has two blocks named '",
                                                   name, "'; block names must be unique"));
            blocks.push_back(sch.getSBlock(name, function));
        }
    }
    return blocks;
}

class PostOrderApply final : public SpaceGenerator {
public:
    explicit PostOrderApply(std::vector<ScheduleRulePtr> rules) : rules_(std::move(rules)) {}

    [[nodiscard]] std::vector<Schedule>
    generateDesignSpace(const SpaceContext& context, const ir::Module& module,
                        base::RandomState& random) const override {
        Schedule first(module, random.fork());
        const std::vector<BlockRV> blocks = collectBlocks(first);
        std::vector<Schedule> result;
        result.push_back(std::move(first));
        for (const ScheduleRulePtr& rule : rules_)
            result = applyRule(context, *rule, std::move(result), blocks);
        return result;
    }

private:
    struct Pending {
        Schedule schedule;
        std::size_t blocks; ///< how many of the list are still to visit, from the back
    };

    static std::vector<Schedule> applyRule(const SpaceContext& context, const ScheduleRule& rule,
                                           std::vector<Schedule> schedules,
                                           const std::vector<BlockRV>& blocks) {
        std::vector<Pending> stack;
        for (Schedule& sch : schedules)
            stack.push_back({std::move(sch), blocks.size()});
        std::vector<Schedule> result;
        const bool isCustom = rule.name() == "ApplyCustomRule";
        while (!stack.empty()) {
            Pending pending = std::move(stack.back());
            stack.pop_back();
            if (pending.blocks == 0) {
                result.push_back(std::move(pending.schedule));
                continue;
            }
            const BlockRV block = blocks[--pending.blocks];
            const bool gone = !pending.schedule.has(block);
            const bool reserved =
                !gone && !isCustom &&
                pending.schedule.get(block)->annotations.contains("schedule_rule");
            if (gone || reserved) {
                stack.push_back(std::move(pending));
                continue;
            }
            for (Schedule& sch : rule.apply(context, std::move(pending.schedule), block))
                stack.push_back({std::move(sch), pending.blocks});
        }
        return result;
    }

    std::vector<ScheduleRulePtr> rules_;
};

class ScheduleFn final : public SpaceGenerator {
public:
    using Function = std::function<std::vector<Schedule>(Schedule)>;
    explicit ScheduleFn(Function function) : function_(std::move(function)) {}

    [[nodiscard]] std::vector<Schedule>
    generateDesignSpace(const SpaceContext&, const ir::Module& module,
                        base::RandomState& random) const override {
        return function_(Schedule(module, random.fork()));
    }

private:
    Function function_;
};

class SpaceUnion final : public SpaceGenerator {
public:
    explicit SpaceUnion(std::vector<SpaceGeneratorPtr> members) : members_(std::move(members)) {}

    [[nodiscard]] std::vector<Schedule>
    generateDesignSpace(const SpaceContext& context, const ir::Module& module,
                        base::RandomState& random) const override {
        std::vector<Schedule> result;
        for (const SpaceGeneratorPtr& member : members_)
            for (Schedule& sch : member->generateDesignSpace(context, module, random))
                result.push_back(std::move(sch));
        return result;
    }

private:
    std::vector<SpaceGeneratorPtr> members_;
};

} // namespace

SpaceGeneratorPtr postOrderApply(std::vector<ScheduleRulePtr> rules) {
    return std::make_shared<PostOrderApply>(std::move(rules));
}
SpaceGeneratorPtr scheduleFn(std::function<std::vector<Schedule>(Schedule)> function) {
    return std::make_shared<ScheduleFn>(std::move(function));
}
SpaceGeneratorPtr spaceUnion(std::vector<SpaceGeneratorPtr> members) {
    return std::make_shared<SpaceUnion>(std::move(members));
}

} // namespace tilewright::space
