// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>

#include <tilewright/base/concat.h>

namespace tilewright::base {

namespace {

struct LocationPrinter {
    std::string operator()(const TextLocation& at) const {
        std::string text = at.file;
        if (at.line > 0)
            text += concat(':', at.line);
        if (at.line > 0 && at.column > 0)
            text += concat(':', at.column);
        return text;
    }
    std::string operator()(const IrLocation& at) const { return at.path; }
    std::string operator()(const TraceLocation& at) const {
        return concat("instruction ", at.instruction);
    }
    std::string operator()(const GraphLocation& at) const {
        std::string text = at.file;
        if (!at.node.empty() || !at.op.empty())
            text += concat(text.empty() ? "" : ": ", "node ", at.node, " (", at.op, ")");
        return text;
    }
    std::string operator()(const DatabaseLocation& at) const {
        std::string text = at.file;
        if (!at.table.empty())
            text += concat(": table ", at.table);
        if (at.row > 0)
            text += concat(", row ", at.row);
        return text;
    }
};

} // namespace

std::string toString(const Location& location) {
    return std::visit(LocationPrinter{}, location);
}

std::string Diagnostic::toString() const {
    std::string text;
    for (const Location& location : locations)
        text += concat(base::toString(location), ": ");
    text += message;
    if (!kind.empty())
        text += concat(" [", kind, ']');
    return text;
}

} // namespace tilewright::base
