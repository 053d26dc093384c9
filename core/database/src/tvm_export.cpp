// SPDX-License-Identifier: Apache-2.0
#include "sqlite_connection.h"
#include "store_error.h"
#include "tvm_lines.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/json/line_writer.h>

#include <map>
#include <set>
#include <unistd.h>

namespace tilewright::database {
namespace fs = std::filesystem;
namespace {

/// Writes the pair: workloads as they are first needed, so that an index is a line's number.
class PairWriter {
public:
    PairWriter(const fs::path& workloadFile, const fs::path& recordFile, const ModuleCodec& codec,
               const TvmEra& era, json::LineWriter::Mode mode)
        : codec_(codec), era_(era), workloads_(workloadFile, mode), records_(recordFile, mode) {}

    /// False when the workload has no TVM form.
    bool addWorkload(const Workload& workload) {
        if (index_.contains(workload.id.value))
            return true;
        if (refused_.contains(workload.id.value))
            return false;
        std::optional<std::string> line;
        std::string reason = "it was not imported from TVM, and no converter is there";
        try {
            line = tvmWorkloadLine(workload, codec_, era_);
        } catch (const base::UserError& error) {
            reason = error.diagnostic().message;
        }
        if (!line) {
            refused_.insert(workload.id.value);
            report.skipped.push_back({"workloads", workload.id.value, reason});
            return false;
        }
        workloads_.writeText(*line);
        index_[workload.id.value] = report.workloads++;
        return true;
    }

    [[nodiscard]] bool knows(WorkloadId id) const { return index_.contains(id.value); }

    void addRecord(const TuningRecord& record) {
        const auto index = index_.find(record.workload.value);
        if (index == index_.end())
            return;
        try {
            records_.writeText(tvmRecordLine(index->second, record, era_));
            ++report.records;
        } catch (const base::UserError& error) {
            report.skipped.push_back({"records", record.id.value, error.diagnostic().message});
        }
    }

    void sync() {
        workloads_.sync();
        records_.sync();
    }

    TvmExportReport report;

private:
    const ModuleCodec& codec_;
    TvmEra era_;
    json::LineWriter workloads_;
    json::LineWriter records_;
    std::map<std::int64_t, std::int64_t> index_;
    std::set<std::int64_t> refused_;
};

RecordQuery wholeRecords(RecordQuery query) {
    query.withTrace = true;
    query.withSamples = true;
    return query;
}

void writeAll(const StoreReader& reader, const RecordQuery& query, PairWriter& pair) {
    for (const Workload& workload : reader.workloads())
        pair.addWorkload(workload);
    std::vector<DamagedRow> damaged;
    reader.forEachRecord(
        wholeRecords(query),
        [&](const TuningRecord& record) {
            pair.addRecord(record);
            return true;
        },
        &damaged);
    for (DamagedRow& row : damaged)
        pair.report.skipped.push_back({row.table, row.row, std::move(row.reason)});
}

} // namespace

TvmExportReport exportTvm(const StoreReader& reader, const ModuleCodec& codec,
                          const fs::path& folder, const TvmExportOptions& options) {
    const TvmEra era = tvmEraOf(options.era);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        refuseStore("not-writable", folder,
                    base::concat("the folder cannot be made: ", error.message()));
    for (const char* name : {kTvmWorkloadFile, kTvmRecordFile})
        if (fs::exists(folder / name, error))
            refuseStore("file-exists", folder / name,
                        "the file is there already and is not overwritten");
    PairWriter pair(folder / kTvmWorkloadFile, folder / kTvmRecordFile, codec, era,
                    json::LineWriter::Mode::Truncate);
    writeAll(reader, options.query, pair);
    pair.sync();
    if (pair.report.records == 0 && !pair.report.skipped.empty()) {
        for (const char* name : {kTvmWorkloadFile, kTvmRecordFile})
            fs::remove(folder / name, error);
        const SkippedLine& first = pair.report.skipped.front();
        refuseStore("tvm-json", reader.file(),
                    base::concat("no record can be written for TVM ",
                                 options.era.empty() ? "(newest)" : options.era, ": ", first.file,
                                 ' ', first.line, ": ", first.reason));
    }
    return std::move(pair.report);
}

struct TvmPairMirror::State {
    StoreWriter& writer;
    StoreReader reader;
    std::unique_ptr<PairWriter> pair;
    std::int64_t lastRecord = 0;
};

TvmPairMirror::TvmPairMirror(StoreWriter& writer, std::string era)
    : state_(new State{writer, StoreReader(writer.connection()), nullptr, 0}) {
    const fs::path dir = writer.workDir();
    const auto fresh = [&](const char* name) { return dir / base::concat(name, ".new"); };
    // The files keep their descriptors when they get their final names.
    state_->pair =
        std::make_unique<PairWriter>(fresh(kTvmWorkloadFile), fresh(kTvmRecordFile), writer.codec(),
                                     tvmEraOf(era), json::LineWriter::Mode::Truncate);
    update();
    state_->pair->sync();
    for (const char* name : {kTvmWorkloadFile, kTvmRecordFile})
        fs::rename(fresh(name), dir / name);
}

TvmPairMirror::~TvmPairMirror() = default;

void TvmPairMirror::update() {
    RecordQuery query;
    query.filter = base::concat("id>", state_->lastRecord);
    state_->reader.forEachRecord(wholeRecords(query), [&](const TuningRecord& record) {
        if (!state_->pair->knows(record.workload))
            if (const auto workload = state_->reader.workload(record.workload))
                state_->pair->addWorkload(*workload);
        state_->pair->addRecord(record);
        state_->lastRecord = record.id.value;
        return true;
    });
}

} // namespace tilewright::database
