// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/database/record.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewright::database {

/// A value bound to a parameter of a statement.
using SqlValue = std::variant<std::int64_t, double, std::string>;

/// A filter turned into SQL: a condition over the tables of a record query, with parameters.
struct CompiledFilter {
    std::string condition; ///< empty = everything
    std::vector<SqlValue> parameters;
    bool mentionsDeleted = false;
    std::int64_t best = 0; ///< of each task the first so many by median, as topK; 0 = all
};

/// Compiles a filter over records.
///
///     status=ok and median_us<100 and task~conv
///     task:conv2d* lat<120us status:ok tag:best age<1d trace~vectorize
///     (status:run,build or n<3) not tag:noise
///
/// Terms in a row mean `and`; `or`, `not`, parentheses as usual. `:` and `=` compare text by glob
/// (`*`, `?`) without regard to case and numbers by value, a comma separates alternatives; `~`
/// searches a regular expression (`. * + ? | ( ) [ ] ^ $`); `< <= > >= !=` compare numbers.
/// Durations take ns, us, ms, s (bare: us); ages s, m, h, d, w. `best:5` keeps the best five of
/// each task among those that fit. `starred` alone is `starred:yes`, as of every field that is yes
/// or no; any other bare word is searched in the task's name. `nowMs` is the time that `age` counts from. Errors (kind `filter`) carry the
/// column.
base::Result<CompiledFilter> compileFilter(std::string_view filter, std::int64_t nowMs);

/// A field of the filter language, for help and completion.
struct FilterField {
    std::string_view name;
    std::string_view meaning;
};
std::vector<FilterField> filterFields();

/// `Rank` is MetaSchedule's: mean of run_secs.
enum class RecordOrder : std::uint8_t { Id, Median, Rank, Trial, Time, Task, Status, Predicted };

struct RecordQuery {
    std::string filter;
    std::optional<WorkloadId> workload;
    std::optional<TaskId> task;
    std::optional<SessionId> session;
    RecordOrder order = RecordOrder::Id;
    bool descending = false;
    std::int64_t offset = 0;
    std::int64_t limit = -1; ///< -1 = all
    /// Of each task the first `topK` by median (ok and fully measured only); 0 = all.
    int topK = 0;
    bool validOnly = false; ///< only records that MetaSchedule calls valid
    bool includeDeleted = false;
    bool withTrace = false;
    bool withSamples = false;
};

/// Rows that could not be trusted (their check sum does not fit), left out of the answer.
struct DamagedRow {
    std::string table;
    std::int64_t row = 0;
    std::string reason;
};

struct RecordPage {
    std::vector<TuningRecord> records;
    std::vector<DamagedRow> damaged;
};

} // namespace tilewright::database
