// SPDX-License-Identifier: Apache-2.0
#include "channel_packing.h"

#include <tilewright/base/concat.h>

namespace tilewright::op {

std::int64_t channelBlock(std::int64_t channels) {
    for (const std::int64_t block : {16, 8, 4})
        if (channels % block == 0)
            return block;
    return 1;
}

Shape packedShape(const Shape& weights, std::int64_t block) {
    Shape packed = weights;
    packed[0] /= block;
    packed.push_back(block);
    return packed;
}

ParamPacking packOutputChannels(std::size_t param, const Shape& weights, std::int64_t block) {
    ParamPacking packing;
    packing.param = param;
    packing.userShape = weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        packing.map.initialIndices.push_back(ir::makeVar(base::concat("i", i)));
    const ir::Expr channel = packing.map.initialIndices[0];
    packing.map.finalIndices.push_back(ir::floorDiv(channel, ir::makeInt(block)));
    for (std::size_t i = 1; i < weights.size(); ++i)
        packing.map.finalIndices.emplace_back(packing.map.initialIndices[i]);
    packing.map.finalIndices.push_back(ir::floorMod(channel, ir::makeInt(block)));
    return packing;
}

} // namespace tilewright::op
