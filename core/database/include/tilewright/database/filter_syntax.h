// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The filter language of records (record_query.h shows it) as a tree. One parser serves SQL and
// whoever filters in memory, and says which part of a text is wrong.

namespace tilewright::database {

/// What a term of a filter asks about.
enum class RecordField : std::uint8_t {
    Id,
    Task,
    Op,
    Workload,
    Hash,
    Target,
    Status,
    Origin,
    Error,
    Median,
    Low,
    High,
    Samples,
    Gflops,
    Full,
    Trial,
    Round,
    Session,
    Time, ///< `age` too: its bounds are turned into times
    Device,
    Predicted,
    Build,
    Verified,
    Tag,
    Note,
    Starred,
    Pinned,
    Deleted,
    Trace,
    Best ///< never in a tree, see ParsedFilter::best
};

enum class FilterOp : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Search ///< a regular expression
};

/// One comparison. `numbers` for numeric fields (seconds, ms since 1970, 0 / 1, codes of status and
/// origin), else `texts`: globs in lower case, or one pattern. Several are alternatives; of
/// NotEqual none may fit.
struct FilterTerm {
    RecordField field = RecordField::Task;
    FilterOp op = FilterOp::Equal;
    std::vector<double> numbers;
    std::vector<std::string> texts;
};

struct FilterNode {
    enum class Kind : std::uint8_t { All, Any, Not, Term };
    Kind kind = Kind::All;
    std::vector<FilterNode> parts; ///< of Term none; All of nothing holds for every record
    FilterTerm term;
    std::size_t offset = 0; ///< bytes from the text's begin
    std::size_t length = 0; ///< in bytes
};

struct ParsedFilter {
    FilterNode root;
    std::int64_t best = 0;        ///< of each task keep the first `best` by median; 0 = all
    bool mentionsDeleted = false; ///< else deleted records are left out
};

/// What is wrong with a filter and where, in bytes. The length is 0 where something is missing.
struct FilterProblem {
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string message;
};

/// Parses a filter; `age` counts from `nowMs`.
base::Result<ParsedFilter, FilterProblem> parseFilter(std::string_view filter, std::int64_t nowMs);

/// Whether a text fits a term of a text field, as SQL would say; NotEqual is that none fits.
class TextMatcher {
public:
    explicit TextMatcher(const FilterTerm& term);
    [[nodiscard]] bool operator()(std::string_view text) const;
    /// Whether any of several texts fits (a record's tags).
    [[nodiscard]] bool any(std::span<const std::string> texts) const;

private:
    struct State;
    [[nodiscard]] bool fits(std::string_view text) const;
    std::shared_ptr<const State> state_;
};

/// A part of a filter that stands on its own: all parts together are the filter.
struct FilterChip {
    std::string text;
    std::size_t offset = 0; ///< in bytes
    std::size_t length = 0;
    bool valid = true;
};
/// The parts of a filter; of one that does not parse its words, the wrong one marked.
std::vector<FilterChip> filterChips(std::string_view filter);
/// The filter of several chips.
std::string joinFilterChips(std::span<const std::string> chips);
/// The filter without one of its chips.
std::string withoutFilterChip(std::string_view filter, std::size_t index);

} // namespace tilewright::database
