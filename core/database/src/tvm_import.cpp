// SPDX-License-Identifier: Apache-2.0
#include "row_text.h"
#include "sqlite_connection.h"
#include "store_error.h"
#include "tvm_lines.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/hash.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/database/work_dir.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_set>

namespace tilewright::database {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTvmWorkloadSqlite = "database_workload.sqlite";
constexpr const char* kTvmRecordSqlite = "database_tuning_record.sqlite";
constexpr std::size_t kBatch = 1000;

/// A workload line on its way: where it stands, and what became of it.
struct PlacedWorkload {
    std::int64_t line = 0;
    std::optional<WorkloadId> id;
};

class Importer {
public:
    explicit Importer(StoreWriter& writer)
        : writer_(writer),
          knownBefore_(writer.connection().scalar("SELECT coalesce(max(id), 0) FROM records")) {}

    void takeWorkload(base::Result<TvmWorkloadLine> read, const std::string& file,
                      std::int64_t line) {
        placed_.push_back({line, std::nullopt});
        if (!read) {
            skip(file, line, read.error().message);
            return;
        }
        std::string module;
        if (writer_.codec().fromTvmGraph) {
            try {
                module = writer_.codec().fromTvmGraph(read->graph);
            } catch (const std::exception& error) {
                // Kept as it came: another build may read it, and export gives it back.
                report_.unreadableModules.push_back({file, line, error.what()});
            }
        }
        const std::string name = nameOf(module, placed_.size());
        placed_.back().id = writer_.commitTvmWorkload(read->line, module, name).id;
        ++report_.workloads;
    }

    void takeRecord(base::Result<TvmRecordLine> read, const std::string& file, std::int64_t line) {
        if (!read) {
            skip(file, line, read.error().message);
            return;
        }
        const auto index = static_cast<std::uint64_t>(read->workload);
        if (index >= placed_.size()) {
            skip(file, line,
                 base::concat("its workload ", read->workload, " is missing: there are ",
                              placed_.size()));
            return;
        }
        const PlacedWorkload& workload = placed_[index];
        if (!workload.id) {
            skip(file, line,
                 base::concat("its workload (line ", workload.line,
                              " of the workload file) could not be read"));
            return;
        }
        TuningRecord record = recordFromTvm(std::move(*read));
        record.workload = *workload.id;
        if (wasThere(record)) {
            ++report_.duplicates;
            return;
        }
        record.task = taskOf(*workload.id, record.target, index);
        batch_.push_back(std::move(record));
        ++report_.records;
        if (batch_.size() >= kBatch)
            flush();
    }

    void flush() {
        writer_.commitRecords(batch_);
        batch_.clear();
    }

    void skip(const std::string& file, std::int64_t line, std::string reason) {
        report_.skipped.push_back({file, line, std::move(reason)});
    }

    TvmImportReport report() && { return std::move(report_); }

private:
    /// Whether an equal record was there before this import; a file's own repetitions count.
    bool wasThere(const TuningRecord& record) {
        if (knownBefore_ == 0)
            return false;
        if (known_.empty())
            readKnown();
        return known_.contains(keyOf(record));
    }

    /// One number for what makes records equal: 64 bits, so that millions fit in memory.
    static std::uint64_t keyOf(const TuningRecord& record) {
        std::uint64_t key = base::hashBytes(record.trace);
        key = base::hashCombine(key, base::hashBytes(record.target));
        key = base::hashCombine(key, base::hashBytes(packDoubles(record.measurement.seconds)));
        return base::hashCombine(key, static_cast<std::uint64_t>(record.workload.value));
    }

    void readKnown() {
        RecordQuery query;
        query.withTrace = true;
        query.withSamples = true;
        query.includeDeleted = true;
        StoreReader(writer_.connection()).forEachRecord(query, [&](const TuningRecord& record) {
            known_.insert(keyOf(record));
            return true;
        });
    }

    std::string nameOf(const std::string& module, std::size_t number) const {
        if (writer_.codec().nameOf && !module.empty()) {
            try {
                return writer_.codec().nameOf(module);
            } catch (const std::exception&) {
                // A name is a convenience.
            }
        }
        return base::concat("workload_", number - 1);
    }

    TaskId taskOf(WorkloadId workload, const std::string& target, std::size_t index) {
        const auto key = std::pair(workload.value, target);
        if (const auto known = tasks_.find(key); known != tasks_.end())
            return known->second;
        Task task;
        task.workload = workload;
        task.target = target;
        task.name = base::concat("workload_", index);
        Connection& connection = writer_.connection();
        Statement name(connection, "SELECT name FROM workloads WHERE id = ?1");
        if (name.bind(1, workload.value).step() && !name.text(0).empty())
            task.name = name.string(0);
        return tasks_[key] = writer_.commitTask(task);
    }

