// SPDX-License-Identifier: Apache-2.0
#include <tilewright/database/record.h>
#include <tilewright/json/scan.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tilewright::database {
namespace {

constexpr std::array<std::string_view, kRecordStatusCount> kStatusNames = {
    "ok",        "apply",   "postproc",    "build",        "build-timeout", "run",
    "run-crash", "run-oom", "run-timeout", "wrong-result", "device-lost",   "cancelled"};

/// Whether a trace in JSON starts with an instruction other than EnterPostproc.
bool hasOwnInstruction(std::string_view trace) {
    std::size_t at = 0;
    for (const char bracket : {'[', '[', '['}) {
        at = json::skipBlanks(trace, at);
        if (at >= trace.size() || trace[at] != bracket)
            return false;
        ++at;
    }
    at = json::skipBlanks(trace, at);
    return !trace.substr(at).starts_with("\"EnterPostproc\"");
}

} // namespace

std::string_view toString(RecordStatus status) {
    return kStatusNames[static_cast<std::size_t>(status)];
}

std::optional<RecordStatus> recordStatusFromName(std::string_view name) {
    const auto* found = std::find(kStatusNames.begin(), kStatusNames.end(), name);
    if (found == kStatusNames.end())
        return std::nullopt;
    return static_cast<RecordStatus>(found - kStatusNames.begin());
}

std::string_view toString(RecordOrigin origin) {
    switch (origin) {
    case RecordOrigin::Trial:
        return "trial";
    case RecordOrigin::Default:
        return "default";
    case RecordOrigin::Imported:
        return "imported";
    case RecordOrigin::Manual:
        return "manual";
    }
    return "trial";
}

Measurement measurementOf(std::vector<double> seconds) {
    Measurement result;
    result.present = true;
    result.seconds = std::move(seconds);
    if (result.seconds.empty())
        return result;
    std::vector<double> sorted = result.seconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    result.median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    std::size_t low = 0;
    if (n >= 6) {
        // The number of samples below the median is binomial(n, 1/2); the normal approximation of
        // its 2.5 % quantile gives the rank of the interval's lower end.
        const double rank = static_cast<double>(n) / 2 - 0.98 * std::sqrt(static_cast<double>(n));
        low = rank > 1 ? static_cast<std::size_t>(rank) - 1 : 0;
    }
    result.low = sorted[low];
    result.high = sorted[n - 1 - low];
    return result;
}

bool isValidRecord(const TuningRecord& record) {
    const auto& seconds = record.measurement.seconds;
    return hasOwnInstruction(record.trace) &&
           std::any_of(seconds.begin(), seconds.end(),
                       [](double s) { return s != kFailedSeconds; });
}

double rankSeconds(const std::vector<double>& seconds) {
    if (seconds.empty())
        return kFailedSeconds;
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) /
           static_cast<double>(seconds.size());
}

} // namespace tilewright::database
