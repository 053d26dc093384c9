// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

/// A regular expression searched in time linear in the text, whatever pattern a user types (a
/// backtracking matcher can hang or run out of stack on a long trace). Case of ASCII letters does
/// not matter. Knows `. * + ? | ( ) [a-z] [^a] ^ $` and `\` before any of them, `\d \w \s`.
class SearchPattern {
public:
    static base::Result<SearchPattern> compile(std::string_view pattern);
    [[nodiscard]] bool matches(std::string_view text) const;

private:
    enum class Op : std::uint8_t { Set, Split, Jump, Begin, End, Match };
    struct Instruction {
        Op op;
        int x = 0;
        int y = 0;
    };
    class Compiler;
    struct Threads;
    void addThread(Threads& threads, int start, bool atBegin, bool atEnd) const;
    void findStarts();
    [[nodiscard]] bool findLiteral(std::string_view text) const;

    std::string literal_; ///< in lower case, when the pattern has no operator
    std::vector<Instruction> program_;
    /// Bytes that a match can start with; only meaningful when it cannot start without one.
    std::bitset<256> starts_;
    bool startsWithByte_ = false;
    std::vector<std::bitset<256>> sets_;
};

} // namespace tilewright::database
