// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/registry.h>

namespace tilewright::measure {

BuilderRegistry builtinBuilders() {
    BuilderRegistry registry("builder");
    registry.add("local", "compiles in child processes on this machine",
                 [](const BuilderSettings& settings) -> std::unique_ptr<Builder> {
                     return std::make_unique<LocalBuilder>(settings);
                 });
    return registry;
}

RunnerRegistry builtinRunners() {
    RunnerRegistry registry("runner");
    registry.add("local", "runs on this machine",
                 [](const RunnerSettings& settings) -> std::unique_ptr<Runner> {
                     return std::make_unique<LocalRunner>(settings);
                 });
    registry.add("rpc", "runs on the devices of the device list",
                 [](const RunnerSettings& settings) -> std::unique_ptr<Runner> {
                     return std::make_unique<DeviceRunner>(settings);
                 });
    return registry;
}

} // namespace tilewright::measure
