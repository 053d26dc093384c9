// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/verdict.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// One side of a comparison: the best records of a session of a work directory.
struct CompareSide {
    std::filesystem::path workDir;
    std::int64_t session = -1; ///< -1 = the best of all sessions
    bool defaults = false;     ///< the default schedules instead
};

/// How an operator of A was found in B.
enum class MatchKind : std::uint8_t { None, Hash, Signature };
/// `—`, `hash`, `signature`.
std::string_view toString(MatchKind match);

/// One operator of either side. Seconds of one call.
struct OperatorComparison {
    std::string name;
    MatchKind match = MatchKind::None;
    std::int64_t leftTask = -1;
    std::int64_t rightTask = -1;
    std::int64_t leftRecord = -1;
    std::int64_t rightRecord = -1;
    std::int64_t leftSamples = 0;
    std::int64_t rightSamples = 0;
    double weight = 1; ///< calls in a run
    std::optional<double> left;
    std::optional<double> right;
    Judgement judgement;
    std::string reason;                  ///< why not comparable, or what is missing
    std::optional<double> weightedDelta; ///< weight × (B − A), of comparable operators
    double leftShare = 0;                ///< of the side's total, 0 … 1
    double rightShare = 0;
    std::optional<std::size_t> decisions; ///< decisions that differ; none without two traces
    bool sameStructure = true;            ///< the traces have the same instructions
};

/// What a side is, in words.
struct SideFacts {
    std::string label; ///< `session 9`, `default schedules`, `best of all sessions`
    std::string target;
    std::int64_t startedMs = 0;
    std::int64_t trials = 0;
    double total = 0; ///< weighted seconds of the comparable operators
    double plusMinus = 0;
};

struct WaterfallStep {
    std::string name;
    double seconds = 0;         ///< change of the total
    std::int64_t operators = 1; ///< several in the last step, "rest"
};

struct SessionComparison {
    SideFacts left;
    SideFacts right;
    Judgement total; ///< of the sums over comparable operators
    std::int64_t comparable = 0;
    std::int64_t faster = 0;
    std::int64_t slower = 0;
    std::int64_t same = 0;
    std::int64_t notComparable = 0;            ///< other reasons and missing sides together
    std::vector<OperatorComparison> operators; ///< by falling |weighted Δ|, the others last
    std::vector<SettingDifference> settings;
    std::vector<WaterfallStep> steps; ///< from left.total to right.total
};

struct SessionCompareOptions {
    double threshold = 0.01;
    Statistic statistic = Statistic::Median;
    std::size_t steps = 8; ///< of the waterfall, before the rest
};

/// Compares two sides operator by operator: matched by the hash of their modules, else by what they
/// compute (operators, shape, type). Operators of one side only are listed, never dropped. Throws
/// UserError naming the file.
SessionComparison compareSessions(const CompareSide& left, const CompareSide& right,
                                  const SessionCompareOptions& options = {});

/// Counts, totals, order and steps from operators and their judgements. Pure.
void summarize(SessionComparison& comparison, std::size_t steps);

} // namespace tilewright::session
