// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/record_index.h>

#include <tilewright/base/concat.h>
#include <tilewright/session/task_text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace tilewright::session {

namespace {

using database::RecordColumns;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const std::string& emptyText() {
    static const std::string empty;
    return empty;
}

bool isRanked(const RecordColumns& columns, std::size_t i, std::uint8_t marks) {
    return columns.status[i] == 0 && (columns.flags[i] & database::kRecordFull) != 0 &&
           !std::isnan(columns.median[i]) && (marks & kMarkDeleted) == 0;
}

std::int64_t groupOf(const RecordColumns& columns, std::size_t i) {
    const std::int64_t task = columns.task[i] >= 0 ? columns.task[i] : -2 - columns.workload[i];
    return task * 4096 + (columns.target[i] + 1) % 4096;
}

template <class T> std::size_t bytesOf(const std::vector<T>& column) {
    return column.capacity() * sizeof(T);
}

} // namespace

std::size_t RecordIndex::memoryBytes() const {
    std::size_t bytes = bytesOf(marks_);
    for (const auto& chunk : chunks_) {
        const RecordColumns& c = *chunk;
        bytes += bytesOf(c.id) + bytesOf(c.timeMs) + bytesOf(c.median) + bytesOf(c.low) +
                 bytesOf(c.high) + bytesOf(c.mean) + bytesOf(c.predicted) + bytesOf(c.build) +
                 bytesOf(c.task) + bytesOf(c.workload) + bytesOf(c.target) + bytesOf(c.trial) +
                 bytesOf(c.round) + bytesOf(c.session) + bytesOf(c.samples) + bytesOf(c.device) +
                 bytesOf(c.status) + bytesOf(c.origin) + bytesOf(c.flags);
    }
    for (const auto& statistic : statistics_)
        bytes += statistic ? bytesOf(*statistic) : 0;
    return bytes;
}

bool RecordIndex::hasStatistic(Statistic statistic) const {
    return statistic == Statistic::Median || statistic == Statistic::Mean ||
           statistics_[static_cast<std::size_t>(statistic)] != nullptr;
}

double RecordIndex::seconds(std::uint32_t row, Statistic statistic) const {
    if (status(row) != database::RecordStatus::Ok)
        return kNone;
    if (statistic == Statistic::Median)
        return at(&RecordColumns::median, row);
    if (statistic == Statistic::Mean)
        return at(&RecordColumns::mean, row);
    const auto& column = statistics_[static_cast<std::size_t>(statistic)];
    return column && row < column->size() ? (*column)[row] : kNone;
}

std::optional<std::uint32_t> RecordIndex::rowOf(std::int64_t wanted) const {
    const auto chunk = std::partition_point(chunks_.begin(), chunks_.end(),
                                            [&](const auto& c) { return c->id.back() < wanted; });
    if (chunk == chunks_.end())
        return std::nullopt;
    const std::vector<std::int64_t>& ids = (*chunk)->id;
    const auto found = std::lower_bound(ids.begin(), ids.end(), wanted);
    if (found == ids.end() || *found != wanted)
        return std::nullopt;
    return static_cast<std::uint32_t>(
        (static_cast<std::size_t>(chunk - chunks_.begin()) << kChunkBits) +
        static_cast<std::size_t>(found - ids.begin()));
}

const RecordTask* RecordIndex::task(std::uint32_t row) const {
    const auto found = tasks_->find(at(&RecordColumns::task, row));
    return found == tasks_->end() ? nullptr : &found->second;
}

const std::string& RecordIndex::taskName(std::uint32_t row) const {
    if (const RecordTask* known = task(row))
        return known->name;
    const auto found = workloads_->find(at(&RecordColumns::workload, row));
    return found == workloads_->end() ? emptyText() : found->second.name;
}

const std::string& RecordIndex::device(std::uint32_t row) const {
    const std::size_t i = at(&RecordColumns::device, row);
    return i < devices_.size() ? devices_[i] : emptyText();
}

const std::string& RecordIndex::target(std::uint32_t row) const {
    const auto found = targets_->find(at(&RecordColumns::target, row));
    return found == targets_->end() ? emptyText() : found->second;
}

std::span<const std::string> RecordIndex::tags(std::uint32_t row) const {
    if ((marks_[row] & kMarkTagged) == 0)
        return {};
    const auto found = storeMarks_.tags.find(id(row));
    return found == storeMarks_.tags.end() ? std::span<const std::string>() : found->second;
}

std::span<const std::string> RecordIndex::pins(std::uint32_t row) const {
    if ((marks_[row] & kMarkPinned) == 0)
        return {};
    const auto found = storeMarks_.pins.find(id(row));
    return found == storeMarks_.pins.end() ? std::span<const std::string>() : found->second;
}

