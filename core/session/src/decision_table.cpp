// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/decision_table.h>

#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>
#include <tilewright/schedule/schedule.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace tilewright::session {

namespace {

using schedule::Instruction;
using schedule::Trace;
using schedule::Value;

/// Loops around a block in the scheduled code.
struct BlockLoops {
    std::int64_t parallel = 1;
    std::int64_t vector = 1;
};

class LoopReader : public ir::Visitor {
public:
    std::map<std::string, BlockLoops> blocks;

protected:
    void visitNode(const ir::ForNode& loop) override {
        const BlockLoops before = now_;
        const std::int64_t extent = ir::constInt(loop.extent).value_or(1);
        if (loop.forKind == ir::ForKind::Parallel)
            now_.parallel *= extent;
        if (loop.forKind == ir::ForKind::Vectorized)
            now_.vector *= extent;
        Visitor::visitNode(loop);
        now_ = before;
    }
    void visitNode(const ir::BlockNode& block) override {
        blocks.try_emplace(block.name, now_);
        Visitor::visitNode(block);
    }

private:
    BlockLoops now_;
};

/// What replaying a trace tells about its instructions.
struct TraceFacts {
    struct Loop {
        std::string name;
        std::optional<std::int64_t> extent;
    };
    std::map<std::size_t, Loop> loops; ///< of tilings, by instruction
    std::map<std::string, BlockLoops> blocks;

    [[nodiscard]] const BlockLoops* of(const std::string& block) const {
        for (const std::string& name : {block + "_update", block})
            if (const auto found = blocks.find(name); found != blocks.end())
                return &found->second;
        return nullptr;
    }
};

bool isTile(const Instruction& instruction) {
    return instruction.is("SamplePerfectTile") || instruction.is("SamplePartitionedTile");
}

TraceFacts factsOf(const Trace& trace, const ir::Module* module) {
    TraceFacts facts;
    if (!module)
        return facts;
    schedule::Schedule sch(*module);
    sch.setEnableCheck(false);
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const Instruction& instruction = trace[i];
        const schedule::Rv* loop =
            instruction.inputs.empty() ? nullptr : instruction.inputs.front().asRv();
        if (isTile(instruction) && loop && sch.has(*loop)) {
            const ir::ForNode* node = sch.get(schedule::LoopRV(loop->id));
            facts.loops[i] = {node->loopVar->name, ir::constInt(node->extent)};
        }
        if (!schedule::replayRange(trace, i, i + 1, sch))
            return facts;
    }
    LoopReader reader;
    if (const ir::PrimFunc function = sch.module().find(sch.module().entryName()))
        reader.visit(function->body);
    facts.blocks = std::move(reader.blocks);
    return facts;
}

std::vector<std::int64_t> factorsOf(const Value& decision) {
    std::vector<std::int64_t> factors;
    if (const auto* list = decision.asList())
        for (const Value& item : *list)
            factors.push_back(item.toInt(0));
    return factors;
}

std::int64_t product(const std::vector<std::int64_t>& factors, std::size_t from = 0) {
    return std::accumulate(
        factors.begin() + static_cast<std::ptrdiff_t>(std::min(from, factors.size())),
        factors.end(), std::int64_t{1}, [](std::int64_t a, std::int64_t b) { return a * b; });
}

std::string factorText(const std::vector<std::int64_t>& factors) {
    std::vector<std::string> words;
    for (const std::int64_t factor : factors)
        words.push_back(std::to_string(factor));
    return base::join(words, "·");
}

DecisionCell cellOf(const Trace& trace, std::size_t index, const std::string& text,
                    const std::optional<std::int64_t>& extent) {
    DecisionCell cell;
    cell.present = true;
    cell.instruction = index;
    if (isTile(trace[index])) {
        cell.factors = factorsOf(trace.decision(index));
        cell.text = factorText(cell.factors);
        cell.productFits = !extent || product(cell.factors) == *extent;
    } else {
        cell.text = text;
    }
    return cell;
}

/// The block in a subject of trace_diff.h (`tile of C, loop 2`), without the loop.
std::string blockOf(const std::string& subject) {
    const std::size_t of = subject.find(" of ");
    std::string block = of == std::string::npos ? subject : subject.substr(of + 4);
    return block.substr(0, block.find(','));
}

