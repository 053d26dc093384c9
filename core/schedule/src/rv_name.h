// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/concat.h>
#include <tilewright/schedule/value.h>

namespace tilewright::schedule {

/// The name of a random variable in traces and messages: `b0`, `l3`, `v7`; `_` for the null one.
inline std::string rvName(Rv rv) {
    if (rv.kind == RvKind::Null)
        return "_";
    const char prefix[] = {'b', 'l', 'v'};
    return base::concat(prefix[static_cast<int>(rv.kind)], rv.id);
}

} // namespace tilewright::schedule
