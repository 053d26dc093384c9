// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>
#include <tilewright/schedule/schedule.h>

namespace tilewright::schedule {

/// Reads the arguments of an instruction against a schedule: variables become loops, blocks and
/// numbers; anything else is a failure in words.
class ArgumentReader {
public:
    ArgumentReader(Schedule& schedule, const InstructionArguments& arguments)
        : schedule_(schedule), arguments_(arguments) {}

    [[nodiscard]] std::size_t inputCount() const { return arguments_.inputs.size(); }
    [[nodiscard]] const Value& input(std::size_t i) const { return arguments_.inputs[i]; }
    [[nodiscard]] const Value& attr(std::size_t i) const { return arguments_.attrs[i]; }

    Outcome<SrefId> block(std::size_t input) const;
    Outcome<SrefId> loop(std::size_t input) const;
    Outcome<SrefId> blockOrLoop(std::size_t input) const;
    /// All inputs from `first` on.
    Outcome<std::vector<SrefId>> loops(std::size_t first) const;
    /// The blocks of a list.
    Outcome<std::vector<SrefId>> blockList(std::size_t input) const;
    /// Inputs from `first` on; null handle for None and for variables without a value.
    Outcome<std::vector<ir::Expr>> factors(std::size_t first) const;
    Outcome<int> intAttr(std::size_t attr) const;
    Outcome<std::string> stringAttr(std::size_t attr) const;
    Outcome<ir::IndexMap> mapOf(const Value& value) const;
    [[nodiscard]] bool flag(std::size_t attr) const { return arguments_.attrs[attr].toInt(0) != 0; }

private:
    Outcome<SrefId> sref(const Value& value, RvKind kind) const;
    Schedule& schedule_;
    const InstructionArguments& arguments_;
};

} // namespace tilewright::schedule