void RecordIndex::setMarks(database::StoreMarks marks) {
    storeMarks_ = std::move(marks);
    marks_.assign(size_, 0);
    deleted_ = static_cast<std::int64_t>(storeMarks_.deleted.size());
    const auto put = [&](std::int64_t record, std::uint8_t mark) {
        if (const auto row = rowOf(record))
            marks_[*row] |= mark;
    };
    for (const std::int64_t record : storeMarks_.stars)
        put(record, kMarkStarred);
    for (const std::int64_t record : storeMarks_.noted)
        put(record, kMarkNoted);
    for (const std::int64_t record : storeMarks_.deleted)
        put(record, kMarkDeleted);
    for (const auto& [record, tags] : storeMarks_.tags)
        put(record, kMarkTagged);
    for (const auto& [record, names] : storeMarks_.pins)
        put(record, kMarkPinned);
}

void RecordIndex::findBest() {
    std::unordered_map<std::int64_t, std::pair<double, std::uint32_t>> best;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        const RecordColumns& columns = *chunks_[c];
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto row = static_cast<std::uint32_t>((c << kChunkBits) + i);
            if (!isRanked(columns, i, marks_[row]))
                continue;
            const auto [it, added] = best.try_emplace(groupOf(columns, i), columns.median[i], row);
            if (!added && columns.median[i] < it->second.first)
                it->second = {columns.median[i], row};
        }
    }
    for (const auto& [group, leader] : best)
        marks_[leader.second] |= kMarkBest;
}

RecordIndexLoader::RecordIndexLoader(const std::filesystem::path& workDir) : reader_(workDir) {}

void RecordIndexLoader::describe(RecordIndex& index) const {
    auto tasks = std::make_shared<std::map<std::int64_t, RecordTask>>();
    for (const database::Task& task : reader_.store().tasks()) {
        RecordTask& entry = (*tasks)[task.id.value];
        entry.id = task.id.value;
        entry.name = task.name;
        entry.op = opTag(task.name);
        entry.workload = task.workload.value;
        entry.flop = task.flop;
        entry.bytes = task.bytes;
        entry.weight = task.weight;
    }
    auto workloads = std::make_shared<std::map<std::int64_t, RecordIndex::WorkloadName>>();
    for (const database::Workload& workload : reader_.store().workloads())
        (*workloads)[workload.id.value] = {workload.name, std::to_string(workload.hash)};
    index.tasks_ = std::move(tasks);
    index.workloads_ = std::move(workloads);
    index.targets_ = std::make_shared<const std::map<std::int64_t, std::string>>(reader_.targets());
}

void RecordIndexLoader::finish(RecordIndex& index, bool complete) {
    index.devices_ = reader_.devices();
    index.complete_ = complete;
    index.size_ = 0;
    for (const auto& chunk : index.chunks_)
        index.size_ += chunk->size();
    index.setMarks(reader_.marks());
    if (complete) {
        index.total_ = static_cast<std::int64_t>(index.size_);
        index.findBest();
    }
}

RecordIndexPtr RecordIndexLoader::firstRows(std::string_view filter, std::size_t limit) {
    auto index = std::make_shared<RecordIndex>();
    describe(*index);
    database::RecordQuery query;
    const auto parsed = database::parseFilter(filter, 0);
    const bool plain = parsed && parsed->best == 0 && parsed->root.length > 0;
    query.filter = plain ? base::concat("(", filter, ") status:ok") : std::string("status:ok");
    query.order = database::RecordOrder::Median;
    query.limit = static_cast<std::int64_t>(limit);
    std::vector<std::int64_t> ids = reader_.store().recordIds(query);
    std::sort(ids.begin(), ids.end());
    auto columns = std::make_shared<RecordColumns>(reader_.rows(ids));
    if (columns->size() > 0)
        index->chunks_.push_back(std::move(columns));
    finish(*index, false);
    index->total_ = reader_.lastId();
    return index;
}

RecordIndexPtr
RecordIndexLoader::load(const std::function<bool(std::size_t done, std::size_t total)>& progress) {
    auto index = std::make_shared<RecordIndex>();
    index->version_ = reader_.dataVersion();
    describe(*index);
    const auto last = static_cast<std::size_t>(reader_.lastId());
    std::int64_t after = 0;
    bool complete = true;
    while (true) {
        auto columns = std::make_shared<RecordColumns>();
        columns->reserve(std::min(RecordIndex::kChunkRows, last + 64));
        const std::size_t added = reader_.append(*columns, after, RecordIndex::kChunkRows);
        if (added == 0)
            break;
        after = columns->id.back();
        index->chunks_.push_back(std::move(columns));
        if (progress && !progress(static_cast<std::size_t>(after), last)) {
            complete = false;
            break;
        }
        if (added < RecordIndex::kChunkRows)
            break;
    }
    finish(*index, complete);
    return index;
}

