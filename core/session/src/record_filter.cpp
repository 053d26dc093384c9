// SPDX-License-Identifier: Apache-2.0
#include "record_filter.h"

#include <tilewright/session/record_select.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tilewright::session {

namespace {

using database::FilterNode;
using database::FilterOp;
using database::FilterTerm;
using database::RecordColumns;
using database::RecordField;

/// What comparing with a missing value says: nothing fits, as in SQL.
bool holds(double value, FilterOp op, const std::vector<double>& bounds) {
    if (std::isnan(value))
        return false;
    switch (op) {
    case FilterOp::Less:
        return value < bounds.front();
    case FilterOp::LessEqual:
        return value <= bounds.front();
    case FilterOp::Greater:
        return value > bounds.front();
    case FilterOp::GreaterEqual:
        return value >= bounds.front();
    case FilterOp::NotEqual:
        return std::find(bounds.begin(), bounds.end(), value) == bounds.end();
    default:
        return std::find(bounds.begin(), bounds.end(), value) != bounds.end();
    }
}

} // namespace

RecordFilter::RecordFilter(const RecordIndex& index, const RecordIndexLoader* loader,
                           std::function<bool()> goOn)
    : index_(index), loader_(loader), goOn_(std::move(goOn)) {}

std::vector<std::uint8_t> RecordFilter::evaluate(const FilterNode& node) const {
    if (node.kind == FilterNode::Kind::Term)
        return term(node.term);
    if (node.kind == FilterNode::Kind::Not) {
        Mask mask = evaluate(node.parts.front());
        for (std::uint8_t& in : mask)
            in ^= 1;
        return mask;
    }
    const bool all = node.kind == FilterNode::Kind::All;
    Mask mask(index_.size(), all || node.parts.empty() ? 1 : 0);
    for (const FilterNode& part : node.parts) {
        const Mask other = evaluate(part);
        for (std::size_t i = 0; i < mask.size(); ++i)
            mask[i] = all ? mask[i] & other[i] : mask[i] | other[i];
    }
    return mask;
}

template <class Test> RecordFilter::Mask RecordFilter::each(Test test) const {
    Mask mask(index_.size());
    for (std::size_t c = 0; c < index_.chunkCount(); ++c) {
        const RecordColumns& columns = index_.chunk(c);
        std::uint8_t* out = mask.data() + (c << RecordIndex::kChunkBits);
        for (std::size_t i = 0; i < columns.size(); ++i)
            out[i] = test(columns, i) ? 1 : 0;
    }
    return mask;
}

template <class T>
RecordFilter::Mask RecordFilter::column(std::vector<T> RecordColumns::*member,
                                        const FilterTerm& term, bool negativeIsNone) const {
    return each([&](const RecordColumns& columns, std::size_t i) {
        const auto value = static_cast<double>((columns.*member)[i]);
        return !(negativeIsNone && value < 0) && holds(value, term.op, term.numbers);
    });
}

RecordFilter::Mask RecordFilter::term(const FilterTerm& term) const {
    switch (term.field) {
    case RecordField::Trace:
    case RecordField::Note:
    case RecordField::Error:
        return storedTexts(term);
    case RecordField::Tag:
        return tags(term);
    default:
        return term.texts.empty() ? numbers(term) : texts(term);
    }
}

