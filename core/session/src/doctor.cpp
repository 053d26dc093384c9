// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/doctor.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/measure/device_runner.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/reference_run.h>
#include <tilewright/op/suite.h>
#include <tilewright/target/host.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sys/statvfs.h>
#include <unistd.h>

namespace tilewright::session {

namespace {

using Checks = std::vector<EnvironmentCheck>;

std::string firstLine(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

std::string sizeText(std::int64_t bytes) {
    if (bytes <= 0)
        return "unknown";
    return bytes >= (1 << 20) ? base::concat(bytes >> 20, " MiB")
                              : base::concat(bytes >> 10, " KiB");
}

void checkCpu(Checks& checks) {
    const target::HostInfo host = target::detectHost();
    checks.push_back({"cpu",
                      CheckState::Ok,
                      base::concat(host.cpuBrand, " (", host.cpuName, "), ", host.physicalCores,
                                   " cores, ", host.logicalCores, " threads"),
                      {}});
    const std::string vectors = host.features.contains("avx512f") ? "AVX-512"
                                : host.features.contains("avx2")  ? "AVX2"
                                : host.features.contains("neon")  ? "NEON"
                                : host.features.contains("v")     ? "RVV"
                                                                  : "";
    const bool fma = host.features.contains("fma") || vectors == "NEON" || vectors == "RVV";
    checks.push_back({"vectors", vectors.empty() || !fma ? CheckState::Warn : CheckState::Ok,
                      vectors.empty() ? "none that the code generator is good at"
                                      : vectors + (fma ? " with FMA" : " without FMA"),
                      vectors.empty() || !fma ? "kernels will be slow on this CPU" : ""});
    checks.push_back({"caches",
                      CheckState::Ok,
                      base::concat("L1d ", sizeText(host.l1DataBytes), ", L2 ",
                                   sizeText(host.l2Bytes), ", L3 ", sizeText(host.l3Bytes)),
                      {}});
}

void checkQuiet(Checks& checks) {
    const std::string governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (governor.empty())
        checks.push_back({"governor", CheckState::Note, "not visible (a virtual machine?)", {}});
    else
        checks.push_back({"governor", governor == "performance" ? CheckState::Ok : CheckState::Warn,
                          governor,
                          governor == "performance"
                              ? ""
                              : "times vary less with: cpupower frequency-set -g performance"});
    double load = 0;
    if (getloadavg(&load, 1) == 1) {
        const int cores = target::detectHost().logicalCores;
        const bool busy = load > 0.5 * cores;
        checks.push_back({"load", busy ? CheckState::Warn : CheckState::Ok,
                          base::concat(std::round(load * 10) / 10, " on ", cores, " threads"),
                          busy ? "other work disturbs measurements" : ""});
    }
    const std::string paranoid = firstLine("/proc/sys/kernel/perf_event_paranoid");
    const bool usable = !paranoid.empty() && std::atoi(paranoid.c_str()) <= 2;
    checks.push_back({"perf", usable ? CheckState::Ok : CheckState::Note,
                      paranoid.empty() ? "no performance counters"
                                       : base::concat("perf_event_paranoid = ", paranoid),
                      usable ? "" : "counters stay empty; everything else works"});
}

/// Builds a small operator and runs it, through the processes that tuning uses.
void checkWorkers(Checks& checks) {
    try {
        const auto operators = op::selectSuite("gmm_128x128x128");
        measure::BuilderSettings settings;
        settings.maxWorkers = 1;
        measure::LocalBuilder builder(settings);
        const measure::BuilderInput input{op::buildSuite(operators.front()).module,
                                          target::hostTarget()};
        const std::vector<measure::BuilderResult> built = builder.build(std::span(&input, 1));
        const bool works = built[0].artifact != nullptr;
        checks.push_back(
            {"builder", works ? CheckState::Ok : CheckState::Fail,
             works ? base::concat("tilewright-builder compiles, LLVM ", codegen::llvmVersion())
                   : built[0].failure->message,
             works ? "" : "tilewright-builder must stand beside tilewright"});
        if (!works)
            return;
        const auto outputs = measure::runOnce(builder, input, {}, 1, 1);
        checks.push_back({"runner", outputs ? CheckState::Ok : CheckState::Fail,
                          outputs ? "tilewright-runner runs kernels" : outputs.error().message,
                          outputs ? "" : "tilewright-runner must stand beside tilewright"});
    } catch (const base::UserError& error) {
        checks.push_back({"workers", CheckState::Fail, error.what(), {}});
    }
}

void checkDisk(Checks& checks, const std::filesystem::path& directory) {
    const std::filesystem::path place =
        directory.empty() ? std::filesystem::temp_directory_path() : directory;
    if (std::error_code unknown; !std::filesystem::is_directory(place, unknown)) {
        checks.push_back({"database", CheckState::Fail,
                          base::concat(place.string(), ": there is no such directory"),
                          "make it, or name one that is there"});
        return;
    }
    const std::filesystem::path scratch = place / base::concat(".tilewright-doctor-", getpid());
    try {
        {
            const database::StoreWriter writer(scratch);
            static_cast<void>(writer.file());
        }
        checks.push_back(
            {"database", CheckState::Ok, base::concat("can be written in ", place.string()), {}});
    } catch (const base::UserError& error) {
        checks.push_back({"database", CheckState::Fail, error.what(),
                          "choose a --work-dir on a local, writable disk"});
    }
    std::error_code error;
    std::filesystem::remove_all(scratch, error);
    struct statvfs disk {};
    if (statvfs(place.c_str(), &disk) == 0) {
        const auto free =
            static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
        const bool little = free < (std::int64_t{1} << 30);
        checks.push_back({"disk", little ? CheckState::Warn : CheckState::Ok,
                          base::concat(sizeText(free), " free in ", place.string()),
                          little ? "a long run may fill it" : ""});
    }
}

std::string findProgram(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::filesystem::path file = std::filesystem::path(rest.substr(0, colon)) / name;
        if (access(file.c_str(), X_OK) == 0)
            return file.string();
        if (colon == std::string_view::npos)
            break;
        rest.remove_prefix(colon + 1);
    }
    return {};
}

void checkExtras(Checks& checks) {
    const std::string qemu = findProgram("qemu-riscv64");
    const std::string qemuStatic = findProgram("qemu-riscv64-static");
    const std::string& found = qemu.empty() ? qemuStatic : qemu;
    checks.push_back({"emulator", found.empty() ? CheckState::Note : CheckState::Ok,
                      found.empty() ? "no qemu-riscv64" : found,
                      found.empty() ? "only needed to try RISC-V without a board" : ""});
    std::error_code error;
    const bool cached = std::filesystem::exists(peaksCacheFile(), error);
    checks.push_back({"peaks", cached ? CheckState::Ok : CheckState::Note,
                      cached ? peaksCacheFile().string() : "not measured yet",
                      cached ? "" : "run: tilewright peaks"});
}

} // namespace

std::string_view toString(CheckState state) {
    switch (state) {
    case CheckState::Ok:
        return "ok";
    case CheckState::Note:
        return "note";
    case CheckState::Warn:
        return "warn";
    case CheckState::Fail:
        return "fail";
    }
    return "ok";
}

std::vector<EnvironmentCheck> examineEnvironment(const std::filesystem::path& directory) {
    Checks checks;
    checkCpu(checks);
    checkQuiet(checks);
    checkWorkers(checks);
    checkDisk(checks, directory);
    checkExtras(checks);
    return checks;
}

std::filesystem::path peaksCacheFile() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    const std::filesystem::path root = cache && *cache
                                           ? std::filesystem::path(cache)
                                           : std::filesystem::path(home ? home : "/tmp") / ".cache";
    return root / "tilewright" / "peaks.json";
}

json::Value toJson(const std::vector<EnvironmentCheck>& checks) {
    json::Array rows;
    bool ok = true;
    for (const EnvironmentCheck& check : checks) {
        ok = ok && check.state != CheckState::Fail;
        json::Object row;
        row.set("name", check.name);
        row.set("state", toString(check.state));
        row.set("found", check.found);
        row.set("advice", check.advice.empty() ? json::Value() : json::Value(check.advice));
        rows.emplace_back(std::move(row));
    }
    json::Object object;
    object.set("schema", "tilewright/doctor/1");
    object.set("ok", ok);
    object.set("checks", std::move(rows));
    return json::Value(std::move(object));
}

} // namespace tilewright::session
