// SPDX-License-Identifier: Apache-2.0
#include "shell_text.h"

namespace tilewright::session {

std::string inQuotes(std::string_view argument) {
    std::string quoted = "'";
    for (const char c : argument)
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    return quoted + "'";
}

} // namespace tilewright::session
