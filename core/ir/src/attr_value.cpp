// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/attr_value.h>

#include <tilewright/ir/make.h>

#include <algorithm>

namespace tilewright::ir {

std::int64_t AttrValue::toInt(std::int64_t otherwise) const {
    if (const auto* number = asInt())
        return *number;
    if (const auto* flag = asBool())
        return *flag ? 1 : 0;
    if (const auto* expr = asExpr())
        return constInt(*expr).value_or(otherwise);
    return otherwise;
}

Annotations::Annotations(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries)
        set(entry.first, entry.second);
}

namespace {

auto lowerBound(auto& entries, std::string_view key) {
    return std::lower_bound(entries.begin(), entries.end(), key,
                            [](const auto& entry, std::string_view k) { return entry.first < k; });
}

} // namespace

const AttrValue* Annotations::find(std::string_view key) const {
    const auto it = lowerBound(entries_, key);
    return it != entries_.end() && it->first == key ? &it->second : nullptr;
}

void Annotations::set(std::string_view key, AttrValue value) {
    const auto it = lowerBound(entries_, key);
    if (it != entries_.end() && it->first == key)
        it->second = std::move(value);
    else
        entries_.insert(it, Entry(std::string(key), std::move(value)));
}

bool Annotations::erase(std::string_view key) {
    const auto it = lowerBound(entries_, key);
    if (it == entries_.end() || it->first != key)
        return false;
    entries_.erase(it);
    return true;
}

} // namespace tilewright::ir
