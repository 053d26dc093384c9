// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilewright::schedule {

/// Null: an output without a value (the inferred part of a tile of unknown extent), written `_`.
enum class RvKind : std::uint8_t { Block, Loop, Expr, Null };

/// A random variable: what an instruction gives and later ones take. The k-th one produced in a
/// trace has id k and prints as `b<k>`, `l<k>` or `v<k>`.
struct Rv {
    RvKind kind = RvKind::Block;
    std::int32_t id = -1;
    [[nodiscard]] bool valid() const { return id >= 0; }
    bool operator==(const Rv&) const = default;
};

/// Typed handles, so that a loop is not passed for a block.
template <RvKind Kind> struct TypedRv {
    std::int32_t id = -1;
    TypedRv() = default;
    explicit TypedRv(std::int32_t index) : id(index) {}
    [[nodiscard]] bool valid() const { return id >= 0; }
    operator Rv() const { return Rv{Kind, id}; }
    bool operator==(const TypedRv&) const = default;
};
using BlockRV = TypedRv<RvKind::Block>;
using LoopRV = TypedRv<RvKind::Loop>;
using ExprRV = TypedRv<RvKind::Expr>;

/// A block or a loop.
struct BlockOrLoop {
    Rv rv;
    BlockOrLoop(BlockRV block) : rv(block) {}
    BlockOrLoop(LoopRV loop) : rv(loop) {}
};

/// An input, attribute or decision of an instruction: null, bool, int, float, string, random
/// variable, list, dictionary, or index map.
class Value {
public:
    using List = std::vector<Value>;
    using Dict = std::vector<std::pair<std::string, Value>>; ///< sorted by key

    Value() = default;
    Value(std::nullptr_t) {}
    Value(bool value) : data_(value) {}
    Value(int value) : data_(static_cast<std::int64_t>(value)) {}
    Value(std::int64_t value) : data_(value) {}
    Value(double value) : data_(value) {}
    Value(std::string value) : data_(std::move(value)) {}
    Value(const char* value) : data_(std::string(value)) {}
    Value(Rv value) : data_(value) {}
    template <RvKind Kind> Value(TypedRv<Kind> value) : data_(Rv(value)) {}
    Value(BlockOrLoop value) : data_(value.rv) {}
    Value(List value) : data_(std::make_shared<const List>(std::move(value))) {}
    Value(Dict value) : data_(std::make_shared<const Dict>(std::move(value))) {}
    Value(ir::IndexMap value) : data_(std::make_shared<const ir::IndexMap>(std::move(value))) {}
    /// A list of whatever Value takes.
    template <class Range> static Value list(const Range& range) {
        List items;
        for (const auto& item : range)
            items.emplace_back(item);
        return Value(std::move(items));
    }

    [[nodiscard]] bool isNull() const { return data_.index() == 0; }
    [[nodiscard]] const bool* asBool() const { return std::get_if<bool>(&data_); }
    [[nodiscard]] const std::int64_t* asInt() const { return std::get_if<std::int64_t>(&data_); }
    [[nodiscard]] const double* asFloat() const { return std::get_if<double>(&data_); }
    [[nodiscard]] const std::string* asString() const { return std::get_if<std::string>(&data_); }
    [[nodiscard]] const Rv* asRv() const { return std::get_if<Rv>(&data_); }
    [[nodiscard]] const List* asList() const { return pointee<List>(); }
    [[nodiscard]] const Dict* asDict() const { return pointee<Dict>(); }
    [[nodiscard]] const ir::IndexMap* asIndexMap() const { return pointee<ir::IndexMap>(); }
    /// An int or a bool as 0 / 1; `otherwise` for the rest.
    [[nodiscard]] std::int64_t toInt(std::int64_t otherwise) const;
    /// Any number.
    [[nodiscard]] double toDouble(double otherwise) const;
    /// Equal in kind and value; index maps by structure.
    bool operator==(const Value& other) const;

private:
    template <class T> const T* pointee() const {
        const auto* held = std::get_if<std::shared_ptr<const T>>(&data_);
        return held ? held->get() : nullptr;
    }
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Rv,
                 std::shared_ptr<const List>, std::shared_ptr<const Dict>,
                 std::shared_ptr<const ir::IndexMap>>
        data_;
};

} // namespace tilewright::schedule
