// SPDX-License-Identifier: Apache-2.0
#include "memory_database.h"
#include "row_text.h"
#include "sqlite_connection.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/hash.h>
#include <tilewright/database/database.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>

namespace tilewright::database {
namespace {

/// MetaSchedule's interface on a work directory's store.
class SqliteDatabase final : public Database {
public:
    SqliteDatabase(const std::filesystem::path& workDir, ModuleCodec codec, bool readOnly)
        : codec_(codec),
          writer_(readOnly ? nullptr : std::make_unique<StoreWriter>(workDir, codec)),
          reader_(readOnly ? StoreReader(workDir) : StoreReader(writer_->connection())) {}

    [[nodiscard]] std::string_view kind() const override { return "sqlite"; }

    bool hasWorkload(std::string_view module) override { return findWorkload(module).has_value(); }

    Workload commitWorkload(std::string_view module, std::string_view name) override {
        return writer().commitWorkload(module, name);
    }

    RecordId commitTuningRecord(const TuningRecord& record) override {
        return writer().commitRecord(record);
    }

    std::vector<TuningRecord> getTopK(WorkloadId workload, int k) override {
        requireCount(k);
        RecordQuery query = best(workload);
        query.limit = k;
        return reader_.records(query).records;
    }

    std::vector<TuningRecord> getAllTuningRecords() override {
        return reader_.records(whole()).records;
    }

    std::vector<Workload> getAllWorkloads() override { return reader_.workloads(); }

    std::size_t size() override {
        return static_cast<std::size_t>(reader_.countRecords(RecordQuery()));
    }

    std::optional<TuningRecord> queryTuningRecord(std::string_view module, std::string_view target,
                                                  std::string_view) override {
        const auto workload = findWorkload(module);
        if (!workload)
            return std::nullopt;
        const std::string key = target.empty() ? std::string() : targetKey(target);
        std::optional<TuningRecord> answer;
        reader_.forEachRecord(best(*workload), [&](const TuningRecord& record) {
            if (!key.empty() && targetKey(record.target) != key)
                return true;
            answer = record;
            return false;
        });
        return answer;
    }

private:
    static RecordQuery whole() {
        RecordQuery query;
        query.withTrace = true;
        query.withSamples = true;
        return query;
    }

    static RecordQuery best(WorkloadId workload) {
        RecordQuery query = whole();
        query.workload = workload;
        query.order = RecordOrder::Rank;
        query.validOnly = true;
        return query;
    }

    StoreWriter& writer() {
        if (!writer_)
            throw base::UserError("database-readonly", "the database was opened for reading only",
                                  {base::TextLocation{reader_.file().string(), 0, 0}});
        return *writer_;
    }

    std::optional<WorkloadId> findWorkload(std::string_view module) {
        const std::uint64_t hash = codec_.hash ? codec_.hash(module) : base::hashBytes(module);
        for (const Workload& workload : reader_.workloadsWithHash(hash))
            if (!workload.module.empty() &&
                (workload.module == module ||
                 (codec_.equal && codec_.equal(workload.module, module))))
                return workload.id;
        return std::nullopt;
    }

    ModuleCodec codec_;
    std::unique_ptr<StoreWriter> writer_;
    StoreReader reader_;
};

} // namespace

std::unique_ptr<Database> openSqliteDatabase(const std::filesystem::path& workDir,
                                             ModuleCodec codec, bool readOnly) {
    return std::make_unique<SqliteDatabase>(workDir, std::move(codec), readOnly);
}

} // namespace tilewright::database
