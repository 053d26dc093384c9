// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/failure.h>
#include <tilewright/schedule/value.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::schedule {

class Schedule;

/// Inputs of an instruction after random variables were mapped to those of the schedule at hand.
struct InstructionArguments {
    std::span<const Value> inputs;
    std::span<const Value> attrs;
    /// Null when there is none; a sampling instruction stores the one it took here.
    Value* decision = nullptr;
};

/// One kind of instruction: its name in files, and what it does. All there are stand in one table
/// (instruction_table.cpp); text, JSON and replay work from it.
struct InstructionKind {
    std::string_view name;       ///< `SamplePerfectTile`, the newest spelling
    std::string_view pythonName; ///< `sample_perfect_tile`
    bool pure = false;           ///< may be dropped when nothing uses its outputs
    bool sampling = false;       ///< carries a decision
    /// Names of arguments in the text form, inputs first, in the order printed; see the table.
    std::string_view pythonArguments;
    /// Null = known but not supported.
    Outcome<std::vector<Rv>> (*apply)(Schedule& schedule,
                                      const InstructionArguments& arguments) = nullptr;
};

/// Finds a kind by its name in files, older names (`GetBlock`) included; null when unknown.
const InstructionKind* findInstructionKind(std::string_view name);
/// Finds a kind by the method's name in text, older names included; null when unknown.
const InstructionKind* findInstructionKindByMethod(std::string_view method);
std::span<const InstructionKind> instructionKinds();

/// One step of a trace: immutable and shared among traces.
struct Instruction {
    const InstructionKind* kind = nullptr;
    std::vector<Value> inputs;
    std::vector<Value> attrs;
    std::vector<Rv> outputs; ///< a null output (dynamic tile) has kind Expr and id -1
    [[nodiscard]] bool is(std::string_view name) const { return kind->name == name; }
};
using InstructionRef = std::shared_ptr<const Instruction>;

} // namespace tilewright::schedule
