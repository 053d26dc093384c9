// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/database.h>

namespace tilewright::database {
namespace {

/// Kinds that only answer queries.
class QueryDatabase : public Database {
public:
    bool hasWorkload(std::string_view) override { refuse("has_workload"); }
    Workload commitWorkload(std::string_view, std::string_view) override {
        refuse("commit_workload");
    }
    RecordId commitTuningRecord(const TuningRecord&) override { refuse("commit_tuning_record"); }
    std::vector<TuningRecord> getTopK(WorkloadId, int) override { refuse("get_top_k"); }
    std::vector<TuningRecord> getAllTuningRecords() override { refuse("get_all_tuning_records"); }
    std::vector<Workload> getAllWorkloads() override { refuse("dump_pruned"); }
    std::size_t size() override { refuse("size"); }

private:
    [[noreturn]] void refuse(std::string_view what) const {
        throw base::UserError("database-kind", base::concat("a database of kind '", kind(),
                                                            "' answers queries only, not ", what));
    }
};

class UnionDatabase final : public QueryDatabase {
public:
    UnionDatabase(std::vector<std::shared_ptr<Database>> members, bool firstWins)
        : members_(std::move(members)), firstWins_(firstWins) {}

    [[nodiscard]] std::string_view kind() const override {
        return firstWins_ ? "ordered-union" : "union";
    }

    std::optional<TuningRecord> queryTuningRecord(std::string_view module, std::string_view target,
                                                  std::string_view workloadName) override {
        std::optional<TuningRecord> best;
        for (const auto& member : members_) {
            auto answer = member->queryTuningRecord(module, target, workloadName);
            if (!answer)
                continue;
            if (firstWins_)
                return answer;
            if (!best ||
                rankSeconds(answer->measurement.seconds) < rankSeconds(best->measurement.seconds))
                best = std::move(answer);
        }
        return best;
    }

private:
    std::vector<std::shared_ptr<Database>> members_;
    bool firstWins_;
};

class ScheduleFnDatabase final : public QueryDatabase {
public:
    explicit ScheduleFnDatabase(ScheduleFunction function) : function_(std::move(function)) {}

    [[nodiscard]] std::string_view kind() const override { return "schedule-fn"; }

    std::optional<TuningRecord> queryTuningRecord(std::string_view module, std::string_view target,
                                                  std::string_view workloadName) override {
        auto trace = function_(module, target, workloadName);
        if (!trace)
            return std::nullopt;
        TuningRecord record;
        record.trace = std::move(*trace);
        record.target = std::string(target);
        record.origin = RecordOrigin::Manual;
        return record;
    }

private:
    ScheduleFunction function_;
};

} // namespace

std::unique_ptr<Database> makeUnionDatabase(std::vector<std::shared_ptr<Database>> members) {
    return std::make_unique<UnionDatabase>(std::move(members), false);
}

std::unique_ptr<Database> makeOrderedUnionDatabase(std::vector<std::shared_ptr<Database>> members) {
    return std::make_unique<UnionDatabase>(std::move(members), true);
}

std::unique_ptr<Database> makeScheduleFnDatabase(ScheduleFunction function) {
    return std::make_unique<ScheduleFnDatabase>(std::move(function));
}

} // namespace tilewright::database
