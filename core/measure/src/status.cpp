// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/status.h>

namespace tilewright::measure {

std::string_view toString(Status status) {
    switch (status) {
    case Status::Ok:
        return "ok";
    case Status::Apply:
        return "apply";
    case Status::Postproc:
        return "postproc";
    case Status::Build:
        return "build";
    case Status::BuildTimeout:
        return "build-timeout";
    case Status::Run:
        return "run";
    case Status::RunCrash:
        return "run-crash";
    case Status::RunOom:
        return "run-oom";
    case Status::RunTimeout:
        return "run-timeout";
    case Status::WrongResult:
        return "wrong-result";
    case Status::DeviceLost:
        return "device-lost";
    case Status::Cancelled:
        return "cancelled";
    }
    return "run";
}

std::optional<Status> parseStatus(std::string_view word) {
    for (const Status status : kAllStatuses)
        if (toString(status) == word)
            return status;
    return std::nullopt;
}

} // namespace tilewright::measure
