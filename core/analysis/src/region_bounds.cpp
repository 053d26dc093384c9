// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/region_bounds.h>

#include <tilewright/arith/analyzer.h>

#include <array>
#include <utility>

namespace tilewright::analysis {
namespace {

struct ScopePrefix {
    std::string_view prefix;
    int rank;
};
constexpr std::array<ScopePrefix, 16> kScopes{{{"global", 0},
                                               {"shared", 1},
                                               {"warp", 2},
                                               {"local", 3},
                                               {"wmma.matrix_a", 4},
                                               {"wmma.matrix_b", 5},
                                               {"wmma.accumulator", 6},
                                               {"texture", 7},
                                               {"amx.tmm", 8},
                                               {"m16n8k8.matrixA", 9},
                                               {"m16n8k8.matrixB", 10},
                                               {"m16n8k8.matrixC", 11},
                                               {"metal.simdgroup", 12},
                                               {"metal.cooperative_tensor", 13},
                                               {"trn.sbuf", 14},
                                               {"trn.psum", 15}}};
constexpr int kWarpRank = 2;

/// 0: blockIdx, 1: threadIdx and vthread, 2: cluster.
int threadRank(std::string_view tag) {
    if (tag.starts_with("blockIdx."))
        return 0;
    return tag.starts_with("clusterCtaIdx.") ? 2 : 1;
}

} // namespace

int storageRank(std::string_view scope) {
    if (scope.empty())
        return 0;
    for (const ScopePrefix& known : kScopes)
        if (scope.starts_with(known.prefix))
            return known.rank;
    return -1;
}

bool sharesStorage(std::string_view scope, std::string_view threadTag) {
    const int rank = storageRank(scope);
    if (rank == kWarpRank)
        return threadTag == "threadIdx.x";
    return rank <= threadRank(threadTag);
}

arith::Domain loopDomain(std::span<const ir::ForNode* const> loops) {
    arith::Domain domain;
    domain.reserve(loops.size());
    for (const ir::ForNode* loop : loops)
        domain.push_back({loop->loopVar, ir::Range{loop->min, loop->extent}});
    return domain;
}

arith::Domain relaxedDomain(std::span<const ir::ForNode* const> outer,
                            std::span<const ir::ForNode* const> relaxed, std::string_view scope) {
    arith::Domain domain;
    if (storageRank(scope) > 0)
        for (const ir::ForNode* loop : outer)
            if (loop->forKind == ir::ForKind::ThreadBinding &&
                sharesStorage(scope, loop->threadTag))
                domain.push_back({loop->loopVar, ir::Range{loop->min, loop->extent}});
    for (const ir::ForNode* loop : relaxed)
        domain.push_back({loop->loopVar, ir::Range{loop->min, loop->extent}});
    return domain;
}

ir::VarMap bindings(const ir::BlockRealizeNode& realize) {
    ir::VarMap map;
    for (std::size_t i = 0; i < realize.iterValues.size(); ++i)
        map.emplace(realize.block->iterVars[i].var.get(), realize.iterValues[i]);
    return map;
}

arith::IntSetRegion regionUpperBound(const ir::BufferRegion& region, const ir::Expr& predicate,
                                     const arith::Domain& domain, arith::Analyzer& analyzer) {
    return arith::estimateRegionUpperBound(region.region, domain, predicate, analyzer);
}

arith::IntSetRegion regionLowerBound(const ir::BufferRegion& region, const ir::Expr& predicate,
                                     const arith::Domain& domain, arith::Analyzer& analyzer) {
    if (auto bound = arith::estimateRegionLowerBound(region.region, domain, predicate, analyzer))
        return *std::move(bound);
    return arith::IntSetRegion(region.region.size(), arith::IntSet::nothing());
}

} // namespace tilewright::analysis
