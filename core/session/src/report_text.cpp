// SPDX-License-Identifier: Apache-2.0
#include "report_text.h"

#include <cstdio>
#include <ctime>

namespace tilewright::session {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out.push_back(c);
    }
    return out;
}

std::string number(double value, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string duration(std::optional<double> seconds) {
    if (!seconds)
        return "n/a";
    if (*seconds < 1e-3)
        return number(*seconds * 1e6, "%.4g &micro;s");
    if (*seconds < 1)
        return number(*seconds * 1e3, "%.4g ms");
    return number(*seconds, "%.4g s");
}

std::string timeText(std::int64_t timeMs) {
    if (timeMs == 0)
        return "n/a";
    const std::time_t seconds = timeMs / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    return text;
}

} // namespace tilewright::session
