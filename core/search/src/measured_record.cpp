// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/measured_record.h>

#include <tilewright/json/dump.h>
#include <tilewright/json/value.h>

namespace tilewright::search {

void putFailure(database::TuningRecord& record, measure::Status status, std::string message) {
    // Both lists hold the words of the command line's contract.
    record.status = database::recordStatusFromName(measure::toString(status))
                        .value_or(database::RecordStatus::Run);
    record.message = std::move(message);
    record.measurement.seconds = {database::kFailedSeconds};
    record.measurement.full = false;
    record.measurement.present = true;
}

void putResult(database::TuningRecord& record, const measure::BatchResult& result) {
    record.device = result.run.device;
    record.buildSeconds = result.buildSeconds;
    record.runSeconds = result.run.seconds;
    if (result.run.maxRelativeError >= 0)
        record.verified = result.run.verified;
    if (result.run.failure) {
        putFailure(record, result.run.failure->status, result.run.failure->message);
        return;
    }
    std::vector<double> seconds;
    std::vector<double> otherCpu;
    for (const measure::Sample& sample : result.run.samples) {
        seconds.push_back(sample.seconds);
        otherCpu.push_back(sample.otherCpu);
    }
    record.status = database::RecordStatus::Ok;
    record.measurement = database::measurementOf(std::move(seconds));
    record.measurement.otherCpu = std::move(otherCpu);
    record.measurement.full = result.run.fullMeasure;
    record.measurement.present = true;
}

std::string argsInfoJson(const std::vector<measure::ArgInfo>& args) {
    json::Array list;
    for (const measure::ArgInfo& arg : args)
        list.emplace_back(json::Array{json::Value("TENSOR"), json::Value(arg.dtype),
                                      json::Value::array(arg.shape)});
    return json::dump(json::Value(std::move(list)), json::Style::Tvm);
}

} // namespace tilewright::search
