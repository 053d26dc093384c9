// SPDX-License-Identifier: Apache-2.0
#include "open_store.h"
#include "row_text.h"

#include <tilewright/base/concat.h>
#include <tilewright/database/record_columns.h>
#include <tilewright/database/work_dir.h>

#include <algorithm>
#include <limits>

namespace tilewright::database {
namespace {

constexpr std::string_view kSelect =
    "SELECT r.id, r.time_ms, r.median_s, r.low_s, r.high_s, r.rank_s, r.predicted, r.build_s, "
    "r.task, r.workload, r.target, r.trial, r.round, r.session, r.n, r.device, r.status, r.origin, "
    "r.complete, r.verified FROM records r ";

double realOr(Statement& row, int column) {
    return row.isNull(column) ? std::numeric_limits<double>::quiet_NaN() : row.real(column);
}

std::int32_t idOr(Statement& row, int column) {
    if (row.isNull(column))
        return -1;
    const std::int64_t value = row.integer(column);
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

} // namespace

void RecordColumns::reserve(std::size_t count) {
    id.reserve(count);
    timeMs.reserve(count);
    for (auto* column : {&median, &low, &high, &mean})
        column->reserve(count);
    for (auto* column : {&predicted, &build})
        column->reserve(count);
    for (auto* column : {&task, &workload, &target, &trial, &round, &session, &samples})
        column->reserve(count);
    device.reserve(count);
    for (auto* column : {&status, &origin, &flags})
        column->reserve(count);
}

/// Turns rows of kSelect into entries of the columns.
class RecordColumnReader::RowReader {
public:
    explicit RowReader(RecordColumnReader& reader) : reader_(reader) {}

    void add(Statement& row, RecordColumns& out) {
        out.id.push_back(row.integer(0));
        out.timeMs.push_back(row.integer(1));
        out.median.push_back(realOr(row, 2));
        out.low.push_back(realOr(row, 3));
        out.high.push_back(realOr(row, 4));
        out.mean.push_back(realOr(row, 5));
        out.predicted.push_back(static_cast<float>(realOr(row, 6)));
        out.build.push_back(static_cast<float>(realOr(row, 7)));
        out.task.push_back(idOr(row, 8));
        out.workload.push_back(idOr(row, 9));
        out.target.push_back(idOr(row, 10));
        out.trial.push_back(idOr(row, 11));
        out.round.push_back(idOr(row, 12));
        out.session.push_back(idOr(row, 13));
        out.samples.push_back(idOr(row, 14));
        out.device.push_back(device(row));
        const std::int64_t status = row.integer(16);
        out.status.push_back(static_cast<std::uint8_t>(
            status >= 0 && status < kRecordStatusCount ? status : int(RecordStatus::Run)));
        out.origin.push_back(static_cast<std::uint8_t>(row.integer(17)));
        std::uint8_t flags = row.integer(18) != 0 ? kRecordFull : 0;
        if (!row.isNull(19))
            flags |= row.integer(19) != 0 ? kRecordChecked | kRecordVerified : kRecordChecked;
        out.flags.push_back(flags);
    }

private:
    std::uint16_t device(Statement& row) {
        if (row.isNull(15))
            return 0;
        const std::string_view name = row.text(15);
        if (name == last_)
            return lastIndex_;
        last_ = name;
        lastIndex_ = 0;
        if (name.empty())
            return 0;
        const auto found = reader_.deviceIndex_.find(name);
        if (found != reader_.deviceIndex_.end()) {
            lastIndex_ = found->second;
        } else if (reader_.devices_.size() < 65535) {
            lastIndex_ = static_cast<std::uint16_t>(reader_.devices_.size());
            reader_.devices_.emplace_back(name);
            reader_.deviceIndex_.emplace(std::string(name), lastIndex_);
        }
        return lastIndex_;
    }

    RecordColumnReader& reader_;
    std::string last_;
    std::uint16_t lastIndex_ = 0;
};

RecordColumnReader::RecordColumnReader(const std::filesystem::path& workDir)
    : connection_(openStoreForReading(storeFile(workDir))) {
    // Large pages of the file are read once from front to back.
    connection_->execute("PRAGMA mmap_size=1073741824");
    store_ = std::make_unique<StoreReader>(*connection_);
}

RecordColumnReader::~RecordColumnReader() = default;

std::int64_t RecordColumnReader::dataVersion() const {
    return connection_->scalar("PRAGMA data_version");
}

std::int64_t RecordColumnReader::lastId() const {
    return connection_->scalar("SELECT coalesce(max(id), 0) FROM records");
}

std::size_t RecordColumnReader::append(RecordColumns& columns, std::int64_t after,
                                       std::size_t limit) {
    Statement& rows =
        connection_->cached(base::concat(kSelect, "WHERE r.id > ?1 ORDER BY r.id LIMIT ?2"));
    rows.bind(1, after).bind(2, static_cast<std::int64_t>(limit));
    RowReader reader(*this);
    const std::size_t before = columns.size();
    while (rows.step())
        reader.add(rows, columns);
    rows.reset();
    return columns.size() - before;
}

RecordColumns RecordColumnReader::rows(std::span<const std::int64_t> ids) {
    RecordColumns columns;
    Statement& row = connection_->cached(base::concat(kSelect, "WHERE r.id = ?1"));
    RowReader reader(*this);
    for (const std::int64_t id : ids) {
        row.bind(1, id);
        if (row.step())
            reader.add(row, columns);
        row.reset();
    }
    return columns;
}

StoreMarks RecordColumnReader::marks() const {
    StoreMarks marks;
    Statement tags(*connection_, "SELECT record, tag FROM tags ORDER BY record, tag");
    while (tags.step())
        marks.tags[tags.integer(0)].push_back(tags.string(1));
    const auto ids = [&](std::string_view sql, std::set<std::int64_t>& out) {
        Statement rows(*connection_, sql);
        while (rows.step())
            out.insert(rows.integer(0));
    };
    ids("SELECT record FROM stars", marks.stars);
    ids("SELECT record FROM notes", marks.noted);
    ids("SELECT record FROM deletions", marks.deleted);
    for (const auto& [name, record] : store_->pins())
        marks.pins[record.value].push_back(name);
    return marks;
}

std::map<std::int64_t, std::string> RecordColumnReader::targets() const {
    std::map<std::int64_t, std::string> texts;
    Statement rows(*connection_, "SELECT id, text FROM targets");
    while (rows.step())
        texts[rows.integer(0)] = rows.string(1);
    return texts;
}

void RecordColumnReader::scanTexts(
    RecordField field,
    const std::function<bool(std::int64_t id, std::string_view text)>& visit) const {
    std::string_view sql = "SELECT record, json FROM traces";
    if (field == RecordField::Note)
        sql = "SELECT record, note FROM notes";
    else if (field == RecordField::Error)
        sql = "SELECT id, message FROM records WHERE status <> 0 AND message IS NOT NULL";
    Statement rows(*connection_, sql);
    while (rows.step())
        if (!visit(rows.integer(0), rows.text(1)))
            return;
}

void RecordColumnReader::scanSamples(
    std::int64_t after,
    const std::function<bool(std::int64_t id, const std::vector<double>&)>& visit) const {
    Statement rows(*connection_,
                   "SELECT record, seconds FROM samples WHERE record > ?1 ORDER BY record");
    rows.bind(1, after);
    while (rows.step())
        if (!visit(rows.integer(0), unpackDoubles(rows.blob(1))))
            return;
}

} // namespace tilewright::database
