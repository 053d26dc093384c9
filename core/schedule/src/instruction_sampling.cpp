// SPDX-License-Identifier: Apache-2.0
#include "argument_reader.h"
#include "instruction_functions.h"

#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/schedule/sampling.h>

#include <functional>
#include <numeric>

namespace tilewright::schedule {

namespace {

using Tile = std::vector<std::int64_t>;

Outcome<Tile> tileOf(const Value& decision, int n) {
    const auto* list = decision.asList();
    if (!list || list->size() != static_cast<std::size_t>(n))
        return fail("ValueError", base::concat("the decision must be a list of ", n, " integers"));
    Tile tile;
    for (const Value& item : *list)
        tile.push_back(item.toInt(0));
    return tile;
}

/// Records a tile and makes its variables; `nullFirst`: a first factor of -1 has no value.
Outputs tileOutputs(Schedule& schedule, const Tile& tile, bool nullFirst, Value& decision) {
    std::vector<Rv> outputs;
    for (const std::int64_t factor : tile)
        outputs.push_back(nullFirst && factor == -1 ? schedule.newNullRv()
                                                    : schedule.newRv(factor));
    decision = Value::list(tile);
    return outputs;
}

/// No loop nest is deeper; a trace from elsewhere may ask for a thousand million.
constexpr int kMostParts = 1024;

Tile unknownTile(int n) {
    Tile tile(static_cast<std::size_t>(n), 1);
    tile[0] = -1;
    return tile;
}

} // namespace

Outputs applySampleCategorical(Schedule& schedule, const InstructionArguments& arguments) {
    const auto* candidates = arguments.attrs[0].asList();
    const auto* probs = arguments.attrs[1].asList();
    if (!candidates || !probs || candidates->size() != probs->size() || candidates->empty())
        return fail("ValueError", "candidates and probs must be lists of the same length");
    Value& decision = *arguments.decision;
    std::int64_t choice = 0;
    if (decision.isNull()) {
        std::vector<double> weights;
        for (const Value& prob : *probs)
            weights.push_back(prob.toDouble(0));
        choice = schedule.random().sampleCategorical(weights);
    } else {
        choice = decision.toInt(-1);
        if (choice < 0 || choice >= static_cast<std::int64_t>(candidates->size()))
            return fail("ValueError", base::concat("the decision ", choice, " is none of ",
                                                   candidates->size(), " candidates"));
    }
    decision = choice;
    return std::vector<Rv>{
        schedule.newRv((*candidates)[static_cast<std::size_t>(choice)].toInt(0))};
}

Outputs applySamplePerfectTile(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId loop, reader.loop(0));
    TW_ASSIGN(const int n, reader.intAttr(0));
    TW_ASSIGN(const int maxInnermost, reader.intAttr(1));
    if (n < 1 || n > kMostParts || (maxInnermost != -1 && n < 2))
        return fail("ValueError", base::concat("cannot split a loop into ", n, " parts"));
    if (maxInnermost != -1 && maxInnermost < 1)
        return fail("ValueError", "max_innermost_factor must be positive, or -1");
    const auto extent = ir::constInt(schedule.state().loop(loop)->extent);
    if (!extent)
        return tileOutputs(schedule, unknownTile(n), true, *arguments.decision);
    if (*extent < 1)
        return fail("ValueError", "the loop is empty");
    if (arguments.decision->isNull())
        return tileOutputs(schedule, drawPerfectTile(schedule.random(), *extent, n, maxInnermost),
                           true, *arguments.decision);
    TW_ASSIGN(Tile tile, tileOf(*arguments.decision, n));
    return tileOutputs(schedule, repairTile(*extent, std::move(tile)), true, *arguments.decision);
}

Outputs applySamplePartitionedTile(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId loop, reader.loop(0));
    TW_ASSIGN(const int n, reader.intAttr(0));
    TW_ASSIGN(const int position, reader.intAttr(1));
    TW_ASSIGN(const int factor, reader.intAttr(2));
    if (n < 1 || n > kMostParts || position < 0 || position > n || factor < 1)
        return fail("ValueError", "n, partition_pos or innerpart_factor is out of range");
    const auto extent = ir::constInt(schedule.state().loop(loop)->extent);
    if (!extent || *extent % factor != 0)
        return tileOutputs(schedule, unknownTile(n), false, *arguments.decision);
    if (*extent < 1 || (position == n && factor != 1))
        return fail("ValueError", "the loop cannot be split so");
    if (arguments.decision->isNull())
        return tileOutputs(schedule,
                           drawPartitionedTile(schedule.random(), *extent, n, position, factor),
                           false, *arguments.decision);
    TW_ASSIGN(Tile tile, tileOf(*arguments.decision, n));
    const std::int64_t inner =
        std::accumulate(tile.begin() + position, tile.end(), std::int64_t{1}, std::multiplies<>());
    if (inner % factor != 0) {
        tile.assign(static_cast<std::size_t>(n), 1);
        tile[0] = *extent / factor;
        tile[static_cast<std::size_t>(position)] = factor;
        return tileOutputs(schedule, tile, false, *arguments.decision);
    }
    return tileOutputs(schedule, repairTile(*extent, std::move(tile)), false, *arguments.decision);
}

Outputs applySampleComputeLocation(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const SrefId block, reader.block(0));
    TW_TRY(schedule.state().scopeRoot(block, false));
    Value& decision = *arguments.decision;
    ComputeLocation chosen;
    if (decision.isNull()) {
        const auto locations = computeLocations(schedule.mutableState(), block);
        chosen = locations[static_cast<std::size_t>(
            schedule.random().sampleInt(0, static_cast<std::int64_t>(locations.size())))];
    } else {
        chosen = nearestComputeLocation(schedule.mutableState(), block, decision.toInt(-1));
    }
    decision = chosen.index;
    if (chosen.index == -2)
        return std::vector<Rv>{schedule.newInlineMark()};
    if (chosen.index == -1)
        return std::vector<Rv>{schedule.newRootMark()};
    return std::vector<Rv>{schedule.newRv(chosen.loop)};
}

} // namespace tilewright::schedule
