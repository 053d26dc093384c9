// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts about one scope, that is a block and the blocks whose nearest enclosing block it is.

#include <tilewright/analysis/dependence_graph.h>
#include <tilewright/ir/stmt.h>

#include <span>
#include <vector>

namespace tilewright::arith {
class Analyzer;
}

namespace tilewright::analysis {

/// A direct child block of a scope with the loops between the scope block and it, outermost first.
/// Pointers stay owned by the module that was analysed.
struct ScopeChild {
    const ir::BlockRealizeNode* realize = nullptr;
    std::vector<const ir::ForNode*> loops;
    [[nodiscard]] const ir::BlockNode& block() const { return *realize->block; }
};

/// Direct child blocks under a statement, in textual order; not those inside nested blocks, and not
/// those inside `init`. `outer` are put in front of each child's loops; a loop given as `root`
/// itself is counted among them.
std::vector<ScopeChild> collectChildren(const ir::Stmt& root,
                                        std::span<const ir::ForNode* const> outer = {});

/// The cached facts of a scope.
struct ScopeFacts {
    DependenceGraph dependences;
    std::vector<char> regionCover; ///< per child: every region read is surely produced before
    bool stagePipeline = true;     ///< all children covered, and neither WAR nor Opaque edges
};

/// Dependences, region cover and stage pipeline of the scope whose children these are. `outer` are
/// the loops around the scope block itself, outermost first; only those bound to threads matter.
ScopeFacts analyzeScope(std::span<const ScopeChild> children, arith::Analyzer& analyzer,
                        std::span<const ir::ForNode* const> outer = {});

/// The region cover of one child alone, at the cost of that child.
bool isRegionCovered(std::span<const ScopeChild> children, std::size_t child,
                     arith::Analyzer& analyzer, std::span<const ir::ForNode* const> outer = {});

/// True when the iterator values are a surjective affine map of the loops (outermost first) in
/// which the outermost split of each value has scale 1; trivially true without loops. Loops left
/// out count as constants, so passing only the inner loops asks for a partially affine binding.
bool isAffineBinding(const ir::BlockRealizeNode& realize, std::span<const ir::ForNode* const> loops,
                     arith::Analyzer& analyzer);

} // namespace tilewright::analysis
