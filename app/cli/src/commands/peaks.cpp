// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/peaks.h>
#include <tilewright/json/dump.h>
#include <tilewright/session/doctor.h>
#include <tilewright/target/host.h>

#include <cstdio>
#include <fstream>
#include <iostream>

namespace tilewright::cli {

namespace {

std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

json::Value peaksJson(const codegen::MachinePeaks& peaks) {
    json::Array compute;
    for (const codegen::MachinePeaks::Compute& row : peaks.compute) {
        json::Object object;
        object.set("vector_bits", row.vectorBits);
        object.set("gflops", row.gflops);
        compute.emplace_back(std::move(object));
    }
    json::Array read;
    for (const codegen::MachinePeaks::Bandwidth& row : peaks.read) {
        json::Object object;
        object.set("level", row.level);
        object.set("bytes", row.bytes);
        object.set("gb_per_s", row.gigabytes);
        read.emplace_back(std::move(object));
    }
    const target::HostInfo host = target::detectHost();
    json::Object object;
    object.set("schema", "tilewright/peaks/1");
    object.set("cpu", host.cpuBrand);
    object.set("cpu_name", host.cpuName);
    object.set("cores", host.physicalCores);
    object.set("best_gflops", peaks.bestGflops());
    object.set("compute", std::move(compute));
    object.set("read", std::move(read));
    return json::Value(std::move(object));
}

/// Kept for whoever shows rooflines; a cache that cannot be written is no error.
void keep(const json::Value& peaks) {
    const std::filesystem::path file = session::peaksCacheFile();
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    std::ofstream(file) << json::dump(peaks, json::Style::Pretty) << '\n';
}

int run(const Arguments& arguments) {
    const double seconds = arguments.numberOr("--seconds", 1.0);
    if (seconds < 0.1 || seconds > 600)
        throw base::UserError("usage", "--seconds: accepted are 0.1 to 600");
    const auto peaks = codegen::measurePeaks(seconds);
    if (!peaks)
        throw base::UserError(base::Diagnostic("device-unavailable", peaks.error().message));
    const json::Value result = peaksJson(*peaks);
    keep(result);
    if (arguments.has("--json")) {
        printJson(result);
        return kSuccess;
    }
    std::vector<std::vector<std::string>> rows;
    for (const codegen::MachinePeaks::Compute& row : peaks->compute)
        rows.push_back({"multiply-add, " + std::to_string(row.vectorBits) + " bits",
                        rounded(row.gflops), "GFLOP/s"});
    for (const codegen::MachinePeaks::Bandwidth& row : peaks->read)
        rows.push_back({"read from " + row.level, rounded(row.gigabytes), "GB/s"});
    printTable({"one core", "peak", "unit"}, rows);
    return kSuccess;
}

} // namespace

CommandSpec peaksCommand() {
    CommandSpec spec;
    spec.name = "peaks";
    spec.summary = "Measure what a core of this machine reaches: multiply-adds and bandwidth";
    spec.options = {{"--seconds", "S", "Time to spend (default 1)"}, jsonOption()};
    spec.examples = {"tilewright peaks", "tilewright peaks --seconds 5 --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
