// SPDX-License-Identifier: Apache-2.0
#include "exit_code.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilewright::cli {

namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view kind) {
    return std::find(list.begin(), list.end(), kind) != list.end();
}

constexpr std::array<std::string_view, 22> kUsageKinds = {
    "usage",          "target",          "UnknownOperator", "InvalidParameter",
    "missing-shape",  "evaluator",       "unknown-kind",    "strategy",
    "task-scheduler", "mutator",         "rules",           "filter",
    "database-kind",  "cost-model-kind", "shape-mismatch",  "device",
    "equality",       "option",          "space",           "era",
    "file-exists",    "database-record"};
constexpr std::array<std::string_view, 3> kDeviceKinds = {"device-lost", "device-unavailable",
                                                          "session-unreachable"};
constexpr std::array<std::string_view, 4> kSpaceKinds = {"disk-full", "not-writable",
                                                         "database-readonly", "file-write"};

} // namespace

int exitCodeOf(const base::Diagnostic& diagnostic, int otherwise) {
    const std::string_view kind = diagnostic.kind;
    if (contains(kUsageKinds, kind))
        return kUsage;
    if (contains(kDeviceKinds, kind))
        return kDevice;
    if (contains(kSpaceKinds, kind))
        return kNoSpace;
    if (kind.starts_with("database"))
        return kDatabase;
    return otherwise;
}

} // namespace tilewright::cli
