// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilewright::ir {

/// A Python string literal in double quotes.
void appendQuoted(std::string& out, std::string_view text);
/// A float the way TVM's printer spells it: `1.0`, `0.10000000000000001`, `"inf"`.
void appendFloat(std::string& out, double value);

} // namespace tilewright::ir
