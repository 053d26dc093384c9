// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/device_overview.h>

#include "shell_text.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

namespace tilewright::session {

namespace {

constexpr const char* kTestSchema = "tilewright/device-tests/1";

std::filesystem::path listFile(const DeviceFiles& files) {
    return files.list.empty() ? std::filesystem::path(measure::defaultDeviceListPath())
                              : files.list;
}

std::filesystem::path testFile(const DeviceFiles& files) {
    if (!files.tests.empty())
        return files.tests;
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/')
        return std::filesystem::path(state) / "tilewright" / "device-tests.json";
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home ? home : "/tmp") / ".local/state/tilewright" /
           "device-tests.json";
}

/// Replaces a file as a whole, so that a crash leaves the old or the new one.
void replaceFile(const std::filesystem::path& path, const std::string& text) {
    std::error_code error;
    if (path.has_parent_path())
        std::filesystem::create_directories(path.parent_path(), error);
    const std::filesystem::path fresh = path.string() + ".new";
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (file)
        std::filesystem::rename(fresh, path, error);
    if (!file || error)
        throw base::UserError("not-writable", "the file cannot be written",
                              {base::TextLocation{path.string(), 0, 0}});
}

std::vector<measure::Device> listedDevices(const DeviceFiles& files) {
    const std::filesystem::path path = listFile(files);
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return {};
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return measure::parseDeviceList(text.str(), path.string());
}

StoredDeviceTest parseTest(const json::Value& value) {
    StoredDeviceTest test;
    test.status = value.at("status").asString();
    test.verified = value.at("verified").asBool();
    test.ok = test.status == "ok" && test.verified;
    if (const json::Value* error = value.find("error"); error && error->isString())
        test.message = error->asString();
    if (const json::Value* median = value.find("median_us"); median && median->isNumber())
        test.medianSeconds = median->asDouble() * 1e-6;
    if (const json::Value* trip = value.find("round_trip_ms"); trip && trip->isNumber())
        test.roundTripSeconds = trip->asDouble() * 1e-3;
    if (const json::Value* time = value.find("time_ms"); time && time->isInteger())
        test.timeMs = time->asInt();
    return test;
}

/// Key → the result as it is kept. A damaged file counts as an empty one.
json::Object storedTests(const DeviceFiles& files) {
    std::error_code error;
    if (!std::filesystem::exists(testFile(files), error))
        return {};
    try {
        const json::Value value = json::parseFile(testFile(files));
        const json::Value* tests = value.find("tests");
        return tests && tests->isObject() ? tests->asObject() : json::Object();
    } catch (const base::UserError&) {
        return {};
    }
}

void addRecords(DeviceRow& row, const database::StoreReader& reader) {
    database::RecordQuery query;
    query.filter = base::concat("device:\"", row.device.key, "\"");
    try {
        row.records = reader.countRecords(query);
        if (row.records == 0)
            return;
        database::RecordQuery good = query;
        good.filter += " status:ok";
        row.failed = row.records - reader.countRecords(good);
        query.order = database::RecordOrder::Time;
        query.descending = true;
        query.limit = 1;
        for (const database::TuningRecord& record : reader.records(query).records)
            row.lastSeenMs = record.timeMs;
    } catch (const base::UserError&) {
        row.records = 0; // a key that the filter language cannot say
    }
}

std::string findProgram(const std::string& name) {
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');) {
        const std::string file = base::concat(folder, "/", name);
        if (!folder.empty() && ::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return {};
}

} // namespace

DeviceKind deviceKind(const measure::Device& device) {
    if (device.command.empty())
        return DeviceKind::Local;
    const std::string program = device.command.substr(0, device.command.find(' '));
    const std::string name = program.substr(program.rfind('/') + 1);
    if (name == "ssh")
        return DeviceKind::Ssh;
    return name.starts_with("qemu-") ? DeviceKind::Emulator : DeviceKind::Command;
}

std::vector<DeviceRow> readDevices(const DeviceFiles& files, const std::filesystem::path& workDir) {
    std::vector<measure::Device> devices{measure::localDevice()};
    for (measure::Device& device : listedDevices(files))
        devices.push_back(std::move(device));
    const json::Object tests = storedTests(files);
    std::optional<database::StoreReader> reader;
    std::error_code error;
    if (!workDir.empty() && std::filesystem::exists(database::storeFile(workDir), error))
        reader.emplace(workDir);
    std::vector<DeviceRow> rows;
    for (measure::Device& device : devices) {
        DeviceRow& row = rows.emplace_back();
        row.kind = deviceKind(device);
        row.device = std::move(device);
        if (const json::Value* test = tests.find(row.device.key)) {
            try {
                row.test = parseTest(*test);
            } catch (const base::UserError&) {
                row.test.reset(); // of another version
            }
        }
        if (reader)
            addRecords(row, *reader);
        if (row.test && row.test->ok)
            row.lastSeenMs = std::max(row.lastSeenMs.value_or(0), row.test->timeMs);
    }
    return rows;
}

std::optional<DeviceProblem> checkDevice(const measure::Device& device, const DeviceFiles& files,
                                         bool replace) {
    if (device.key.empty())
        return DeviceProblem{"key", "a device needs a name"};
    if (device.key == measure::localDevice().key)
        return DeviceProblem{"key", "the name 'local' means this machine"};
    if (device.key.find_first_of(", \t\"'") != std::string::npos)
        return DeviceProblem{"key", "a name has no blanks, commas or quotes"};
    for (const measure::Device& known : listedDevices(files))
        if (known.key == device.key && !replace)
            return DeviceProblem{"key",
                                 base::concat("there is a device '", device.key, "' already")};
    if (device.command.empty())
        return DeviceProblem{"command", "a command that starts a runner is needed, such as "
                                        "ssh -T board tilewright-runner"};
    if (device.runners < 1 || device.runners > 1000)
        return DeviceProblem{"runners", "accepted are 1 to 1000"};
    if (device.target.empty())
        return std::nullopt;
    try {
        static_cast<void>(target::parseTarget(device.target));
    } catch (const base::UserError& error) {
        return DeviceProblem{"target", error.diagnostic().message};
    }
    return std::nullopt;
}

void saveDevice(const measure::Device& device, const DeviceFiles& files, bool replace) {
    if (const auto problem = checkDevice(device, files, replace))
        throw base::UserError("usage", base::concat(problem->field, ": ", problem->message));
    std::vector<measure::Device> devices = listedDevices(files);
    const auto known = std::find_if(devices.begin(), devices.end(),
                                    [&](const auto& other) { return other.key == device.key; });
    if (known != devices.end())
        *known = device;
    else
        devices.push_back(device);
    const std::string text = measure::printDeviceList(devices);
    static_cast<void>(measure::parseDeviceList(text, listFile(files).string()));
    replaceFile(listFile(files), text);
}

std::optional<measure::Device> removeDevice(const std::string& key, const DeviceFiles& files) {
    std::vector<measure::Device> devices = listedDevices(files);
    const auto known = std::find_if(devices.begin(), devices.end(),
                                    [&](const auto& device) { return device.key == key; });
    if (known == devices.end())
        return std::nullopt;
    const measure::Device removed = *known;
    devices.erase(known);
    replaceFile(listFile(files), measure::printDeviceList(devices));
    return removed;
}

StoredDeviceTest storeDeviceTest(const json::Value& result, const DeviceFiles& files) {
    json::Value kept = result;
    kept["time_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
    json::Object tests = storedTests(files);
    tests.set(result.at("key").asString(), kept);
    json::Object object;
    object.set("schema", kTestSchema);
    object.set("tests", std::move(tests));
    replaceFile(testFile(files), json::dump(json::Value(std::move(object)), json::Style::Pretty));
    return parseTest(kept);
}

std::optional<measure::Device> riscvEmulator() {
    const bool runner = [] {
        std::error_code error;
        const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
        return !error &&
               std::filesystem::exists(self.parent_path() / "tilewright-runner-riscv64", error);
    }();
    if (findProgram("qemu-riscv64").empty() ||
        (!runner && findProgram("tilewright-runner-riscv64").empty()))
        return std::nullopt;
    measure::Device device;
    device.key = "qemu-rv";
    device.command = "qemu-riscv64 {runner-riscv64}";
    device.target = "riscv64-rvv256 -num-cores=1";
    device.description = "QEMU, RISC-V with vectors: for correctness, its times mean nothing";
    return device;
}

std::string addDeviceCommand(const measure::Device& device) {
    std::string text =
        base::concat("tilewright device add ", device.key, " --command ", inQuotes(device.command));
    if (!device.target.empty())
        text += base::concat(" --target ", inQuotes(device.target));
    if (device.runners != 1)
        text += base::concat(" --runners ", device.runners);
    if (!device.description.empty())
        text += base::concat(" --description ", inQuotes(device.description));
    return text;
}

} // namespace tilewright::session
