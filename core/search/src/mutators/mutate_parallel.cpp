// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/mutator.h>

#include <tilewright/analysis/block_kind.h>
#include <tilewright/analysis/block_predicates.h>

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::search {

using schedule::Instruction;
using schedule::Trace;
using schedule::Value;

namespace {

constexpr std::string_view kParallelKey = "meta_schedule.parallel";

bool isParallelAnnotation(const Instruction& instruction) {
    const std::string* key = instruction.is("Annotate") && !instruction.attrs.empty()
                                 ? instruction.attrs[0].asString()
                                 : nullptr;
    return key && *key == kParallelKey;
}

/// Prefix products of the extents of each block's leading spatial loops, up to the limit.
std::vector<std::vector<std::int64_t>> extentProducts(const schedule::ScheduleState& state,
                                                      schedule::SrefId root, std::int64_t limit) {
    std::vector<std::vector<std::int64_t>> products;
    for (const schedule::SrefId block : state.childBlocks(root)) {
        std::vector<std::int64_t>& row = products.emplace_back();
        std::int64_t product = 1;
        for (const schedule::SrefId id : state.loopsAbove(block)) {
            const ir::ForNode& loop = *state.loop(id);
            const auto extent = analysis::constExtent(loop);
            if (!extent || analysis::loopIterType(loop) != ir::IterType::DataPar)
                break;
            product *= *extent;
            row.push_back(product);
            if (product >= limit)
                break;
        }
    }
    return products;
}

/// How many loops of each block run in parallel under a limit.
std::vector<int> planUnder(const std::vector<std::vector<std::int64_t>>& products,
                           std::int64_t limit) {
    std::vector<int> plan;
    for (const auto& row : products) {
        auto i = static_cast<int>(std::upper_bound(row.begin(), row.end(), limit) - row.begin());
        if (i > 0 && row[static_cast<std::size_t>(i - 1)] == limit)
            --i;
        if (i != static_cast<int>(row.size()))
            ++i;
        plan.push_back(i);
    }
    return plan;
}

/// The trace without postprocessing, with another value in one Annotate.
Trace withAnnotation(const Trace& trace, std::size_t at, std::int64_t value) {
    Trace result;
    const std::size_t end = trace.postprocIndex();
    for (std::size_t i = 0; i < end; ++i) {
        schedule::InstructionRef instruction = trace.shared(i);
        if (i == at) {
            auto changed = std::make_shared<Instruction>(*instruction);
            changed->inputs.at(1) = Value(value);
            instruction = std::move(changed);
        }
        result.append(std::move(instruction), trace.decision(i));
    }
    return result;
}

class MutateParallel final : public Mutator {
public:
    MutateParallel(ir::Module module, std::int64_t limit)
        : module_(std::move(module)), limit_(limit) {}
    [[nodiscard]] std::string_view name() const override { return "MutateParallel"; }

    [[nodiscard]] std::optional<Trace> apply(const Trace& trace,
                                             base::RandomState& random) const override {
        std::vector<std::size_t> candidates;
        for (std::size_t i = 0; i < trace.postprocIndex(); ++i)
            if (isParallelAnnotation(trace[i]))
                candidates.push_back(i);
        if (candidates.empty())
            return std::nullopt;
        const std::size_t at = candidates[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(candidates.size())))];
        schedule::Schedule sch(module_);
        if (!schedule::replay(trace, sch, true))
            return std::nullopt;
        const schedule::Rv root = *trace[at].inputs.at(0).asRv();
        const auto products =
            extentProducts(sch.state(), sch.sref(schedule::BlockRV(root.id)), limit_);
        std::set<std::int64_t> limits;
        for (const auto& row : products)
            for (const std::int64_t product : row)
                if (product <= limit_)
                    limits.insert(product);
        std::map<std::vector<int>, std::int64_t> plans;
        for (const std::int64_t limit : limits)
            plans[planUnder(products, limit)] = limit;
        plans.erase(planUnder(products, trace[at].inputs.at(1).toInt(limit_)));
        if (plans.empty())
            return std::nullopt;
        auto chosen = plans.begin();
        std::advance(chosen, random.sampleInt(0, static_cast<std::int64_t>(plans.size())));
        return withAnnotation(trace, at, chosen->second);
    }

private:
    ir::Module module_;
    std::int64_t limit_;
};

} // namespace

MutatorPtr mutateParallel(ir::Module module, std::int64_t maxParallelExtent) {
    return std::make_shared<MutateParallel>(std::move(module), maxParallelExtent);
}

} // namespace tilewright::search
