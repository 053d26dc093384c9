// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "script_reader.h"

namespace tilewright::ir {

/// Counts nested statements, so that no text can exhaust the stack.
class ScriptReader::Nesting {
public:
    explicit Nesting(ScriptReader& reader, int levels = 1) : reader_(reader), levels_(levels) {
        reader_.nesting_ += levels_;
        if (reader_.nesting_ > kMaxNesting)
            reader_.fail(reader_.position_, "statements are nested too deep");
    }
    ~Nesting() { reader_.nesting_ -= levels_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    static constexpr int kMaxNesting = 600;
    ScriptReader& reader_;
    int levels_;
};

} // namespace tilewright::ir
