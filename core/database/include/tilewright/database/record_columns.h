// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/filter_syntax.h>
#include <tilewright/database/store_reader.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

/// Bits of RecordColumns::flags.
enum RecordFlag : std::uint8_t {
    kRecordFull = 1,     ///< measured with the full number and repeat
    kRecordChecked = 2,  ///< compared with the reference
    kRecordVerified = 4, ///< and found right
};

/// The numbers of many records, column by column: entry i of each is record i. Durations in
/// seconds, NaN = none; ids and counts -1 = none.
struct RecordColumns {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> timeMs;
    std::vector<double> median;
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> mean; ///< MetaSchedule's rank: the mean of run_secs
    std::vector<float> predicted;
    std::vector<float> build;
    std::vector<std::int32_t> task;
    std::vector<std::int32_t> workload;
    std::vector<std::int32_t> target;
    std::vector<std::int32_t> trial;
    std::vector<std::int32_t> round;
    std::vector<std::int32_t> session;
    std::vector<std::int32_t> samples;
    std::vector<std::uint16_t> device; ///< index of RecordColumnReader::devices
    std::vector<std::uint8_t> status;
    std::vector<std::uint8_t> origin;
    std::vector<std::uint8_t> flags;
    [[nodiscard]] std::size_t size() const { return id.size(); }
    void reserve(std::size_t count);
};

/// What people put on records, of the whole store.
struct StoreMarks {
    std::map<std::int64_t, std::vector<std::string>> tags;
    std::set<std::int64_t> stars;
    std::set<std::int64_t> noted;
    std::set<std::int64_t> deleted;
    std::map<std::int64_t, std::vector<std::string>> pins; ///< record → names of baselines
};

/// Reads the numbers of a million records in about a second: without texts, traces and samples, and
/// without adding up each row's check sum (whoever opens a record reads it with its sum). Owned by
/// one thread. Errors are UserError naming the file.
class RecordColumnReader {
public:
    explicit RecordColumnReader(const std::filesystem::path& workDir);
    ~RecordColumnReader();
    RecordColumnReader(const RecordColumnReader&) = delete;

    /// The store's other contents, through the same connection.
    [[nodiscard]] const StoreReader& store() const { return *store_; }
    /// Grows when somebody else committed something.
    [[nodiscard]] std::int64_t dataVersion() const;
    /// Highest id given to a record so far; 0 = none.
    [[nodiscard]] std::int64_t lastId() const;
    /// Appends up to `limit` records with ids above `after`, in the order of their ids.
    std::size_t append(RecordColumns& columns, std::int64_t after, std::size_t limit);
    /// The given records in the order given; unknown ones are left out.
    RecordColumns rows(std::span<const std::int64_t> ids);
    [[nodiscard]] StoreMarks marks() const;
    /// Target id → its text for people.
    [[nodiscard]] std::map<std::int64_t, std::string> targets() const;
    /// Names that RecordColumns::device counts in; the first is empty.
    [[nodiscard]] const std::vector<std::string>& devices() const { return devices_; }

    /// Hands over id and text of each record that has one (Trace, Note, Error) until `visit` says
    /// false.
    void scanTexts(RecordField field,
                   const std::function<bool(std::int64_t id, std::string_view text)>& visit) const;
    /// Hands over the samples (seconds) of records with ids above `after` until `visit` says false.
    void scanSamples(
        std::int64_t after,
        const std::function<bool(std::int64_t id, const std::vector<double>&)>& visit) const;

private:
    std::unique_ptr<Connection> connection_;
    std::unique_ptr<StoreReader> store_;
    std::vector<std::string> devices_{std::string()};
    std::map<std::string, std::uint16_t, std::less<>> deviceIndex_;
    class RowReader;
};

} // namespace tilewright::database
