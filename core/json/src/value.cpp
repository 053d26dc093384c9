// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/value.h>

#include <algorithm>

namespace tilewright::json {

Object::Object() = default;
Object::Object(std::initializer_list<Member> members) : members_(members) {}
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

const Value* Object::find(std::string_view key) const {
    for (auto member = members_.rbegin(); member != members_.rend(); ++member)
        if (member->key == key)
            return &member->value;
    return nullptr;
}

Value* Object::find(std::string_view key) {
    return const_cast<Value*>(std::as_const(*this).find(key));
}

Value& Object::operator[](std::string_view key) {
    if (Value* value = find(key))
        return *value;
    members_.push_back({std::string(key), Value()});
    return members_.back().value;
}

void Object::set(std::string_view key, Value value) {
    (*this)[key] = std::move(value);
}

void Object::append(std::string key, Value value) {
    members_.push_back({std::move(key), std::move(value)});
}

bool Object::erase(std::string_view key) {
    return std::erase_if(members_, [&](const Member& m) { return m.key == key; }) != 0;
}

std::size_t Object::size() const {
    return members_.size();
}
void Object::reserve(std::size_t count) {
    members_.reserve(count);
}
const Member* Object::begin() const {
    return members_.data();
}
const Member* Object::end() const {
    return members_.data() + members_.size();
}
Member* Object::begin() {
    return members_.data();
}
Member* Object::end() {
    return members_.data() + members_.size();
}

bool Object::operator==(const Object& other) const {
    if (size() != other.size())
        return false;
    return std::all_of(members_.begin(), members_.end(), [&](const Member& member) {
        const Value* value = other.find(member.key);
        return value && *find(member.key) == *value;
    });
}

std::string_view toString(Kind kind) {
    switch (kind) {
    case Kind::Null:
        return "null";
    case Kind::Bool:
        return "a boolean";
    case Kind::Int:
    case Kind::Uint:
        return "an integer";
    case Kind::Double:
        return "a number with a fraction";
    case Kind::String:
        return "a string";
    case Kind::Array:
        return "an array";
    case Kind::Object:
        return "an object";
    }
    return "nothing";
}

void Value::refuse(std::string_view expected) const {
    throw base::ParseError("json-type",
                           base::concat("expected ", expected, ", found ", toString(kind())));
}

bool Value::asBool() const {
    if (const bool* value = std::get_if<bool>(&data_))
        return *value;
    refuse("a boolean");
}

std::int64_t Value::asInt() const {
    if (const auto* value = std::get_if<std::int64_t>(&data_))
        return *value;
    refuse("an integer of 64 bits");
}

std::uint64_t Value::asUint() const {
    if (const auto* value = std::get_if<std::uint64_t>(&data_))
        return *value;
    if (const auto* value = std::get_if<std::int64_t>(&data_); value && *value >= 0)
        return static_cast<std::uint64_t>(*value);
    refuse("an integer that is not negative");
}

double Value::asDouble() const {
    switch (kind()) {
    case Kind::Int:
        return static_cast<double>(std::get<std::int64_t>(data_));
    case Kind::Uint:
        return static_cast<double>(std::get<std::uint64_t>(data_));
    case Kind::Double:
        return std::get<double>(data_);
    default:
        refuse("a number");
    }
}

const std::string& Value::asString() const {
    if (const auto* value = std::get_if<std::string>(&data_))
        return *value;
    refuse("a string");
}

const Array& Value::asArray() const {
    if (const auto* value = std::get_if<Array>(&data_))
        return *value;
    refuse("an array");
}

Array& Value::asArray() {
    return const_cast<Array&>(std::as_const(*this).asArray());
}

const Object& Value::asObject() const {
    if (const auto* value = std::get_if<Object>(&data_))
        return *value;
    refuse("an object");
}

Object& Value::asObject() {
    return const_cast<Object&>(std::as_const(*this).asObject());
}

const Value& Value::at(std::string_view key) const {
    if (const Value* value = asObject().find(key))
        return *value;
    throw base::ParseError("json-member", base::concat("the member \"", key, "\" is missing"));
}

const Value& Value::at(std::size_t index) const {
    const Array& items = asArray();
    if (index < items.size())
        return items[index];
    throw base::ParseError("json-index", base::concat("expected at least ", index + 1,
                                                      " items in an array, found ", items.size()));
}

const Value* Value::find(std::string_view key) const {
    const auto* object = std::get_if<Object>(&data_);
    return object ? object->find(key) : nullptr;
}

Value& Value::operator[](std::string_view key) {
    if (isNull())
        data_ = Object();
    return asObject()[key];
}

void Value::push(Value value) {
    if (isNull())
        data_ = Array();
    asArray().push_back(std::move(value));
}

std::size_t Value::size() const {
    if (const auto* items = std::get_if<Array>(&data_))
        return items->size();
    if (const auto* members = std::get_if<Object>(&data_))
        return members->size();
    return 0;
}

bool Value::operator==(const Value& other) const {
    if (isNumber() && other.isNumber()) {
        if (isDouble() || other.isDouble())
            return asDouble() == other.asDouble();
        return data_ == other.data_; // an Int and a Uint never hold the same number
    }
    return data_ == other.data_;
}

} // namespace tilewright::json
