// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"
#include "record_argument.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/measure_record.h>
#include <tilewright/session/record_json.h>

#include <iostream>

namespace tilewright::cli {

namespace {

/// A trace in TVM's file form, or a schedule as text.
schedule::Trace readTrace(const std::string& path) {
    const std::string text = readWholeFile(path);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (text[first] == '[' || text[first] == '{'))
        return schedule::Trace::fromJson(json::parse(text, path));
    return schedule::Trace::parsePython(text, path);
}

session::ManualMeasurement readRequest(const Arguments& arguments) {
    session::ManualMeasurement request;
    if (arguments.has("ID") == arguments.has("--task"))
        throw base::UserError("usage", "either ID, or --task with --trace, is required");
    if (arguments.has("ID"))
        request.record = recordArgument(arguments, "ID");
    request.task = arguments.value("--task");
    request.target = arguments.value("--target");
    if (arguments.has("--trace"))
        request.trace = readTrace(arguments.value("--trace"));
    else if (!request.record)
        throw base::UserError("usage", "--trace is required with --task");
    measure::EvaluatorConfig defaults;
    defaults.repeat = 10;
    request.runner.evaluator =
        measure::parseEvaluatorConfig(arguments.value("--evaluator"), defaults);
    if (arguments.has("--device"))
        request.runner.devices = measure::selectDevices(
            measure::loadDevices(arguments.value("--device-list")), arguments.value("--device"));
    else
        request.runner.devices = {measure::localDevice()};
    return request;
}

/// `; record 12 again, which had 3.4 us`; empty for a trace of one's own.
std::string beforeText(const database::StoreReader& reader,
                       const session::ManualMeasurement& request) {
    if (!request.record || request.trace)
        return {};
    const auto old = reader.record(*request.record);
    if (!old)
        return {};
    const std::string had = old->status == database::RecordStatus::Ok
                                ? durationText(session::microseconds(old->measurement.median))
                                : std::string(database::toString(old->status));
    return base::concat("; record ", old->id.value, " again, which had ", had);
}

int run(const Arguments& arguments) {
    const session::ManualMeasurement request = readRequest(arguments);
    const std::string dir = arguments.value("DIR");
    // Opened for reading first: measuring must not make a store where there is none.
    const database::StoreReader reader(dir);
    const std::string before = beforeText(reader, request);
    const database::TuningRecord record = session::measureIn(dir, request);
    const json::Value json = session::recordToJson(record);
    const bool ok = record.status == database::RecordStatus::Ok;
    if (arguments.has("--json")) {
        printJson(json);
    } else if (ok) {
        const auto samples = static_cast<std::int64_t>(record.measurement.seconds.size());
        std::cout << "record " << record.id.value << ": " << durationText(json.at("median_us"))
                  << " (95 % interval " << intervalText(json.at("lo_us"), json.at("hi_us"), samples)
                  << ", n = " << samples << before << ')';
        std::cout << (record.verified ? (*record.verified ? ", verified" : ", WRONG RESULT")
                                      : ", not verified")
                  << '\n';
    } else {
        std::cout << "record " << record.id.value << ": " << database::toString(record.status)
                  << ": " << record.message << '\n';
    }
    if (record.status == database::RecordStatus::DeviceLost)
        return kDevice;
    return ok ? kSuccess : kAnswerIsNo;
}

} // namespace

CommandSpec measureCommand() {
    CommandSpec spec;
    spec.name = "measure";
    spec.summary = "Measure a record again, or a trace edited by hand; stored as a new record";
    spec.positionals = {workDirPositional(), {"ID", "The record to measure again", false}};
    spec.options = {{"--task", "NAME", "The task that --trace is for"},
                    {"--trace", "FILE", "A trace (TVM's file form) or a schedule as text"},
                    {"--target", "TARGET", "Which one, when the task was tuned for several"},
                    {"--evaluator", "SETTINGS", "number=3,repeat=10,min-repeat-ms=100,..."},
                    {"--device", "KEYS", "Devices of the device list, separated by commas"},
                    {"--device-list", "FILE", "A device list in place of the user's own"},
                    jsonOption()};
    spec.examples = {"tilewright measure work 12",
                     "tilewright measure work --task GMM --trace edited.txt",
                     "tilewright measure work 12 --evaluator repeat=30 --json"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
