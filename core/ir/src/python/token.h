// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::ir::python {

/// Line and column of a text, from 1.
struct Position {
    int line = 1;
    int column = 1;
};

enum class TokenKind : std::uint8_t {
    Name,
    Int,
    Float,
    String,
    Operator, ///< punctuation, one to three characters
    Newline,
    Indent,
    Dedent,
    End
};

struct Token {
    TokenKind kind = TokenKind::End;
    Position position;
    std::string_view text; ///< as written
    std::string string;    ///< decoded value of a string
};

} // namespace tilewright::ir::python
