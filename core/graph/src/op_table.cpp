// SPDX-License-Identifier: Apache-2.0
#include "op_table.h"

namespace tilewright::graph {

namespace {

OpTable makeTable() {
    OpTable table;
    addElementwiseOps(table);
    addBroadcastOps(table);
    addReshapeOps(table);
    addDataMovementOps(table);
    addGeneratorOps(table);
    addReductionOps(table);
    addConvolutionOps(table);
    addPoolingOps(table);
    addMatmulOps(table);
    addNormalizationOps(table);
    addResizeOps(table);
    return table;
}

} // namespace

const OpDefinition* findOp(std::string_view name) {
    static const OpTable table = makeTable();
    const auto it = table.find(name);
    return it == table.end() ? nullptr : &it->second;
}

} // namespace tilewright::graph
