// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/diagnostic.h>
#include <tilewright/base/result.h>

#include <utility>

namespace tilewright::session {

/// The value; throws the error as a UserError.
template <class T> T orThrow(base::Result<T> result) {
    if (!result)
        throw base::UserError(result.error());
    return std::move(*result);
}
inline void orThrow(const base::Result<void>& result) {
    if (!result)
        throw base::UserError(result.error());
}

} // namespace tilewright::session
