// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>
#include <tilewright/ir/module.h>
#include <tilewright/session/bottlenecks.h>
#include <tilewright/target/target.h>

#include <cstdint>
#include <vector>

namespace tilewright::session {

/// What the rules look at in a scheduled module.
struct LoopFacts {
    std::vector<std::int64_t> vectorExtents;   ///< of vectorised loops
    std::vector<std::int64_t> parallelExtents; ///< of parallel loops
    [[nodiscard]] std::int64_t mostParallel() const;
};
LoopFacts loopFacts(const ir::Module& module);

/// What the best records and the times of a report say. Replays the records; one that this build
/// cannot replay is passed over.
std::vector<Advice> adviceFor(const BottleneckReport& report, const database::StoreReader& reader,
                              const target::Target& target);

/// The rules about one operator's loops. `lanes` of the vector registers, for the row's type.
std::vector<Advice> loopAdvice(const OperatorRow& row, const LoopFacts& facts, int lanes,
                               int cores);
/// The rules about the whole model.
std::vector<Advice> modelAdvice(const BottleneckReport& report);

} // namespace tilewright::session