void describe(DecisionRow& row, const Trace& trace, std::size_t index, const TraceRow& from,
              const TraceFacts& facts) {
    const Instruction& instruction = trace[index];
    row.block = blockOf(from.subject);
    if (instruction.is("SampleComputeLocation")) {
        row.kind = DecisionKind::Location;
        row.name = row.block;
    } else if (isTile(instruction)) {
        const auto loop = facts.loops.find(index);
        if (loop != facts.loops.end()) {
            row.name = loop->second.name;
            row.extent = loop->second.extent;
        } else {
            const std::size_t comma = from.subject.find(", ");
            row.name = comma == std::string::npos ? from.subject : from.subject.substr(comma + 2);
            const std::int64_t extent = product(factorsOf(trace.decision(index)));
            if (extent > 0)
                row.extent = extent;
        }
    } else {
        row.kind = DecisionKind::Choice;
        const bool unroll = from.subject.find("unroll") != std::string::npos;
        row.name = unroll ? "unroll" : from.subject.substr(0, from.subject.find(" of "));
        if (!instruction.attrs.empty())
            if (const auto* list = instruction.attrs[0].asList())
                for (const Value& item : *list)
                    row.choices.push_back(item.toInt(0));
    }
}

DecisionEffect numbers(DecisionEffect::Kind kind, std::int64_t from, std::int64_t to) {
    return {kind, std::to_string(from), std::to_string(to)};
}

DecisionEffect effectOf(const DecisionRow& row, const DecisionCell& left, const DecisionCell& right,
                        const TraceFacts& leftFacts, const TraceFacts& rightFacts) {
    using Kind = DecisionEffect::Kind;
    if (!left.present || !right.present || left.text == right.text)
        return {};
    if (row.kind == DecisionKind::Location)
        return {Kind::ComputeAt, left.text, right.text};
    if (row.kind == DecisionKind::Choice)
        return {row.name == "unroll" ? Kind::UnrollSteps : Kind::Choice, left.text, right.text};
    const std::vector<std::int64_t>& a = left.factors;
    const std::vector<std::int64_t>& b = right.factors;
    if (a.empty() || b.empty())
        return {};
    const BlockLoops* before = leftFacts.of(row.block);
    const BlockLoops* after = rightFacts.of(row.block);
    // Two factors tile a reduction, which neither runs in parallel nor in lanes.
    const bool spatial = a.size() > 2 && b.size() > 2;
    if (spatial && before && after) {
        if (a.front() != b.front() && before->parallel != after->parallel)
            return numbers(Kind::ParallelExtent, before->parallel, after->parallel);
        if (a.back() != b.back() && before->vector != after->vector)
            return numbers(Kind::VectorExtent, before->vector, after->vector);
    }
    const std::int64_t inner = product(a, (a.size() + 1) / 2);
    const std::int64_t innerAfter = product(b, (b.size() + 1) / 2);
    if (inner != innerAfter)
        return numbers(Kind::InnerTile, inner, innerAfter);
    if (a.front() != b.front())
        return numbers(Kind::OuterTile, a.front(), b.front());
    return {};
}

void compareCells(DecisionRow& row, const std::vector<TraceFacts>& facts) {
    row.effects.assign(row.cells.size(), {});
    const DecisionCell& first = row.cells.front();
    for (std::size_t k = 1; k < row.cells.size(); ++k) {
        DecisionCell& cell = row.cells[k];
        row.differs = row.differs || cell.present != first.present || cell.text != first.text;
        for (std::size_t i = 0; i < cell.factors.size(); ++i)
            cell.changed.push_back(first.present && (i >= first.factors.size() ||
                                                     first.factors[i] != cell.factors[i]));
        row.effects[k] = effectOf(row, first, cell, facts.front(), facts[k]);
    }
    // Of two records the first one's changed factors are marked as well.
    DecisionCell& left = row.cells.front();
    left.changed.assign(left.factors.size(), false);
    if (row.cells.size() == 2 && row.cells[1].present)
        for (std::size_t i = 0; i < left.factors.size(); ++i)
            left.changed[i] =
                i >= row.cells[1].factors.size() || row.cells[1].factors[i] != left.factors[i];
}

