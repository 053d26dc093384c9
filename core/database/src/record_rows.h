// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sqlite_connection.h"

#include <tilewright/database/record_query.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilewright::database {

/// A record query as SQL.
struct RecordSql {
    std::string from; ///< `FROM … WHERE … ORDER BY … LIMIT …`
    std::vector<SqlValue> parameters;
    bool joinsTrace = false;
    bool joinsSamples = false;
};

/// Throws UserError (kind `filter`) for a filter that does not parse. `ordered` false leaves order
/// and limits away, for counting.
RecordSql recordSql(const RecordQuery& query, bool ordered);

/// Reads rows of a record query, checks their sums, and looks up names and shared texts.
class RecordRows {
public:
    RecordRows(Connection& connection, const RecordQuery& query);
    /// Hands over each sound record until `visit` returns false; adds the others to `damaged`.
    void visit(const std::function<bool(TuningRecord&)>& take, std::vector<DamagedRow>* damaged);

private:
    struct Shared {
        std::string text;
        std::string name;
        std::uint64_t hash = 0;
        bool sound = true;
    };
    bool fill(Statement& row, TuningRecord& record, std::string& problem);
    const Shared& shared(std::map<std::int64_t, Shared>& cache, std::string_view sql,
                         std::int64_t id);

    Connection& connection_;
    RecordSql sql_;
    std::map<std::int64_t, Shared> tasks_;
    std::map<std::int64_t, Shared> workloads_;
    std::map<std::int64_t, Shared> targets_;
    std::map<std::int64_t, Shared> arguments_;
};

} // namespace tilewright::database
