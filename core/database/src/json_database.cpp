// SPDX-License-Identifier: Apache-2.0
#include "memory_database.h"
#include "tvm_lines.h"
#include "work_dir_files.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/json/line_writer.h>

#include <algorithm>
#include <map>

namespace tilewright::database {
namespace fs = std::filesystem;
namespace {

/// TVM's pair of files. A workload's index in the file is the number of its line, also where lines
/// could not be read.
class JsonDatabase final : public MemoryDatabase {
public:
    JsonDatabase(const fs::path& workDir, ModuleCodec moduleCodec)
        : MemoryDatabase(std::move(moduleCodec)), workloadFile_(workDir / kTvmWorkloadFile),
          recordFile_(workDir / kTvmRecordFile) {
        load();
    }

    [[nodiscard]] std::string_view kind() const override { return "json"; }

    Workload commitWorkload(std::string_view module, std::string_view name) override {
        if (const Workload* found = findWorkload(module))
            return *found;
        Workload draft{{}, 0, std::string(name), std::string(module), {}};
        draft.hash = codec().hash ? codec().hash(module) : 0;
        const auto line = tvmWorkloadLine(draft, codec(), {});
        if (!line)
            throw base::UserError("database-kind",
                                  "the module cannot be written as TVM's JSON: no converter");
        const Workload added = addWorkload(module, name, *line);
        append(workloadFile_, *line);
        lineOf_[added.id.value] = lines_++;
        return added;
    }

    RecordId commitTuningRecord(const TuningRecord& record) override {
        const RecordId id = MemoryDatabase::commitTuningRecord(record);
        append(recordFile_, tvmRecordLine(lineOf_.at(record.workload.value), record, {}));
        return id;
    }

    std::vector<TuningRecord> getAllTuningRecords() override {
        std::vector<TuningRecord> records = MemoryDatabase::getAllTuningRecords();
        std::stable_sort(
            records.begin(), records.end(), [](const TuningRecord& a, const TuningRecord& b) {
                return rankSeconds(a.measurement.seconds) < rankSeconds(b.measurement.seconds);
            });
        return records;
    }

private:
    static void append(const fs::path& file, std::string_view line) {
        completeLastLine(file);
        json::LineWriter(file, json::LineWriter::Mode::Append).writeText(line);
    }

    void load() {
        std::map<std::int64_t, WorkloadId> byLine;
        if (fs::exists(workloadFile_)) {
            json::LineReader reader(workloadFile_);
            forEachTvmLine(reader, [&](std::string_view text, std::int64_t) {
                std::size_t offset = 0;
                if (auto read = readTvmWorkload(text, offset))
                    byLine[lines_] = take(*read).id;
                ++lines_;
            });
        }
        if (!fs::exists(recordFile_))
            return;
        json::LineReader reader(recordFile_);
        forEachTvmLine(reader, [&](std::string_view text, std::int64_t) {
            for (std::size_t offset = 0; offset < text.size();) {
                const std::size_t before = offset;
                auto read = readTvmRecord(text, offset);
                if (read) {
                    const auto workload = byLine.find(read->workload);
                    if (workload != byLine.end()) {
                        TuningRecord record = recordFromTvm(std::move(*read));
                        record.workload = workload->second;
                        MemoryDatabase::commitTuningRecord(record);
                    }
                } else if (offset == before) {
                    break;
                }
            }
        });
    }

    Workload take(const TvmWorkloadLine& read) {
        std::string module;
        if (codec().fromTvmGraph) {
            try {
                module = codec().fromTvmGraph(read.graph);
            } catch (const base::UserError&) {
                // Kept as it came; its records can still be listed.
            }
        }
        Workload added = addWorkload(module, {}, read.line);
        lineOf_[added.id.value] = lines_;
        return added;
    }

    fs::path workloadFile_;
    fs::path recordFile_;
    std::int64_t lines_ = 0;
    std::map<std::int64_t, std::int64_t> lineOf_;
};

} // namespace

std::unique_ptr<Database> openJsonDatabase(const fs::path& workDir, ModuleCodec codec) {
    fs::create_directories(workDir);
    return std::make_unique<JsonDatabase>(workDir, std::move(codec));
}

} // namespace tilewright::database
