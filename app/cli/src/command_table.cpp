// SPDX-License-Identifier: Apache-2.0
// The table of contents of the command line.
#include "command.h"
#include "commands.h"

namespace tilewright::cli {

const std::vector<CommandSpec>& commands() {
    static const std::vector<CommandSpec> table = [] {
        std::vector<CommandSpec> all;
        const auto append = [&](std::vector<CommandSpec> group) {
            for (CommandSpec& spec : group)
                all.push_back(std::move(spec));
        };
        all.push_back(extractCommand());
        all.push_back(tuneCommand());
        append(sessionCommands());
        all.push_back(measureCommand());
        append(recordsCommands());
        all.push_back(showCommand());
        all.push_back(diffCommand());
        all.push_back(compareCommand());
        all.push_back(applyCommand());
        all.push_back(equalCommand());
        all.push_back(spaceCommand());
        all.push_back(featuresCommand());
        all.push_back(benchCommand());
        all.push_back(compileCommand());
        all.push_back(runCommand());
        all.push_back(profileCommand());
        all.push_back(verifyCommand());
        all.push_back(reportCommand());
        append(databaseCommands());
        append(deviceCommands());
        all.push_back(operatorsCommand());
        all.push_back(peaksCommand());
        all.push_back(doctorCommand());
        all.push_back(guiCommand());
        return all;
    }();
    return table;
}

} // namespace tilewright::cli
