// SPDX-License-Identifier: Apache-2.0
#include "print_json.h"

#include <tilewright/json/dump.h>
#include <tilewright/json/line_reader.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace tilewright::cli {

void printJson(const json::Value& value) {
    std::string line = json::dump(value);
    line.push_back('\n');
    std::cout << line << std::flush;
}

void printTable(const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const std::string& cell : header)
        widths.push_back(cell.size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(widths[i] - std::min(widths[i], cells[i].size()), ' ');
            text += (i == 0 ? cells[i] + padding : "  " + padding + cells[i]);
        }
        while (!text.empty() && text.back() == ' ')
            text.pop_back();
        std::cout << text << '\n';
    };
    line(header);
    std::vector<std::string> rule;
    for (const std::size_t width : widths)
        rule.emplace_back(width, '-');
    line(rule);
    for (const auto& row : rows)
        line(row);
}

std::string durationText(const json::Value& microseconds) {
    if (!microseconds.isNumber())
        return "n/a";
    const double us = microseconds.asDouble();
    char buffer[64];
    if (us < 1000)
        std::snprintf(buffer, sizeof buffer, "%.4g us", us);
    else if (us < 1e6)
        std::snprintf(buffer, sizeof buffer, "%.4g ms", us / 1e3);
    else
        std::snprintf(buffer, sizeof buffer, "%.4g s", us / 1e6);
    return buffer;
}

std::string intervalText(const json::Value& low, const json::Value& high, std::int64_t samples) {
    constexpr std::int64_t fewest = 3;
    if (samples < fewest || !low.isNumber() || !high.isNumber())
        return "n/a";
    return durationText(low) + " - " + durationText(high);
}

std::string readWholeFile(const std::string& path) {
    return json::readTextFile(path);
}

void forEachLine(const std::string& path,
                 const std::function<void(std::string_view content, int line)>& use) {
    const std::string text = readWholeFile(path);
    int line = 0;
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        ++line;
        const std::string_view content(text.data() + start, end - start);
        start = end + 1;
        if (content.find_first_not_of(" \t\r") != std::string_view::npos)
            use(content, line);
    }
}

} // namespace tilewright::cli
