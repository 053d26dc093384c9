// SPDX-License-Identifier: Apache-2.0
#include "index_rewriter.h"
#include "passes.h"

namespace tilewright::lower {

using namespace tilewright::ir;

namespace {

class LoopSimplifier final : public IndexRewriter {};

} // namespace

Stmt simplifyLoops(const Stmt& body) {
    return LoopSimplifier().rewrite(body);
}

} // namespace tilewright::lower
