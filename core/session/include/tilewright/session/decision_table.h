// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/session/trace_diff.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

enum class DecisionKind : std::uint8_t {
    Tile,    ///< factors of a loop
    Choice,  ///< one of several numbers, such as the unroll steps
    Location ///< where a block is computed
};

/// One decision of one record.
struct DecisionCell {
    bool present = false;
    std::size_t instruction = 0;       ///< index in the record's trace
    std::string text;                  ///< `7·2·2·1`, `512`, `loop 2`, `root`, `inline`
    std::vector<std::int64_t> factors; ///< of a tile
    std::vector<bool> changed;         ///< factors that differ from the first record's
    bool productFits = true;           ///< the factors' product is the loop's extent
};

/// What a decision changes in the code, from the first record to another.
struct DecisionEffect {
    enum class Kind : std::uint8_t {
        None,
        ParallelExtent, ///< iterations that run on several cores
        VectorExtent,   ///< lanes that one step of the innermost loop does
        UnrollSteps,
        ComputeAt,
        InnerTile, ///< the part of the loop inside the cache tile
        OuterTile, ///< the number of outermost parts
        Choice,
    };
    Kind kind = Kind::None;
    std::string from;
    std::string to;
    /// `parallel extent 56 → 112`, `compute-at: loop 2 → root`; empty for None.
    [[nodiscard]] std::string text() const;
};

/// A decision of several records of one task.
struct DecisionRow {
    DecisionKind kind = DecisionKind::Tile;
    std::string name;  ///< the loop (`h`), `unroll`, or the block that is placed
    std::string block; ///< that it is about
    std::optional<std::int64_t> extent;
    std::vector<DecisionCell> cells;     ///< one a record
    std::vector<DecisionEffect> effects; ///< one a record; None for the first and for equal ones
    bool differs = false;
    std::vector<std::int64_t> choices; ///< of a Choice: what there is to choose from
};

struct DecisionTable {
    std::vector<DecisionRow> rows; ///< in the order of the first record's trace
    std::size_t changed = 0;       ///< rows that differ
    bool productsFit = true;
    /// Where records have other instructions than the first: what one has and the other not.
    std::vector<std::string> structures;
};

/// The decisions of traces of one task beside each other, matched through diffTraces(). With the
/// module before scheduling, loops get their names and extents, and effects are read off the
/// scheduled code; without (null) they are numbered. Traces that do not apply keep their decisions.
DecisionTable decisionTable(const std::vector<schedule::Trace>& traces, const ir::Module* module);

/// The diff as text, a line an instruction with its mark: `  ` equal, `≠ ` decision, `~ `
/// attributes, `- ` only left, `+ ` only right, `↕ ` moved.
std::string traceDiffText(const TraceDiff& diff, bool differencesOnly);

} // namespace tilewright::session