void RecordIndexLoader::rereadLeaders(RecordIndex& index) {
    constexpr int leaders = 16;
    database::RecordQuery query;
    query.topK = leaders;
    std::vector<std::int64_t> ids = reader_.store().recordIds(query);
    std::map<std::size_t, std::shared_ptr<RecordColumns>> copies;
    for (std::size_t begin = 0; begin < ids.size(); begin += 1000) {
        const auto part =
            std::span(ids).subspan(begin, std::min<std::size_t>(1000, ids.size() - begin));
        const RecordColumns fresh = reader_.rows(part);
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            const auto row = index.rowOf(fresh.id[i]);
            if (!row)
                continue;
            const std::size_t c = *row >> RecordIndex::kChunkBits;
            const std::size_t k = *row & (RecordIndex::kChunkRows - 1);
            const RecordColumns& old = *index.chunks_[c];
            if (old.median[k] == fresh.median[i] && old.samples[k] == fresh.samples[i] &&
                old.flags[k] == fresh.flags[i] && old.status[k] == fresh.status[i])
                continue;
            auto& copy = copies[c];
            if (!copy)
                copy = std::make_shared<RecordColumns>(old);
            copy->median[k] = fresh.median[i];
            copy->low[k] = fresh.low[i];
            copy->high[k] = fresh.high[i];
            copy->mean[k] = fresh.mean[i];
            copy->samples[k] = fresh.samples[i];
            copy->flags[k] = fresh.flags[i];
            copy->status[k] = fresh.status[i];
        }
    }
    for (auto& [c, copy] : copies)
        index.chunks_[c] = std::move(copy);
}

RecordIndexPtr RecordIndexLoader::refresh(const RecordIndexPtr& before) {
    if (!before || !before->complete())
        return load();
    const std::int64_t version = reader_.dataVersion();
    if (version == before->version_)
        return before;
    auto index = std::make_shared<RecordIndex>(*before);
    index->version_ = version;
    describe(*index);
    std::int64_t after = index->chunks_.empty() ? 0 : index->chunks_.back()->id.back();
    while (true) {
        std::shared_ptr<RecordColumns> tail;
        const bool room =
            !index->chunks_.empty() && index->chunks_.back()->size() < RecordIndex::kChunkRows;
        tail = room ? std::make_shared<RecordColumns>(*index->chunks_.back())
                    : std::make_shared<RecordColumns>();
        const std::size_t space = RecordIndex::kChunkRows - tail->size();
        const std::size_t added = reader_.append(*tail, after, space);
        if (added == 0)
            break;
        after = tail->id.back();
        if (room)
            index->chunks_.back() = std::move(tail);
        else
            index->chunks_.push_back(std::move(tail));
        if (added < space)
            break;
    }
    rereadLeaders(*index);
    finish(*index, true);
    for (auto& statistic : index->statistics_)
        if (statistic && statistic->size() < index->size_)
            statistic.reset(); // read again when it is asked for
    return index;
}

RecordIndexPtr RecordIndexLoader::withStatistic(const RecordIndexPtr& index, Statistic statistic,
                                                const std::function<bool()>& goOn) {
    if (index->hasStatistic(statistic))
        return index;
    auto values = std::make_shared<std::vector<double>>(index->size(), kNone);
    const std::size_t chunks = index->chunkCount();
    std::size_t c = 0;
    std::size_t i = 0;
    std::size_t count = 0;
    reader_.scanSamples(0, [&](std::int64_t id, const std::vector<double>& seconds) {
        while (c < chunks && index->chunk(c).id[i] < id) {
            if (++i == index->chunk(c).size()) {
                ++c;
                i = 0;
            }
        }
        if (c == chunks)
            return false;
        if (index->chunk(c).id[i] == id)
            (*values)[(c << RecordIndex::kChunkBits) + i] =
                statisticOf(seconds, statistic).value_or(kNone);
        return ++count % 4096 != 0 || !goOn || goOn();
    });
    auto result = std::make_shared<RecordIndex>(*index);
    result->statistics_[static_cast<std::size_t>(statistic)] = std::move(values);
    return result;
}

std::vector<std::int64_t>
RecordIndexLoader::matchingTexts(const database::FilterTerm& term,
                                 const std::function<bool()>& goOn) const {
    // NotEqual is turned around by the caller: a record without a text has none that fits.
    database::FilterTerm positive = term;
    if (positive.op == database::FilterOp::NotEqual)
        positive.op = database::FilterOp::Equal;
    const database::TextMatcher matches(positive);
    std::vector<std::int64_t> ids;
    std::size_t count = 0;
    reader_.scanTexts(term.field, [&](std::int64_t id, std::string_view text) {
        if (matches(text))
            ids.push_back(id);
        return ++count % 1024 != 0 || !goOn || goOn();
    });
    std::sort(ids.begin(), ids.end());
    return ids;
}

} // namespace tilewright::session
