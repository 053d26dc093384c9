// SPDX-License-Identifier: Apache-2.0
#include "literal_text.h"

#include <cmath>
#include <cstdio>

namespace tilewright::ir {

void appendQuoted(std::string& out, std::string_view text) {
    out.push_back('"');
    for (const char c : text) {
        switch (c) {
        case '\n':
            out.append("\\n");
            break;
        case '\t':
            out.append("\\t");
            break;
        case '\r':
            out.append("\\r");
            break;
        case '"':
            out.append("\\\"");
            break;
        case '\\':
            out.append("\\\\");
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
                char buffer[8];
                std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned char>(c));
                out.append(buffer);
            } else {
                out.push_back(c);
            }
        }
    }
    out.push_back('"');
}

void appendFloat(std::string& out, double value) {
    if (std::isnan(value)) {
        out.append("\"nan\"");
    } else if (std::isinf(value)) {
        out.append(value > 0 ? "\"inf\"" : "\"-inf\"");
    } else {
        char buffer[400];
        const bool isWhole = value == std::trunc(value);
        std::snprintf(buffer, sizeof buffer, isWhole ? "%.1f" : "%.17g", value);
        out.append(buffer);
    }
}

} // namespace tilewright::ir