    StoreWriter& writer_;
    std::int64_t knownBefore_; ///< highest record
    std::unordered_set<std::uint64_t> known_;
    std::vector<PlacedWorkload> placed_;
    std::map<std::pair<std::int64_t, std::string>, TaskId> tasks_;
    std::vector<TuningRecord> batch_;
    TvmImportReport report_;
};

/// Ends a reading that nobody waits for any more; caught where the transaction is given up.
struct GivenUp {};

/// Counts the bytes of the lines that pass.
class ProgressCounter {
public:
    ProgressCounter(const ImportProgress& progress, std::int64_t total)
        : progress_(progress), total_(total) {}
    void pass(std::string_view line) {
        done_ += static_cast<std::int64_t>(line.size()) + 1;
        if (progress_ && !progress_(std::min(done_, total_), total_))
            throw GivenUp{};
    }

private:
    const ImportProgress& progress_;
    std::int64_t total_;
    std::int64_t done_ = 0;
};

void importJson(json::LineReader& workloads, json::LineReader& records, Importer& importer,
                ProgressCounter& counter) {
    const std::string workloadFile = workloads.file().filename().string();
    const std::string recordFile = records.file().filename().string();
    forEachTvmLine(workloads, [&](std::string_view text, std::int64_t number) {
        counter.pass(text);
        // A line that fails stands for one workload, so that the numbers of the others hold.
        for (std::size_t offset = 0; offset < text.size();) {
            auto read = readTvmWorkload(text, offset);
            const bool failed = !read;
            importer.takeWorkload(std::move(read), workloadFile, number);
            if (failed)
                break;
        }
    });
    forEachTvmLine(records, [&](std::string_view text, std::int64_t number) {
        counter.pass(text);
        for (std::size_t offset = 0; offset < text.size();) {
            const std::size_t before = offset;
            auto read = readTvmRecord(text, offset);
            const bool stuck = !read && offset == before;
            importer.takeRecord(std::move(read), recordFile, number);
            if (stuck)
                break;
        }
    });
    importer.flush();
}

void importSqlite(const fs::path& folder, Importer& importer) {
    const fs::path workloadFile = folder / kTvmWorkloadSqlite;
    const fs::path recordFile = folder / kTvmRecordSqlite;
    const auto modeOf = [](const fs::path& file) {
        fs::path log = file;
        log += "-wal";
        return fs::exists(log) ? Connection::Mode::ReadOnly : Connection::Mode::Immutable;
    };
    const auto table = [](Connection& connection, std::string_view sql) {
        try {
            return Statement(connection, sql);
        } catch (const base::InternalError& error) {
            refuseStore("database-foreign", connection.file(),
                        base::concat("not TVM's table: ", error.what()));
        }
    };
    Connection workloads(workloadFile, modeOf(workloadFile));
    Connection records(recordFile, modeOf(recordFile));
    Statement workloadRows = table(workloads, "SELECT shash, mod FROM workload ORDER BY rowid");
    std::int64_t line = 0;
    while (workloadRows.step()) {
        // The file holds more digits than its column's affinity may keep as a number.
        importer.takeWorkload(readTvmWorkload(workloadRows.text(0), workloadRows.text(1)),
                              kTvmWorkloadSqlite, ++line);
    }
    Statement recordRows = table(records, "SELECT workload_index, trace, run_secs, target, "
                                          "args_info FROM tuning_record ORDER BY rowid");
    line = 0;
    const auto textOr = [&](int column) {
        return recordRows.isNull(column) ? std::string("null") : recordRows.string(column);
    };
    while (recordRows.step())
        importer.takeRecord(
            readTvmRecord(recordRows.integer(0), textOr(1), textOr(2), textOr(3), textOr(4)),
            kTvmRecordSqlite, ++line);
    importer.flush();
}

} // namespace

TvmImportReport importTvm(const fs::path& folder, StoreWriter& writer) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        refuseStore("file-read", folder, "there is no such folder to import from");
    const auto there = [&](const char* name) { return fs::exists(folder / name, ignored); };
    Importer importer(writer);
    StoreWriter::Transaction transaction(writer);
    if (!there(kTvmWorkloadFile) && !there(kTvmRecordFile) && there(kTvmWorkloadSqlite) &&
        there(kTvmRecordSqlite)) {
        importSqlite(folder, importer);
    } else {
        json::LineReader workloads(folder / kTvmWorkloadFile);
        json::LineReader records(folder / kTvmRecordFile);
        const ImportProgress nobody;
        ProgressCounter counter(nobody, 0);
        importJson(workloads, records, importer, counter);
    }
    transaction.commit();
    return std::move(importer).report();
}

std::optional<TvmImportReport> importTvmPair(const fs::path& workloadFile,
                                             const fs::path& recordFile, StoreWriter& writer,
                                             const ImportProgress& progress) {
    json::LineReader workloads(workloadFile);
    json::LineReader records(recordFile);
    ProgressCounter counter(progress, static_cast<std::int64_t>(fs::file_size(workloadFile) +
                                                                fs::file_size(recordFile)));
    Importer importer(writer);
    StoreWriter::Transaction transaction(writer);
    try {
        importJson(workloads, records, importer, counter);
    } catch (const GivenUp&) {
        return std::nullopt;
    }
    transaction.commit();
    return std::move(importer).report();
}

} // namespace tilewright::database
