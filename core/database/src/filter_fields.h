// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/filter_syntax.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewright::database {

/// How the values of a field are written.
enum class FieldType : std::uint8_t { Integer, Number, Seconds, Age, Text, Status, Origin, Switch };

/// A name of a field; several names may stand for one field.
struct FieldEntry {
    std::string_view name;
    RecordField field;
    FieldType type;
    std::string_view meaning;
};
std::span<const FieldEntry> fieldEntries();

} // namespace tilewright::database