RecordFilter::Mask RecordFilter::numbers(const FilterTerm& term) const {
    const auto marked = [&](std::uint8_t mark) {
        Mask mask(index_.size());
        for (std::uint32_t row = 0; row < mask.size(); ++row)
            mask[row] = holds((index_.marks(row) & mark) != 0, term.op, term.numbers);
        return mask;
    };
    const auto flagged = [&](std::uint8_t flag) {
        return each([&](const RecordColumns& columns, std::size_t i) {
            return holds((columns.flags[i] & flag) != 0, term.op, term.numbers);
        });
    };
    switch (term.field) {
    case RecordField::Id:
        return column(&RecordColumns::id, term, false);
    case RecordField::Status:
        return column(&RecordColumns::status, term, false);
    case RecordField::Origin:
        return column(&RecordColumns::origin, term, false);
    case RecordField::Median:
        return column(&RecordColumns::median, term, false);
    case RecordField::Low:
        return column(&RecordColumns::low, term, false);
    case RecordField::High:
        return column(&RecordColumns::high, term, false);
    case RecordField::Samples:
        return column(&RecordColumns::samples, term, true);
    case RecordField::Trial:
        return column(&RecordColumns::trial, term, true);
    case RecordField::Round:
        return column(&RecordColumns::round, term, true);
    case RecordField::Session:
        return column(&RecordColumns::session, term, true);
    case RecordField::Time:
        return column(&RecordColumns::timeMs, term, false);
    case RecordField::Predicted:
        return column(&RecordColumns::predicted, term, false);
    case RecordField::Build:
        return column(&RecordColumns::build, term, false);
    case RecordField::Full:
        return flagged(database::kRecordFull);
    case RecordField::Verified:
        return flagged(database::kRecordVerified);
    case RecordField::Starred:
        return marked(kMarkStarred);
    case RecordField::Pinned:
        return marked(kMarkPinned);
    case RecordField::Deleted:
        return marked(kMarkDeleted);
    case RecordField::Gflops:
        break;
    default:
        return Mask(index_.size(), 0);
    }
    Mask mask(index_.size());
    for (std::uint32_t row = 0; row < mask.size(); ++row) {
        const RecordTask* task = index_.task(row);
        mask[row] = task && holds(task->flop / index_.at(&RecordColumns::median, row) / 1e9,
                                  term.op, term.numbers);
    }
    return mask;
}

RecordFilter::Mask RecordFilter::texts(const FilterTerm& term) const {
    const database::TextMatcher matches(term);
    // Few texts stand for many records: each is looked at once.
    std::unordered_map<std::int32_t, bool> fits;
    const auto byKey = [&](std::vector<std::int32_t> RecordColumns::*member) {
        // Missing: nothing to compare with, as in SQL, where only != holds for it.
        const bool none = term.op == FilterOp::NotEqual;
        std::int32_t last = -2;
        bool lastFits = false;
        return each([&](const RecordColumns& columns, std::size_t i) {
            const std::int32_t key = (columns.*member)[i];
            if (key != last) {
                const auto found = fits.find(key);
                last = key;
                lastFits = found == fits.end() ? none : found->second;
            }
            return lastFits;
        });
    };
    switch (term.field) {
    case RecordField::Workload:
    case RecordField::Hash:
        for (const auto& [id, workload] : *index_.workloads_)
            fits[static_cast<std::int32_t>(id)] =
                matches(term.field == RecordField::Hash ? workload.hash : workload.name);
        return byKey(&RecordColumns::workload);
    case RecordField::Target:
        for (const auto& [id, text] : *index_.targets_)
            fits[static_cast<std::int32_t>(id)] = matches(text);
        return byKey(&RecordColumns::target);
    case RecordField::Device: {
        std::vector<std::uint8_t> names;
        for (const std::string& name : index_.devices_)
            names.push_back(!name.empty() ? matches(name) : term.op == FilterOp::NotEqual);
        return each([&](const RecordColumns& columns, std::size_t i) {
            return columns.device[i] < names.size() && names[columns.device[i]];
        });
    }
    default:
        for (const auto& [id, task] : index_.tasks())
            fits[static_cast<std::int32_t>(id)] = matches(task.name);
        return byKey(&RecordColumns::task);
    }
}

RecordFilter::Mask RecordFilter::storedTexts(const FilterTerm& term) const {
    Mask mask(index_.size(), 0);
    if (loader_)
        for (const std::int64_t id : loader_->matchingTexts(term, goOn_))
            if (const auto row = index_.rowOf(id))
                mask[*row] = 1;
    if (term.op == FilterOp::NotEqual)
        for (std::uint8_t& in : mask)
            in ^= 1;
    return mask;
}

RecordFilter::Mask RecordFilter::tags(const FilterTerm& term) const {
    FilterTerm positive = term;
    if (positive.op == FilterOp::NotEqual)
        positive.op = FilterOp::Equal;
    const database::TextMatcher matches(positive);
    const bool best = std::find(term.texts.begin(), term.texts.end(), "best") != term.texts.end();
    Mask mask(index_.size(), 0);
    for (std::uint32_t row = 0; row < mask.size(); ++row) {
        const std::uint8_t marks = index_.marks(row);
        bool fits = best && (marks & kMarkBest) != 0;
        if (!fits && (marks & kMarkTagged) != 0)
            fits = matches.any(index_.tags(row));
        mask[row] = fits != (term.op == FilterOp::NotEqual);
    }
    return mask;
}

} // namespace tilewright::session
