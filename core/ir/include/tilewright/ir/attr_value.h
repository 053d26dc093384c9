// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tilewright::ir {

/// A value in annotations and function attributes: null, bool, int, float, string, expression,
/// list, or dictionary. Plain ints are untyped (`1` in text); typed literals are expressions.
class AttrValue {
public:
    using List = std::vector<AttrValue>;
    using Dict = std::vector<std::pair<std::string, AttrValue>>;

    AttrValue() = default;
    AttrValue(bool value) : value_(value) {}
    AttrValue(int value) : value_(static_cast<std::int64_t>(value)) {}
    AttrValue(std::int64_t value) : value_(value) {}
    AttrValue(double value) : value_(value) {}
    AttrValue(std::string value) : value_(std::move(value)) {}
    AttrValue(const char* value) : value_(std::string(value)) {}
    AttrValue(Expr value) : value_(std::move(value)) {}
    AttrValue(List value) : value_(std::make_shared<const List>(std::move(value))) {}
    AttrValue(Dict value) : value_(std::make_shared<const Dict>(std::move(value))) {}

    [[nodiscard]] bool isNull() const { return value_.index() == 0; }
    [[nodiscard]] const bool* asBool() const { return std::get_if<bool>(&value_); }
    [[nodiscard]] const std::int64_t* asInt() const { return std::get_if<std::int64_t>(&value_); }
    [[nodiscard]] const double* asFloat() const { return std::get_if<double>(&value_); }
    [[nodiscard]] const std::string* asString() const { return std::get_if<std::string>(&value_); }
    [[nodiscard]] const Expr* asExpr() const { return std::get_if<Expr>(&value_); }
    [[nodiscard]] const List* asList() const {
        const auto* p = std::get_if<std::shared_ptr<const List>>(&value_);
        return p ? p->get() : nullptr;
    }
    [[nodiscard]] const Dict* asDict() const {
        const auto* p = std::get_if<std::shared_ptr<const Dict>>(&value_);
        return p ? p->get() : nullptr;
    }
    /// An int, a bool (0/1) or an IntImm expression as an integer; `otherwise` for anything else.
    [[nodiscard]] std::int64_t toInt(std::int64_t otherwise) const;

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Expr,
                 std::shared_ptr<const List>, std::shared_ptr<const Dict>>
        value_;
};

/// Annotations of a loop or block, attributes of a function: a small map kept sorted by key.
class Annotations {
public:
    using Entry = std::pair<std::string, AttrValue>;
    Annotations() = default;
    Annotations(std::initializer_list<Entry> entries);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// Null when the key is absent.
    [[nodiscard]] const AttrValue* find(std::string_view key) const;
    [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }
    void set(std::string_view key, AttrValue value);
    /// Returns whether the key was present.
    bool erase(std::string_view key);
    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }

private:
    std::vector<Entry> entries_;
};

} // namespace tilewright::ir
