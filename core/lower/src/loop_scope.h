// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_form.h"

#include <tilewright/ir/make.h>

namespace tilewright::lower {

/// Range of the values a normalised loop variable takes, [0, extent).
inline Interval loopRange(const IndexSimplifier& indices, const ir::ForNode& loop) {
    const Interval extent = indices.range(loop.extent);
    return {0, extent.hi >= Interval::kFar ? Interval::kFar
                                           : std::max<std::int64_t>(extent.hi - 1, 0)};
}

/// Declares a loop's variable for as long as the scope object lives.
class LoopScope {
public:
    LoopScope(IndexSimplifier& indices, const ir::ForNode& loop)
        : indices_(indices), var_(loop.loopVar) {
        indices_.bind(var_, loopRange(indices, loop));
    }
    ~LoopScope() { indices_.unbind(var_.get()); }
    LoopScope(const LoopScope&) = delete;
    LoopScope& operator=(const LoopScope&) = delete;

private:
    IndexSimplifier& indices_;
    ir::Var var_;
};

} // namespace tilewright::lower
