// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/element_type.h>

#include <array>

namespace tilewright::graph {

namespace {

struct Row {
    std::string_view name;
    std::size_t bytes;
    bool real;
};

// In the order of the enumerators.
constexpr std::array<Row, 13> kRows{{{"float32", 4, true},
                                     {"float64", 8, true},
                                     {"float16", 2, true},
                                     {"bfloat16", 2, true},
                                     {"int8", 1, false},
                                     {"int16", 2, false},
                                     {"int32", 4, false},
                                     {"int64", 8, false},
                                     {"uint8", 1, false},
                                     {"uint16", 2, false},
                                     {"uint32", 4, false},
                                     {"uint64", 8, false},
                                     {"bool", 1, false}}};

const Row& row(ElementType type) {
    return kRows.at(static_cast<std::size_t>(type));
}

} // namespace

std::string_view toString(ElementType type) {
    return row(type).name;
}

std::optional<ElementType> elementTypeFromName(std::string_view name) {
    for (std::size_t i = 0; i < kRows.size(); ++i)
        if (kRows[i].name == name)
            return static_cast<ElementType>(i);
    return std::nullopt;
}

std::size_t byteSize(ElementType type) {
    return row(type).bytes;
}

bool isReal(ElementType type) {
    return row(type).real;
}

} // namespace tilewright::graph
