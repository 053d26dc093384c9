// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tilewright::json {

enum class Kind : std::uint8_t { Null, Bool, Int, Uint, Double, String, Array, Object };

class Value;
struct Member;

using Array = std::vector<Value>;

/// An object that keeps the order in which its members came. Keys met twice are both kept (so that
/// a text can be written back); look-ups find the last one. Look-up is linear: meant for records,
/// not for dictionaries of thousands of keys.
class Object {
public:
    Object();
    Object(std::initializer_list<Member> members);
    Object(const Object&);
    Object(Object&&) noexcept;
    Object& operator=(const Object&);
    Object& operator=(Object&&) noexcept;
    ~Object();

    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] Value* find(std::string_view key);
    [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }
    /// The member's value, added as null when it is missing.
    Value& operator[](std::string_view key);
    /// Replaces the value of `key`, or adds it at the end.
    void set(std::string_view key, Value value);
    /// Adds at the end without looking for the key; for readers.
    void append(std::string key, Value value);
    bool erase(std::string_view key);
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    void reserve(std::size_t count);

    [[nodiscard]] const Member* begin() const;
    [[nodiscard]] const Member* end() const;
    [[nodiscard]] Member* begin();
    [[nodiscard]] Member* end();

    /// Equal when the same keys have equal values, whatever their order.
    bool operator==(const Object& other) const;

private:
    std::vector<Member> members_;
};

/// The word for a kind in messages: `a string`, `an integer`, …
std::string_view toString(Kind kind);

/// A JSON value. Integers that fit int64 are `Int`, larger ones up to 2⁶⁴−1 are `Uint`; a number
/// written with a point or an exponent is `Double`. `as…` throws ParseError (kind `json-type`) when
/// the value is of another kind, because values come from files that people give us.
class Value {
public:
    Value() = default;
    Value(std::nullptr_t) {}
    Value(bool value) : data_(value) {}
    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Value(T value) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t)) {
            if (value > static_cast<T>(INT64_MAX)) {
                data_ = static_cast<std::uint64_t>(value);
                return;
            }
        }
        data_ = static_cast<std::int64_t>(value);
    }
    Value(double value) : data_(value) {}
    Value(const char* value) : data_(std::string(value)) {}
    Value(std::string_view value) : data_(std::string(value)) {}
    Value(std::string value) : data_(std::move(value)) {}
    Value(Array value) : data_(std::move(value)) {}
    Value(Object value) : data_(std::move(value)) {}
    /// An array of whatever Value takes: `Value::array(shape)`.
    template <class Range> static Value array(const Range& range);

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(data_.index()); }
    [[nodiscard]] bool isNull() const { return kind() == Kind::Null; }
    [[nodiscard]] bool isBool() const { return kind() == Kind::Bool; }
    [[nodiscard]] bool isInteger() const { return kind() == Kind::Int || kind() == Kind::Uint; }
    [[nodiscard]] bool isNumber() const { return isInteger() || kind() == Kind::Double; }
    [[nodiscard]] bool isDouble() const { return kind() == Kind::Double; }
    [[nodiscard]] bool isString() const { return kind() == Kind::String; }
    [[nodiscard]] bool isArray() const { return kind() == Kind::Array; }
    [[nodiscard]] bool isObject() const { return kind() == Kind::Object; }

    [[nodiscard]] bool asBool() const;
    /// An integer that fits int64.
    [[nodiscard]] std::int64_t asInt() const;
    /// An integer of 0 … 2⁶⁴−1.
    [[nodiscard]] std::uint64_t asUint() const;
    /// Any number.
    [[nodiscard]] double asDouble() const;
    [[nodiscard]] const std::string& asString() const;
    [[nodiscard]] const Array& asArray() const;
    [[nodiscard]] Array& asArray();
    [[nodiscard]] const Object& asObject() const;
    [[nodiscard]] Object& asObject();

    /// Member of an object; throws when it is missing or this is no object.
    [[nodiscard]] const Value& at(std::string_view key) const;
    /// Item of an array; throws when the index is out of range or this is no array.
    [[nodiscard]] const Value& at(std::size_t index) const;
    /// Member of an object, or nullptr when it is missing or this is no object.
    [[nodiscard]] const Value* find(std::string_view key) const;
    /// Member of an object, made (an object out of null too) when missing.
    Value& operator[](std::string_view key);
    /// Adds to an array (made out of null too).
    void push(Value value);
    /// Items of an array or members of an object; 0 for the rest.
    [[nodiscard]] std::size_t size() const;

    /// Numbers are equal by value whatever their kind; NaN equals nothing.
    bool operator==(const Value& other) const;

private:
    [[noreturn]] void refuse(std::string_view expected) const;
    std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array,
                 Object>
        data_;
};

struct Member {
    std::string key;
    Value value;
    bool operator==(const Member&) const = default;
};

template <class Range> Value Value::array(const Range& range) {
    Array items;
    for (const auto& item : range)
        items.emplace_back(item);
    return Value(std::move(items));
}

} // namespace tilewright::json
