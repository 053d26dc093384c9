// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/mutator.h>

#include <tilewright/schedule/sampling.h>
#include <tilewright/schedule/schedule.h>

namespace tilewright::search {

using schedule::Trace;
using schedule::Value;

namespace {

class MutateComputeLocation final : public Mutator {
public:
    explicit MutateComputeLocation(ir::Module module) : module_(std::move(module)) {}
    [[nodiscard]] std::string_view name() const override { return "MutateComputeLocation"; }

    [[nodiscard]] std::optional<Trace> apply(const Trace& trace,
                                             base::RandomState& random) const override {
        struct Choice {
            std::size_t instruction;
            std::vector<std::int64_t> locations;
        };
        std::vector<Choice> choices;
        schedule::Schedule sch(module_);
        std::size_t done = 0;
        const std::size_t end = trace.postprocIndex();
        for (std::size_t i = 0; i < end; ++i) {
            if (!trace[i].is("SampleComputeLocation"))
                continue;
            if (!schedule::replayRange(trace, done, i, sch))
                return std::nullopt;
            done = i;
            const schedule::Rv block = *trace[i].inputs.at(0).asRv();
            std::vector<std::int64_t> locations;
            for (const auto& place : schedule::computeLocations(
                     sch.mutableState(), sch.sref(schedule::BlockRV(block.id))))
                locations.push_back(place.index);
            std::erase(locations, trace.decision(i).toInt(-1));
            if (!locations.empty())
                choices.push_back({i, std::move(locations)});
        }
        if (choices.empty())
            return std::nullopt;
        const Choice& choice = choices[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(choices.size())))];
        const std::int64_t location = choice.locations[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(choice.locations.size())))];
        return trace.withDecision(choice.instruction, Value(location), true);
    }

private:
    ir::Module module_;
};

} // namespace

MutatorPtr mutateComputeLocation(ir::Module module) {
    return std::make_shared<MutateComputeLocation>(std::move(module));
}

} // namespace tilewright::search
