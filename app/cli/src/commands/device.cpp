// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "checked_target.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/measure/device_list.h>
#include <tilewright/session/device_test.h>
#include <tilewright/session/record_json.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace tilewright::cli {

namespace {

OptionSpec deviceListOption() {
    return {"--device-list", "FILE",
            "A device list in place of the user's own (" + measure::defaultDeviceListPath() + ")"};
}

json::Value deviceJson(const measure::Device& device) {
    json::Object object;
    object.set("schema", "tilewright/device/1");
    object.set("key", device.key);
    object.set("command", device.command);
    object.set("target", device.target.empty() ? json::Value() : json::Value(device.target));
    object.set("runners", device.runners);
    object.set("description", device.description);
    return json::Value(std::move(object));
}

int list(const Arguments& arguments) {
    const std::vector<measure::Device> devices =
        measure::loadDevices(arguments.value("--device-list"));
    std::vector<std::vector<std::string>> rows;
    for (const measure::Device& device : devices) {
        if (arguments.has("--json"))
            printJson(deviceJson(device));
        rows.push_back({device.key, std::to_string(device.runners),
                        device.target.empty() ? "-" : device.target,
                        device.command.empty() ? "(this machine)" : device.command});
    }
    if (!arguments.has("--json"))
        printTable({"key", "runners", "target", "command"}, rows);
    return kSuccess;
}

/// Replaces a file as a whole, so that a crash leaves the old or the new one.
void replaceFile(const std::string& path, const std::string& text) {
    const std::filesystem::path target(path);
    std::error_code error;
    if (target.has_parent_path())
        std::filesystem::create_directories(target.parent_path(), error);
    const std::string fresh = path + ".new";
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (file)
        std::filesystem::rename(fresh, target, error);
    if (!file || error)
        throw base::UserError("not-writable", "the device list cannot be written",
                              {base::TextLocation{path, 0, 0}});
}

int add(const Arguments& arguments) {
    measure::Device device;
    device.key = arguments.value("KEY");
    device.command = requiredOption(arguments, "--command");
    device.target = arguments.value("--target");
    device.runners = static_cast<int>(arguments.integerOr("--runners", 1, 1, 1000));
    device.description = arguments.value("--description");
    if (!device.target.empty())
        static_cast<void>(checkedTarget(device.target));
    const std::string path = arguments.valueOr("--device-list", measure::defaultDeviceListPath());
    std::error_code error;
    std::vector<measure::Device> devices;
    if (std::filesystem::exists(path, error))
        devices = measure::parseDeviceList(readWholeFile(path), path);
    if (device.key == measure::localDevice().key)
        throw base::UserError("usage", "the key 'local' means this machine");
    const auto known = std::find_if(devices.begin(), devices.end(),
                                    [&](const auto& other) { return other.key == device.key; });
    if (known != devices.end() && !arguments.has("--replace"))
        throw base::UserError("usage", base::concat(path, ": there is a device '", device.key,
                                                    "' already; --replace replaces it"));
    if (known != devices.end())
        *known = device;
    else
        devices.push_back(device);
    const std::string text = measure::printDeviceList(devices);
    static_cast<void>(measure::parseDeviceList(text, path)); // names what is not accepted
    replaceFile(path, text);
    if (arguments.has("--json"))
        printJson(deviceJson(device));
    else
        std::cout << "added " << device.key << " to " << path << "; try it with: tilewright device "
                  << "test " << device.key << '\n';
    return kSuccess;
}

int test(const Arguments& arguments) {
    const std::vector<measure::Device> chosen = measure::selectDevices(
        measure::loadDevices(arguments.value("--device-list")), arguments.valueOr("KEY", "local"));
    bool good = true;
    for (const measure::Device& device : chosen) {
        const std::string text = arguments.has("--target") ? arguments.value("--target")
                                 : !device.target.empty()  ? device.target
                                 : device.command.empty()  ? "host -num-cores=1"
                                                           : "";
        if (text.empty())
            throw base::UserError("usage", base::concat("device ", device.key,
                                                        " has no target of its own; give "
                                                        "--target"));
        const session::DeviceTest result = session::testDevice(device, checkedTarget(text));
        good = good && result.ok();
        if (arguments.has("--json")) {
            json::Object object = deviceJson(device).asObject();
            object.set("schema", "tilewright/device-test/1");
            object.set("target", text);
            object.set("status", measure::toString(result.status));
            object.set("error",
                       result.message.empty() ? json::Value() : json::Value(result.message));
            object.set("verified", result.verified);
            object.set("median_us", session::microseconds(result.medianSeconds));
            object.set("round_trip_ms", result.roundTripSeconds * 1e3);
            printJson(json::Value(std::move(object)));
        } else if (result.ok()) {
            std::printf("%s: ok, a 64x64x64 matmul takes %s and is right; %.0f ms with the way "
                        "there\n",
                        device.key.c_str(),
                        durationText(session::microseconds(result.medianSeconds)).c_str(),
                        result.roundTripSeconds * 1e3);
        } else {
            std::cerr << device.key << ": " << measure::toString(result.status) << ": "
                      << result.message << '\n';
        }
    }
    std::fflush(stdout);
    return good ? kSuccess : kDevice;
}

} // namespace

std::vector<CommandSpec> deviceCommands() {
    CommandSpec listSpec;
    listSpec.name = "device list";
    listSpec.summary = "List the devices that candidates can run on";
    listSpec.options = {deviceListOption(), jsonOption()};
    listSpec.examples = {"tilewright device list"};
    listSpec.run = list;

    CommandSpec addSpec;
    addSpec.name = "device add";
    addSpec.summary = "Add a device: a command that starts a runner on it";
    addSpec.positionals = {{"KEY", "The name to mean it by"}};
    addSpec.options = {required({"--command", "COMMAND",
                                 "A shell command; {runner} and {runner-riscv64} are this "
                                 "installation's"}),
                       targetOption(""),
                       {"--runners", "N", "Runners that may work at the same time (default 1)"},
                       {"--description", "TEXT", "For people"},
                       {"--replace", "", "Replace the device of that name"},
                       deviceListOption(),
                       jsonOption()};
    addSpec.examples = {
        "tilewright device add board --command 'ssh board tilewright-runner' "
        "--target 'llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a76 -num-cores=4'",
        "tilewright device add qemu --command 'qemu-riscv64 -cpu rv64,v=true,vlen=256 "
        "-L /usr/riscv64-linux-gnu {runner-riscv64}' "
        "--target 'riscv64-rvv256 -num-cores=1'"};
    addSpec.run = add;

    CommandSpec testSpec;
    testSpec.name = "device test";
    testSpec.summary = "Run a small kernel on a device, verify its result, time it";
    testSpec.positionals = {{"KEY", "Keys, separated by commas (default local)", false}};
    testSpec.options = {targetOption(""), deviceListOption(), jsonOption()};
    testSpec.examples = {"tilewright device test board", "tilewright device test local --json"};
    testSpec.run = test;
    return {listSpec, addSpec, testSpec};
}

} // namespace tilewright::cli
