// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/instruction.h>

namespace tilewright::schedule {

/// The argument kept at a place; null when the table names none there.
const ArgumentSpec* findSpec(const InstructionKind& kind, char place, std::size_t index);
/// The value of a fallback's text: True, False, None, [], an integer or a quoted string.
Value fallbackValue(std::string_view text);
/// Fills trailing inputs and attributes that an older file or a script leaves out. Returns the name
/// of an argument that must not be left out, empty when all is there.
std::string_view fillFallbacks(const InstructionKind& kind, std::vector<Value>& inputs,
                               std::vector<Value>& attrs);

} // namespace tilewright::schedule
