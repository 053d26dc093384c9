// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace tilewright::cli {

namespace {

int run(const Arguments& arguments) {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    if (!set("DISPLAY") && !set("WAYLAND_DISPLAY") && !set("QT_QPA_PLATFORM"))
        throw base::UserError("device-unavailable",
                              "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); "
                              "'tilewright report DIR' writes a page to look at elsewhere");
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string program = (self.parent_path() / "tilewright-gui").string();
    std::vector<std::string> words{program};
    for (const std::string& file : arguments.values("FILE"))
        words.push_back(file);
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    throw base::UserError("device-unavailable",
                          base::concat(program, " cannot be started (", std::strerror(errno),
                                       "); the window comes in a package of its own, "
                                       "tilewright-gui"));
}

} // namespace

CommandSpec guiCommand() {
    CommandSpec spec;
    spec.name = "gui";
    spec.summary = "Open the window";
    spec.positionals = {{"FILE", "Work directories or models to open", false, true}};
    spec.examples = {"tilewright gui", "tilewright gui work"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
