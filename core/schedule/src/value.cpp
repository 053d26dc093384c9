// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/value.h>

namespace tilewright::schedule {

std::int64_t Value::toInt(std::int64_t otherwise) const {
    if (const auto* number = asInt())
        return *number;
    if (const auto* truth = asBool())
        return *truth ? 1 : 0;
    return otherwise;
}

double Value::toDouble(double otherwise) const {
    if (const auto* number = asFloat())
        return *number;
    if (const auto* number = asInt())
        return static_cast<double>(*number);
    if (const auto* truth = asBool())
        return *truth ? 1.0 : 0.0;
    return otherwise;
}

bool Value::operator==(const Value& other) const {
    if (data_.index() != other.data_.index())
        return false;
    if (const auto* list = asList())
        return list == other.asList() || *list == *other.asList();
    if (const auto* dict = asDict())
        return dict == other.asDict() || *dict == *other.asDict();
    if (const auto* map = asIndexMap())
        return map == other.asIndexMap() || ir::structuralEqual(*map, *other.asIndexMap());
    return data_ == other.data_;
}

} // namespace tilewright::schedule