/// Rows of decisions that only a later record has, by what they are about.
void addMissing(DecisionTable& table, std::map<std::string, std::size_t>& extra,
                const TraceRow& row, const Trace& trace, const TraceFacts& facts, std::size_t k,
                std::size_t columns) {
    const auto [it, added] = extra.try_emplace(row.subject, table.rows.size());
    if (added) {
        DecisionRow& fresh = table.rows.emplace_back();
        fresh.cells.resize(columns);
        describe(fresh, trace, *row.right, row, facts);
    }
    DecisionRow& target = table.rows[it->second];
    target.cells[k] = cellOf(trace, *row.right, row.rightDecision, target.extent);
}

} // namespace

std::string DecisionEffect::text() const {
    const std::string change = base::concat(from, " → ", to);
    switch (kind) {
    case Kind::None:
        return {};
    case Kind::ParallelExtent:
        return "parallel extent " + change;
    case Kind::VectorExtent:
        return "vector " + change;
    case Kind::UnrollSteps:
        return "unroll " + change;
    case Kind::ComputeAt:
        return "compute-at: " + change;
    case Kind::InnerTile:
        return "inner tile " + change;
    case Kind::OuterTile:
        return "outer parts " + change;
    case Kind::Choice:
        return change;
    }
    return {};
}

DecisionTable decisionTable(const std::vector<Trace>& traces, const ir::Module* module) {
    DecisionTable table;
    if (traces.empty())
        return table;
    std::vector<TraceFacts> facts;
    facts.reserve(traces.size());
    for (const Trace& trace : traces)
        facts.push_back(factsOf(trace, module));
    std::map<std::size_t, std::size_t> rowOf; ///< instruction of the first trace → row
    std::map<std::string, std::size_t> extra;
    const Trace& first = traces.front();
    for (std::size_t k = 0; k < traces.size(); ++k) {
        const TraceDiff diff = diffTraces(first, traces[k]);
        if (!diff.structure.empty())
            table.structures.push_back(diff.structure);
        for (const TraceRow& row : diff.rows) {
            const bool decided = !row.leftDecision.empty() || !row.rightDecision.empty();
            if (row.postprocess || !decided)
                continue;
            if (!row.left) {
                addMissing(table, extra, row, traces[k], facts[k], k, traces.size());
                continue;
            }
            const auto [it, added] = rowOf.try_emplace(*row.left, table.rows.size());
            if (added) {
                DecisionRow& fresh = table.rows.emplace_back();
                fresh.cells.resize(traces.size());
                describe(fresh, first, *row.left, row, facts.front());
                fresh.cells[0] = cellOf(first, *row.left, row.leftDecision, fresh.extent);
            }
            if (k > 0 && row.right) {
                DecisionRow& target = table.rows[it->second];
                target.cells[k] = cellOf(traces[k], *row.right, row.rightDecision, target.extent);
            }
        }
    }
    for (DecisionRow& row : table.rows) {
        compareCells(row, facts);
        table.changed += row.differs;
        for (const DecisionCell& cell : row.cells)
            table.productsFit = table.productsFit && cell.productFits;
    }
    return table;
}

std::string traceDiffText(const TraceDiff& diff, bool differencesOnly) {
    std::string text;
    for (const TraceRow& row : diff.rows) {
        switch (row.change) {
        case TraceChange::Equal:
            if (!differencesOnly)
                text += base::concat("  ", row.leftText, '\n');
            break;
        case TraceChange::OnlyLeft:
            text += base::concat("- ", row.leftText, '\n');
            break;
        case TraceChange::OnlyRight:
            text += base::concat("+ ", row.rightText, '\n');
            break;
        default:
            const std::string_view mark = row.change == TraceChange::Decision     ? "≠ "
                                          : row.change == TraceChange::Attributes ? "~ "
                                                                                  : "↕ ";
            text += base::concat(mark, row.leftText, '\n');
            if (row.leftText != row.rightText)
                text += base::concat("  → ", row.rightText, '\n');
        }
    }
    return text;
}

} // namespace tilewright::session
