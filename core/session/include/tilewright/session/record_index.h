// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record_columns.h>
#include <tilewright/session/statistic.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The records of a store in memory: numbers only, about 90 bytes each, so that a million of them
// can be filtered and sorted while somebody types. Texts, traces and samples stay in the store.

namespace tilewright::session {

/// What the records of a task have in common.
struct RecordTask {
    std::int64_t id = -1;
    std::string name;
    std::string op; ///< as opTag() gives it
    std::int64_t workload = -1;
    double flop = 0;  ///< of one call
    double bytes = 0; ///< compulsory traffic of one call
    double weight = 1;
    /// Whether a rate in FLOP means something: moving data does not count in FLOP.
    [[nodiscard]] bool hasFlop() const { return flop > 1 && flop * 4 > bytes * 0.01; }
};

/// Bits of what people put on a record, and of what follows from all of them.
enum RecordMark : std::uint8_t {
    kMarkStarred = 1,
    kMarkPinned = 2,
    kMarkDeleted = 4,
    kMarkBest = 8, ///< the best of its task and target
    kMarkTagged = 16,
    kMarkNoted = 32,
};

/// An immutable set of records in the order of their ids. A refreshed one shares what did not
/// change. Rows count from 0; times in seconds of one call, NaN = none.
class RecordIndex {
public:
    static constexpr unsigned kChunkBits = 16;
    static constexpr std::size_t kChunkRows = std::size_t{1} << kChunkBits;

    [[nodiscard]] std::size_t size() const { return size_; }
    /// False for the first rows that are shown while the rest is read.
    [[nodiscard]] bool complete() const { return complete_; }
    /// Records of the store, deleted ones too, loaded or not.
    [[nodiscard]] std::int64_t total() const { return total_; }
    [[nodiscard]] std::int64_t deleted() const { return deleted_; }
    [[nodiscard]] std::size_t chunkCount() const { return chunks_.size(); }
    [[nodiscard]] const database::RecordColumns& chunk(std::size_t i) const { return *chunks_[i]; }
    /// Bytes that the columns take.
    [[nodiscard]] std::size_t memoryBytes() const;

    template <class T>
    [[nodiscard]] T at(std::vector<T> database::RecordColumns::*column, std::uint32_t row) const {
        return ((*chunks_[row >> kChunkBits]).*column)[row & (kChunkRows - 1)];
    }
    [[nodiscard]] std::int64_t id(std::uint32_t row) const {
        return at(&database::RecordColumns::id, row);
    }
    [[nodiscard]] database::RecordStatus status(std::uint32_t row) const {
        return static_cast<database::RecordStatus>(at(&database::RecordColumns::status, row));
    }
    [[nodiscard]] std::uint8_t marks(std::uint32_t row) const { return marks_[row]; }
    /// The statistic of a record; min and p95 only after RecordIndexLoader::withStatistic.
    [[nodiscard]] double seconds(std::uint32_t row, Statistic statistic) const;
    [[nodiscard]] bool hasStatistic(Statistic statistic) const;

    [[nodiscard]] std::optional<std::uint32_t> rowOf(std::int64_t id) const;
    /// Null when the record has no task.
    [[nodiscard]] const RecordTask* task(std::uint32_t row) const;
    [[nodiscard]] const std::map<std::int64_t, RecordTask>& tasks() const { return *tasks_; }
    /// Name of the task, else of the workload.
    [[nodiscard]] const std::string& taskName(std::uint32_t row) const;
    [[nodiscard]] const std::string& device(std::uint32_t row) const;
    [[nodiscard]] const std::string& target(std::uint32_t row) const;
    [[nodiscard]] std::span<const std::string> tags(std::uint32_t row) const;
    /// Names of the baselines that are this record.
    [[nodiscard]] std::span<const std::string> pins(std::uint32_t row) const;

private:
    friend class RecordIndexLoader;
    friend class RecordFilter;
    struct WorkloadName {
        std::string name;
        std::string hash;
    };
    void setMarks(database::StoreMarks marks);
    void findBest();

    std::vector<std::shared_ptr<const database::RecordColumns>> chunks_;
    std::size_t size_ = 0;
    bool complete_ = false;
    std::int64_t total_ = 0;
    std::int64_t deleted_ = 0;
    std::int64_t version_ = -1; ///< of the data that this was read from
    std::vector<std::uint8_t> marks_;
    database::StoreMarks storeMarks_;
    std::shared_ptr<const std::map<std::int64_t, RecordTask>> tasks_;
    std::shared_ptr<const std::map<std::int64_t, WorkloadName>> workloads_;
    std::shared_ptr<const std::map<std::int64_t, std::string>> targets_;
    std::vector<std::string> devices_;
    std::array<std::shared_ptr<const std::vector<double>>, 4> statistics_;
};

using RecordIndexPtr = std::shared_ptr<const RecordIndex>;

/// Reads and refreshes an index beside whoever writes. Owned by one thread at a time. Throws
/// UserError naming the file.
class RecordIndexLoader {
public:
    explicit RecordIndexLoader(const std::filesystem::path& workDir);

    /// The best so many ok records that fit a filter (one that does not parse counts as empty).
    [[nodiscard]] RecordIndexPtr firstRows(std::string_view filter, std::size_t limit = 500);
    /// All of them. `progress` may say false to stop; then the answer is not complete.
    [[nodiscard]] RecordIndexPtr
    load(const std::function<bool(std::size_t done, std::size_t total)>& progress = {});
    /// With what was added since and all marks read again; the same pointer when nobody committed
    /// anything. Results that were measured again in place are read for the leaders of each task.
    [[nodiscard]] RecordIndexPtr refresh(const RecordIndexPtr& before);
    /// With one more statistic, which takes reading every sample. `goOn` may say false to stop.
    [[nodiscard]] RecordIndexPtr withStatistic(const RecordIndexPtr& index, Statistic statistic,
                                               const std::function<bool()>& goOn = {});
    /// Ids of records whose text fits a term on traces, notes or messages, ascending.
    [[nodiscard]] std::vector<std::int64_t> matchingTexts(const database::FilterTerm& term,
                                                          const std::function<bool()>& goOn) const;
    [[nodiscard]] const database::StoreReader& store() const { return reader_.store(); }

private:
    void describe(RecordIndex& index) const;
    void finish(RecordIndex& index, bool complete);
    void rereadLeaders(RecordIndex& index);

    database::RecordColumnReader reader_;
};

} // namespace tilewright::session
