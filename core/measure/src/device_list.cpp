// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/device_list.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/json/parse.h>
#include <tilewright/json/value.h>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace tilewright::measure {

namespace {

constexpr std::string_view kSchema = "tilewright/devices/1";

[[noreturn]] void refuse(const std::string& file, std::string message) {
    throw base::ParseError("device-list", std::move(message),
                           std::vector<base::Location>{base::TextLocation{file, 0, 0}});
}

std::string textOf(const std::string& file, std::string_view member, const json::Value& value) {
    if (!value.isString())
        refuse(file, base::concat("devices: ", member, " must be a string"));
    return value.asString();
}

Device parseDevice(const std::string& file, const json::Value& value) {
    if (!value.isObject())
        refuse(file, "each of \"devices\" must be an object with \"key\" and \"command\"");
    Device device;
    for (const json::Member& member : value.asObject()) {
        if (member.key == "key")
            device.key = textOf(file, "key", member.value);
        else if (member.key == "command")
            device.command = textOf(file, "command", member.value);
        else if (member.key == "target")
            device.target = textOf(file, "target", member.value);
        else if (member.key == "description")
            device.description = textOf(file, "description", member.value);
        else if (member.key == "runners") {
            if (member.value.kind() != json::Kind::Int || member.value.asInt() < 1 ||
                member.value.asInt() > 1000)
                refuse(file, "devices: runners must be a number from 1 to 1000");
            device.runners = static_cast<int>(member.value.asInt());
        } else {
            refuse(file,
                   base::concat("devices: unknown member \"", member.key,
                                "\"; accepted are key, command, target, runners, description"));
        }
    }
    if (device.key.empty() || device.command.empty())
        refuse(file, "devices: each needs a key and a command");
    if (device.key == "local" || device.key.find(',') != std::string::npos)
        refuse(file, base::concat("devices: \"", device.key,
                                  "\" is no key: local is this machine, and commas separate keys"));
    return device;
}

} // namespace

Device localDevice() {
    Device device;
    device.key = "local";
    device.target = "host";
    device.description = "this machine";
    return device;
}

std::vector<Device> parseDeviceList(std::string_view text, const std::string& fileName) {
    json::ParseOptions options;
    options.fileName = fileName;
    const json::Value root = json::parse(text, options);
    const json::Value* list = root.isObject() ? root.asObject().find("devices") : nullptr;
    if (list == nullptr || !list->isArray())
        refuse(fileName, base::concat("a device list is an object with \"schema\": \"", kSchema,
                                      "\" and an array \"devices\""));
    if (const json::Value* schema = root.asObject().find("schema");
        schema != nullptr && (!schema->isString() || schema->asString() != kSchema))
        refuse(fileName, base::concat("the accepted schema is \"", kSchema, '"'));
    std::vector<Device> devices;
    for (const json::Value& value : list->asArray()) {
        Device device = parseDevice(fileName, value);
        for (const Device& other : devices)
            if (other.key == device.key)
                refuse(fileName, base::concat("devices: the key \"", device.key, "\" comes twice"));
        devices.push_back(std::move(device));
    }
    return devices;
}

std::string printDeviceList(const std::vector<Device>& devices) {
    json::Array list;
    for (const Device& device : devices) {
        if (device.command.empty())
            continue;
        json::Object object;
        object.set("key", device.key);
        object.set("command", device.command);
        if (!device.target.empty())
            object.set("target", device.target);
        if (device.runners != 1)
            object.set("runners", device.runners);
        if (!device.description.empty())
            object.set("description", device.description);
        list.emplace_back(std::move(object));
    }
    json::Object root;
    root.set("schema", std::string(kSchema));
    root.set("devices", std::move(list));
    return json::dump(json::Value(std::move(root)), json::Style::Pretty) + "\n";
}

std::string defaultDeviceListPath() {
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder != '\0')
        return base::concat(folder, "/tilewright/devices.json");
    const char* home = std::getenv("HOME");
    return base::concat(home != nullptr ? home : "", "/.config/tilewright/devices.json");
}

std::vector<Device> loadDevices(const std::string& path) {
    std::vector<Device> devices{localDevice()};
    const std::string file = path.empty() ? defaultDeviceListPath() : path;
    if (path.empty() && ::access(file.c_str(), F_OK) != 0)
        return devices;
    for (Device& device : parseDeviceList(json::readTextFile(file), file))
        devices.push_back(std::move(device));
    return devices;
}

std::vector<Device> selectDevices(const std::vector<Device>& devices, std::string_view keys) {
    std::vector<Device> selected;
    while (!keys.empty()) {
        const auto comma = keys.find(',');
        const std::string_view key = keys.substr(0, comma);
        keys = comma == std::string_view::npos ? std::string_view{} : keys.substr(comma + 1);
        const auto found = std::find_if(devices.begin(), devices.end(),
                                        [&](const Device& device) { return device.key == key; });
        if (found == devices.end()) {
            std::vector<std::string> known;
            for (const Device& device : devices)
                known.push_back(device.key);
            throw base::UserError("device",
                                  base::concat("there is no device \"", key, "\"; known are ",
                                               base::join(known, ", "),
                                               " (device list: ", defaultDeviceListPath(), ")"));
        }
        selected.push_back(*found);
    }
    return selected;
}

} // namespace tilewright::measure
