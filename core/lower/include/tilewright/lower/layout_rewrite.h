// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>
#include <tilewright/ir/module.h>

#include <cstddef>
#include <vector>

namespace tilewright::lower {

/// A parameter that a function takes in another layout than the user has it: the element at index
/// `i` of the user's tensor stands at `map(i)`.
struct LayoutRewrite {
    std::size_t param = 0;
    ir::IndexMap map;
};

struct WithoutLayoutRewrites {
    ir::Module module;
    std::vector<LayoutRewrite> rewrites; ///< of the entry function
};

/// Takes out the blocks annotated `meta_schedule.layout_rewrite_preproc`, which copy a weight into
/// the layout that the kernel likes: the function then takes the rewritten tensor as parameter, and
/// who compiles it rewrites the weight once. A block of another form than a copy of a whole
/// parameter stays.
WithoutLayoutRewrites removeLayoutRewrites(const ir::Module& module);

} // namespace tilewright::lower
