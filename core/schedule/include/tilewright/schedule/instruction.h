// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/failure.h>
#include <tilewright/schedule/value.h>

#include <cstdint>
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

/// How an argument is kept and written.
enum class ArgumentForm : std::uint8_t {
    Plain,      ///< `loop=l1`
    Positional, ///< `l1`
    Rest,       ///< this input and all after it, `l1, l2`
    RestList,   ///< this input and all after it, `factors=[None, 4]`
    OmitEmpty,  ///< a list that is not written when empty
    IntFlag,    ///< a bool, `True` in text, 1 in files
    BoolFlag,   ///< a bool, `True` in text, true in files
    Buffer,     ///< two attributes, index and role: `buffer=("read", 0)`
    RoleName,   ///< an integer, 0 `"read"`, 1 `"write"`
    Map,        ///< an index map, `lambda i, j: (j, i,)`
    RangeMap    ///< an index map whose results come in pairs, `lambda i: [(i, i + 1)]`
};

/// One argument of an instruction, in the order of the text form.
struct ArgumentSpec {
    char place = 'i';       ///< `i` = among the inputs, `a` = among the attributes
    std::uint8_t index = 0; ///< where there
    ArgumentForm form = ArgumentForm::Plain;
    std::string_view name{};
    /// Text of the value that a script or an older file may leave out, empty = must be there.
    std::string_view fallback{};
};

/// One kind of instruction: its names, its arguments, and what it does. All there are stand in one
/// table (instruction_table.cpp); text, JSON and replay work from it.
struct InstructionKind {
    std::string_view name;       ///< `SamplePerfectTile`, the newest spelling
    std::string_view pythonName; ///< `sample_perfect_tile`
    bool pure = false;           ///< may be dropped when nothing uses its outputs
    bool sampling = false;       ///< carries a decision
    std::uint8_t inputs = 0;     ///< count, or least count when the last ones are Rest
    std::uint8_t attrs = 0;
    std::int8_t outputs = 0; ///< count; -1 = depends on the arguments or on the module
    std::span<const ArgumentSpec> arguments{};
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
    std::vector<Rv> outputs;
    [[nodiscard]] bool is(std::string_view name) const { return kind->name == name; }
};
using InstructionRef = std::shared_ptr<const Instruction>;

} // namespace tilewright::schedule
