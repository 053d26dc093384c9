// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/json/value.h>
#include <tilewright/schedule/instruction.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::schedule {

class Schedule;

/// Called before each instruction of a replay; returns the decision to use (null: sample anew).
using DecisionProvider =
    std::function<Value(const Instruction& instruction, std::span<const Value> inputs,
                        std::span<const Value> attrs, const Value& decision)>;

/// A list of instructions with the decisions of the sampling ones. A value; copies share the
/// instructions. Random variables are numbered densely in the order they are produced.
class Trace {
public:
    Trace() = default;

    [[nodiscard]] std::size_t size() const { return instructions_.size(); }
    [[nodiscard]] bool empty() const { return instructions_.empty(); }
    [[nodiscard]] const Instruction& operator[](std::size_t index) const {
        return *instructions_[index];
    }
    [[nodiscard]] const InstructionRef& shared(std::size_t index) const {
        return instructions_[index];
    }
    /// Null when the instruction carries none.
    [[nodiscard]] const Value& decision(std::size_t index) const { return decisions_[index]; }
    /// Number of random variables produced.
    [[nodiscard]] std::int32_t rvCount() const { return rvCount_; }
    /// Index of EnterPostproc, or size() when there is none.
    [[nodiscard]] std::size_t postprocIndex() const;

    /// Adds at the end; its outputs must be numbered from rvCount() on.
    void append(InstructionRef instruction, Value decision = {});
    void pop();
    void setDecision(std::size_t index, Value decision) { decisions_[index] = std::move(decision); }
    /// A copy with one decision changed.
    [[nodiscard]] Trace withDecision(std::size_t index, Value decision, bool removePostproc) const;
    /// The instructions before EnterPostproc.
    [[nodiscard]] Trace withoutPostproc() const;
    /// Drops pure instructions whose outputs nothing uses; variables are numbered anew. As in
    /// MetaSchedule, variables inside lists do not count as used.
    [[nodiscard]] Trace simplified(bool removePostproc) const;
    /// Same instructions, inputs, attributes and decisions.
    bool operator==(const Trace& other) const;

    /// TVM's file form `[instructions, decisions]`; dump with json::Style::Tvm for its very bytes.
    /// `legacyNames`: `GetBlock` as before TVM 0.24.
    [[nodiscard]] json::Value toJson(bool legacyNames = false) const;
    /// Reads the file form of any era. Throws base::ParseError (kind `trace-json`, with the
    /// instruction's number).
    static Trace fromJson(const json::Value& value);
    /// TVM's text form (`b0 = sch.get_sblock(name="C", func_name="main")` …) with its header.
    [[nodiscard]] std::string toPython() const;
    /// One line of the text form, without indent; for tables and messages.
    [[nodiscard]] std::string instructionText(std::size_t index) const;
    /// Reads the text form, with or without header, comments and blank lines. Throws
    /// base::ParseError (kind `schedule-script`) with file, line and column. `lines`, when given,
    /// gets the line (from 1) of each instruction.
    static Trace parsePython(std::string_view text, std::string_view fileName = "<script>",
                             std::vector<int>* lines = nullptr);

private:
    std::vector<InstructionRef> instructions_;
    std::vector<Value> decisions_; ///< one per instruction
    std::int32_t rvCount_ = 0;
};

/// Applies instructions [begin, end) of a trace, with its decisions, recording them anew. The
/// schedule must hold the state after [0, begin) of the same trace: copies of a Schedule are
/// snapshots, so a search keeps one and replays from the mutated instruction on.
base::Result<void, Rejection> replayRange(const Trace& trace, std::size_t begin, std::size_t end,
                                          Schedule& schedule,
                                          const DecisionProvider& decisions = {});
/// Applies a whole trace, up to EnterPostproc with `removePostproc`.
base::Result<void, Rejection> replay(const Trace& trace, Schedule& schedule,
                                     bool removePostproc = false,
                                     const DecisionProvider& decisions = {});

} // namespace tilewright::schedule
