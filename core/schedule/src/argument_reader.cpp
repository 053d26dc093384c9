// SPDX-License-Identifier: Apache-2.0
#include "argument_reader.h"

#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>

#include <limits>

namespace tilewright::schedule {

namespace {

std::string_view kindName(RvKind kind) {
    switch (kind) {
    case RvKind::Block:
        return "block";
    case RvKind::Loop:
        return "loop";
    case RvKind::Null:
    case RvKind::Expr:
        return "number";
    }
    return "nothing";
}

} // namespace

Outcome<SrefId> ArgumentReader::sref(const Value& value, RvKind kind) const {
    const Rv* rv = value.asRv();
    if (!rv)
        return fail("TypeError", base::concat("a ", kindName(kind), " is expected"));
    if (rv->kind != kind)
        return fail("TypeError", base::concat("a ", kindName(kind), " is expected, found a ",
                                              kindName(rv->kind)));
    return schedule_.trySref(*rv);
}

Outcome<SrefId> ArgumentReader::block(std::size_t i) const {
    return sref(input(i), RvKind::Block);
}

Outcome<SrefId> ArgumentReader::loop(std::size_t i) const {
    return sref(input(i), RvKind::Loop);
}

Outcome<SrefId> ArgumentReader::blockOrLoop(std::size_t i) const {
    const Rv* rv = input(i).asRv();
    return sref(input(i), rv && rv->kind == RvKind::Block ? RvKind::Block : RvKind::Loop);
}

Outcome<std::vector<SrefId>> ArgumentReader::loops(std::size_t first) const {
    std::vector<SrefId> result;
    for (std::size_t i = first; i < inputCount(); ++i) {
        TW_ASSIGN(const SrefId id, loop(i));
        result.push_back(id);
    }
    return result;
}

Outcome<std::vector<SrefId>> ArgumentReader::blockList(std::size_t i) const {
    std::vector<SrefId> result;
    if (input(i).isNull())
        return result;
    const auto* list = input(i).asList();
    if (!list)
        return fail("TypeError", "a list of blocks is expected");
    for (const Value& item : *list) {
        TW_ASSIGN(const SrefId id, sref(item, RvKind::Block));
        result.push_back(id);
    }
    return result;
}

Outcome<std::vector<ir::Expr>> ArgumentReader::factors(std::size_t first) const {
    std::vector<ir::Expr> result;
    for (std::size_t i = first; i < inputCount(); ++i) {
        const Value& value = input(i);
        if (value.isNull()) {
            result.emplace_back();
        } else if (const Rv* rv = value.asRv()) {
            TW_ASSIGN(const auto number, schedule_.tryNumber(*rv));
            result.push_back(number ? ir::makeInt(*number) : ir::Expr());
        } else if (const auto* number = value.asInt()) {
            result.push_back(ir::makeInt(*number));
        } else {
            return fail("TypeError", "a factor must be an integer, a variable or None");
        }
    }
    return result;
}

Outcome<int> ArgumentReader::intAttr(std::size_t i) const {
    const Value& value = attr(i);
    if (!value.asInt() && !value.asBool())
        return fail("TypeError", base::concat("attribute ", i, " must be an integer"));
    const std::int64_t number = value.toInt(0);
    if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
        return fail("ValueError", base::concat("attribute ", i, " is out of range: ", number));
    return static_cast<int>(number);
}

Outcome<std::string> ArgumentReader::stringAttr(std::size_t i) const {
    if (const auto* text = attr(i).asString())
        return *text;
    return fail("TypeError", base::concat("attribute ", i, " must be a string"));
}

Outcome<ir::IndexMap> ArgumentReader::mapOf(const Value& value) const {
    if (const auto* map = value.asIndexMap())
        return *map;
    return fail("TypeError", "an index map is expected");
}

} // namespace tilewright::schedule
