// SPDX-License-Identifier: Apache-2.0
#include "register_pressure.h"

#include <tilewright/ir/visit.h>

#include <algorithm>
#include <unordered_set>

namespace tilewright::lower {

using namespace tilewright::ir;

BodyLoads countLoads(const Stmt& body, const BufferNode* tile, const Copies& copies) {
    BodyLoads loads;
    walk(body, [&](const Node& n) {
        if (n.kind() != NodeKind::BufferLoad)
            return true;
        const auto& load = static_cast<const BufferLoadNode&>(n);
        if (load.buffer.get() == tile || load.buffer->scope == "register")
            return true;
        std::unordered_set<const VarNode*> vars;
        for (const Expr& index : load.indices)
            walk(index, [&](const Node& v) {
                if (v.kind() == NodeKind::Var)
                    vars.insert(static_cast<const VarNode*>(&v));
                return true;
            });
        std::int64_t count = 1;
        for (const VarNode* var : vars)
            count *= copies(var);
        loads.distinct += count;
        loads.least = loads.least == 0 ? count : std::min(loads.least, count);
        return true;
    });
    return loads;
}

} // namespace tilewright::lower
