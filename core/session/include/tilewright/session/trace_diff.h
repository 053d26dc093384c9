// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/schedule/trace.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// How a row of two aligned traces differs.
enum class TraceChange : std::uint8_t { Equal, Decision, Attributes, OnlyLeft, OnlyRight, Moved };
/// `equal`, `decision`, `attributes`, `only-left`, `only-right`, `moved`.
std::string_view toString(TraceChange change);

/// An instruction of the left trace beside its counterpart in the right one.
struct TraceRow {
    TraceChange change = TraceChange::Equal;
    std::optional<std::size_t> left;  ///< index in the left trace
    std::optional<std::size_t> right; ///< index in the right trace
    /// Text forms with variables numbered by first use within their role; empty on a missing side.
    std::string leftText;
    std::string rightText;
    /// Decisions alone (`[1, 4, 8]`, `512`, `inline`), empty when there is none.
    std::string leftDecision;
    std::string rightDecision;
    std::string subject;      ///< what is decided: `tile of C, loop 2`, `unroll_explicit of C`
    bool postprocess = false; ///< EnterPostproc and what follows it
};

struct TraceDiff {
    std::vector<TraceRow> rows;
    bool sameSketch = true;    ///< every instruction has its counterpart, decisions aside
    std::string structure;     ///< what one side has and the other not; empty when sameSketch
    std::size_t decisions = 0; ///< decisions that differ
    [[nodiscard]] bool equal() const;
};

/// Aligns two traces of the same workload. The numbering of variables never shows as a difference;
/// sampled traces of one sketch align one to one. Pure.
TraceDiff diffTraces(const schedule::Trace& left, const schedule::Trace& right);

/// `{"same_sketch","structure","decisions","rows":[{"change","left","right",…}]}`.
json::Object toJson(const TraceDiff& diff, bool differencesOnly);

} // namespace tilewright::session
