// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/session/doctor.h>

#include <algorithm>
#include <cstdio>

namespace tilewright::cli {

namespace {

int run(const Arguments& arguments) {
    const std::vector<session::EnvironmentCheck> checks =
        session::examineEnvironment(arguments.value("--work-dir"));
    if (arguments.has("--json")) {
        printJson(session::toJson(checks));
    } else {
        for (const session::EnvironmentCheck& check : checks) {
            std::printf("%-5s %-10s %s\n", std::string(session::toString(check.state)).c_str(),
                        check.name.c_str(), check.found.c_str());
            if (!check.advice.empty())
                std::printf("%-5s %-10s   %s\n", "", "", check.advice.c_str());
        }
        std::fflush(stdout);
    }
    const bool failed = std::any_of(checks.begin(), checks.end(), [](const auto& check) {
        return check.state == session::CheckState::Fail;
    });
    return failed ? kDevice : kSuccess;
}

} // namespace

CommandSpec doctorCommand() {
    CommandSpec spec;
    spec.name = "doctor";
    spec.summary = "Examine this machine: is it ready for tuning, and quiet enough";
    OptionSpec place = workDirOption();
    place.help = "Where work directories will be (default: the temporary folder)";
    spec.options = {place, jsonOption()};
    spec.examples = {"tilewright doctor", "tilewright doctor --work-dir . --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
