// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/profiler.h>

#include <algorithm>
#include <cstdio>

namespace tilewright::base {

void Profiler::add(std::string_view name, double seconds) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, value] : rows_)
        if (key == name) {
            value += seconds;
            return;
        }
    rows_.emplace_back(name, seconds);
}

double Profiler::seconds(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, value] : rows_)
        if (key == name)
            return value;
    return 0;
}

std::vector<std::pair<std::string, double>> Profiler::rows() const {
    std::vector<std::pair<std::string, double>> sorted;
    {
        const std::lock_guard lock(mutex_);
        sorted = rows_;
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

std::string Profiler::table() const {
    const double whole = total();
    std::string text =
        " ID |                                          Name | Time (min) | Percentage\n";
    text += std::string(text.size() - 1, '-') + '\n';
    const auto line = [&](const std::string& id, const std::string& name, double seconds) {
        char buffer[160];
        std::snprintf(buffer, sizeof buffer, " %2s | %45s | %10.4f | %10.4f\n", id.c_str(),
                      name.c_str(), seconds / 60, whole > 0 ? seconds / whole * 100 : 0.0);
        text += buffer;
    };
    line("", "Total", whole);
    int id = 1;
    for (const auto& [name, seconds] : rows())
        line(std::to_string(id++), name, seconds);
    return text;
}

} // namespace tilewright::base
