// SPDX-License-Identifier: Apache-2.0
#include "record_filter.h"

#include <tilewright/session/record_select.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

namespace tilewright::session {

namespace {

using database::RecordColumns;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kLast = ~std::uint64_t{0};

/// Numbers in an order that unsigned integers have too; missing ones at the end either way.
std::uint64_t sortable(double value, bool descending) {
    if (std::isnan(value))
        return kLast;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t key = (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
    return descending ? ~key : key;
}

struct Entry {
    std::uint64_t key;
    std::uint32_t row;
};

/// Stable, least significant digits first; digits that are the same everywhere cost nothing.
void radixSort(std::vector<Entry>& entries) {
    constexpr unsigned bits = 11;
    constexpr std::size_t buckets = std::size_t{1} << bits;
    std::vector<Entry> other(entries.size());
    for (unsigned shift = 0; shift < 64; shift += bits) {
        std::array<std::size_t, buckets> counts{};
        for (const Entry& entry : entries)
            ++counts[(entry.key >> shift) & (buckets - 1)];
        if (std::find(counts.begin(), counts.end(), entries.size()) != counts.end())
            continue;
        std::size_t sum = 0;
        for (std::size_t& count : counts)
            sum += std::exchange(count, sum);
        for (const Entry& entry : entries)
            other[counts[(entry.key >> shift) & (buckets - 1)]++] = entry;
        entries.swap(other);
    }
}

/// Place of each text in their order.
template <class Texts> std::vector<double> ranksOf(const Texts& texts) {
    const std::set<std::string> sorted(texts.begin(), texts.end());
    std::map<std::string, double> places;
    for (const std::string& text : sorted)
        places.emplace(text, static_cast<double>(places.size()));
    std::vector<double> ranks;
    for (const std::string& text : texts)
        ranks.push_back(text.empty() ? kNone : places[text]);
    return ranks;
}

double lookUp(const std::map<std::int64_t, double>& values, std::int64_t key) {
    const auto found = values.find(key);
    return found == values.end() ? kNone : found->second;
}

/// A task's value by its id, without a search for each record.
class TaskValues {
public:
    template <class ValueOf> TaskValues(const RecordIndex& index, ValueOf valueOf) {
        const auto& tasks = index.tasks();
        const std::size_t size =
            tasks.empty() ? 0 : static_cast<std::size_t>(tasks.rbegin()->first) + 1;
        values_.assign(std::min<std::size_t>(size, 1U << 22), kNone);
        for (const auto& [id, task] : tasks)
            if (id >= 0 && static_cast<std::size_t>(id) < values_.size())
                values_[static_cast<std::size_t>(id)] = valueOf(task);
    }
    double operator[](std::int32_t task) const {
        return task >= 0 && static_cast<std::size_t>(task) < values_.size()
                   ? values_[static_cast<std::size_t>(task)]
                   : kNone;
    }

private:
    std::vector<double> values_;
};

/// Fills the keys of entries for one sort.
class KeyWriter {
public:
    KeyWriter(const RecordIndex& index, const RecordChoice& choice)
        : index_(index), choice_(choice) {}

    void write(const RecordSort& sort, std::vector<Entry>& entries) const {
        switch (sort.key) {
        case RecordKey::Id:
            return column(&RecordColumns::id, sort, entries);
        case RecordKey::Samples:
            return column(&RecordColumns::samples, sort, entries);
        case RecordKey::Round:
            return column(&RecordColumns::round, sort, entries);
        case RecordKey::Trial:
            return column(&RecordColumns::trial, sort, entries);
        case RecordKey::Predicted:
            return column(&RecordColumns::predicted, sort, entries);
        case RecordKey::Session:
            return column(&RecordColumns::session, sort, entries);
        case RecordKey::Time:
            return column(&RecordColumns::timeMs, sort, entries);
        case RecordKey::Status:
            return column(&RecordColumns::status, sort, entries);
        case RecordKey::Latency:
            return all(sort, entries, [this](std::uint32_t row) { return seconds(row); });
        case RecordKey::PlusMinus:
            return all(sort, entries,
                       [this](std::uint32_t row) { return plusMinusOf(index_, row); });
        case RecordKey::Tags:
            return all(sort, entries, [this](std::uint32_t row) {
                const auto count = static_cast<double>(index_.tags(row).size());
                return count + ((index_.marks(row) & kMarkBest) != 0 ? 0.5 : 0.0) > 0 ? count
                                                                                      : kNone;
            });
        case RecordKey::Rate:
        case RecordKey::RoofShare:
        case RecordKey::Delta:
        case RecordKey::Task:
            return byTask(sort, entries);
        case RecordKey::Device:
            return byDevice(sort, entries);
        }
    }

private:
    double seconds(std::uint32_t row) const { return index_.seconds(row, choice_.statistic); }

    template <class ValueOf>
    static void all(const RecordSort& sort, std::vector<Entry>& entries, ValueOf valueOf) {
        for (Entry& entry : entries)
            entry.key = sortable(valueOf(entry.row), sort.descending);
    }
    template <class T>
    void column(std::vector<T> RecordColumns::*member, const RecordSort& sort,
                std::vector<Entry>& entries) const {
        all(sort, entries, [&](std::uint32_t row) {
            const auto value = static_cast<double>(index_.at(member, row));
            return value < 0 ? kNone : value;
        });
    }
    void byTask(const RecordSort& sort, std::vector<Entry>& entries) const {
        if (sort.key == RecordKey::Task) {
            std::vector<std::string> names;
            std::map<std::int64_t, double> ranks;
            for (const auto& [id, task] : index_.tasks())
                names.push_back(task.name);
            const std::vector<double> places = ranksOf(names);
            std::size_t next = 0;
            for (const auto& [id, task] : index_.tasks())
                ranks[id] = places[next++];
            const TaskValues values(index_, [&](const RecordTask& t) { return ranks[t.id]; });
            return all(sort, entries, [&](std::uint32_t row) {
                return values[index_.at(&RecordColumns::task, row)];
            });
        }
        const TaskValues values(index_, [&](const RecordTask& task) {
            return sort.key == RecordKey::Rate        ? (task.hasFlop()   ? task.flop
                                                         : task.bytes > 0 ? task.bytes
                                                                          : kNone)
                   : sort.key == RecordKey::RoofShare ? lookUp(choice_.roofSeconds, task.id)
                                                      : lookUp(choice_.baselineSeconds, task.id);
        });
        all(sort, entries, [&](std::uint32_t row) {
            const double value = values[index_.at(&RecordColumns::task, row)];
            return sort.key == RecordKey::Delta ? seconds(row) / value : value / seconds(row);
        });
    }
    void byDevice(const RecordSort& sort, std::vector<Entry>& entries) const {
        std::map<std::string, double> ranks;
        for (const Entry& entry : entries)
            ranks.try_emplace(index_.device(entry.row), 0);
        double next = 0;
        for (auto& [name, rank] : ranks)
            rank = name.empty() ? kNone : next++;
        all(sort, entries, [&](std::uint32_t row) { return ranks[index_.device(row)]; });
    }

    const RecordIndex& index_;
    const RecordChoice& choice_;
};

/// Of each task keeps the best so many of the rows that are in the mask.
void keepBest(const RecordIndex& index, std::int64_t count, std::vector<std::uint8_t>& mask) {
    using Leader = std::pair<double, std::uint32_t>;
    std::unordered_map<std::int64_t, std::vector<Leader>> leaders;
    const auto limit = static_cast<std::size_t>(count);
    for (std::uint32_t row = 0; row < mask.size(); ++row) {
        if (!mask[row])
            continue;
        mask[row] = 0;
        const double median = index.seconds(row, Statistic::Median);
        if (std::isnan(median) ||
            (index.at(&RecordColumns::flags, row) & database::kRecordFull) == 0)
            continue;
        const std::int64_t task = index.at(&RecordColumns::task, row);
        const std::int64_t group =
            (task >= 0 ? task : -2 - std::int64_t{index.at(&RecordColumns::workload, row)}) * 4096 +
            (index.at(&RecordColumns::target, row) + 1) % 4096;
        std::vector<Leader>& heap = leaders[group];
        heap.emplace_back(median, row);
        std::push_heap(heap.begin(), heap.end());
        if (heap.size() > limit) {
            std::pop_heap(heap.begin(), heap.end());
            heap.pop_back();
        }
    }
    for (const auto& [group, heap] : leaders)
        for (const Leader& leader : heap)
            mask[leader.second] = 1;
}

} // namespace

double plusMinusOf(const RecordIndex& index, std::uint32_t row) {
    return (index.at(&RecordColumns::high, row) - index.at(&RecordColumns::low, row)) / 2;
}

double flopRateOf(const RecordIndex& index, std::uint32_t row, Statistic statistic) {
    const RecordTask* task = index.task(row);
    return task && task->hasFlop() ? task->flop / index.seconds(row, statistic) : kNone;
}

double byteRateOf(const RecordIndex& index, std::uint32_t row, Statistic statistic) {
    const RecordTask* task = index.task(row);
    return task && task->bytes > 0 ? task->bytes / index.seconds(row, statistic) : kNone;
}

RecordCurve recordCurve(const RecordIndex& index, const RecordSelection& selection,
                        Statistic statistic, std::size_t most) {
    RecordCurve curve;
    const std::size_t step = selection.matching.size() / std::max<std::size_t>(most, 1) + 1;
    curve.thinned = static_cast<std::int64_t>(step);
    double best = std::numeric_limits<double>::infinity();
    std::vector<double> seconds;
    for (std::size_t i = 0; i < selection.matching.size(); ++i) {
        const std::uint32_t row = selection.matching[i];
        const double x = static_cast<double>(i + 1);
        const double value = index.seconds(row, statistic);
        if (index.status(row) != database::RecordStatus::Ok) {
            if (i % step == 0)
                curve.failures.push_back({x, index.status(row), index.id(row)});
            continue;
        }
        if (std::isnan(value))
            continue;
        const bool improves = value < best;
        if (improves) {
            best = value;
            curve.best.push_back({x, value, index.id(row)});
        }
        if (i % step == 0 || improves) {
            curve.points.push_back({x, value, index.id(row)});
            seconds.push_back(value);
        }
    }
    if (!curve.best.empty())
        curve.best.push_back({static_cast<double>(selection.matching.size()),
                              curve.best.back().seconds, curve.best.back().id});
    if (!seconds.empty()) {
        const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
        std::nth_element(seconds.begin(), middle, seconds.end());
        curve.median = *middle;
    }
    return curve;
}

RecordSelection selectRecords(const RecordIndex& index, const RecordChoice& choice,
                              const RecordIndexLoader* loader, const std::function<bool()>& goOn) {
    RecordSelection selection;
    selection.total = index.total() - index.deleted();
    const auto parsed = database::parseFilter(choice.filter, choice.nowMs);
    if (!parsed) {
        selection.problem = parsed.error();
        return selection;
    }
    std::vector<std::uint8_t> mask = RecordFilter(index, loader, goOn).evaluate(parsed->root);
    if (!parsed->mentionsDeleted && index.deleted() > 0)
        for (std::uint32_t row = 0; row < mask.size(); ++row)
            mask[row] &= (index.marks(row) & kMarkDeleted) == 0;
    if (parsed->best > 0)
        keepBest(index, parsed->best, mask);
    std::vector<Entry> entries;
    for (std::size_t c = 0; c < index.chunkCount(); ++c) {
        const std::vector<std::uint8_t>& statuses = index.chunk(c).status;
        const std::uint8_t* in = mask.data() + (c << RecordIndex::kChunkBits);
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            if (!in[i])
                continue;
            ++selection.byStatus[statuses[i]];
            selection.matching.push_back(
                static_cast<std::uint32_t>((c << RecordIndex::kChunkBits) + i));
            if ((choice.statuses >> statuses[i] & 1U) != 0)
                entries.push_back(
                    {0, static_cast<std::uint32_t>((c << RecordIndex::kChunkBits) + i)});
        }
    }
    for (const std::int64_t count : selection.byStatus)
        selection.matched += count;
    const KeyWriter keys(index, choice);
    for (auto sort = choice.sort.rbegin(); sort != choice.sort.rend(); ++sort) {
        keys.write(*sort, entries);
        radixSort(entries);
    }
    selection.rows.reserve(entries.size());
    for (const Entry& entry : entries)
        selection.rows.push_back(entry.row);
    return selection;
}

} // namespace tilewright::session
