// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_writer.h"

namespace tilewright::ir {

/// Fields of an object with a span in front, and a type where the class has one.
class GraphWriter::Fields {
public:
    explicit Fields(GraphWriter& writer) { data_.append("span", writer.none()); }
    Fields(GraphWriter& writer, std::size_t type) : Fields(writer) { data_.append("ty", type); }
    template <class T> void set(std::string key, T value) {
        data_.append(std::move(key), std::move(value));
    }
    json::Value take() { return std::move(data_); }

private:
    json::Object data_;
};

/// A number, or the mark of one that JSON has no digits for.
json::Value realNumber(double value);
/// Replaces the marks in a text by `Infinity`, `-Infinity` and `NaN`, as TVM writes them.
std::string withRealNumbers(std::string text);

} // namespace tilewright::ir
