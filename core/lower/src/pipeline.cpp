// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

#include <tilewright/ir/make.h>

namespace tilewright::lower {

using namespace tilewright::ir;

PrimFunc lowerToLoops(const PrimFunc& function) {
    return edited(function, [&](PrimFuncNode& n) {
        n.body = lowerBlocks(*function);
        n.body = simplifyLoops(n.body);
        n.body = compactBuffers(n.body);
    });
}

PrimFunc lowerFunction(const PrimFunc& function, const LowerOptions& options) {
    return edited(lowerToLoops(function), [&](PrimFuncNode& n) {
        n.body = flattenBuffers(n.body, n.params);
        n.body = vectorizeLoops(n.body, options);
        if (options.promoteAccumulators) {
            n.body = blockRegisterTiles(n.body, options);
            n.body = promoteAccumulators(n.body, options);
        }
        n.body = unrollLoops(n.body, options);
    });
}

} // namespace tilewright::lower
