// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/check.h>
#include <tilewright/base/diagnostic.h>

#include <utility>
#include <variant>

namespace tilewright::base {

/// Wraps an error so that it converts to any Result with that error type: `return Unexpected(e);`.
template <class E> struct Unexpected {
    E error;
    explicit Unexpected(E value) : error(std::move(value)) {}
};
template <class E> Unexpected(E) -> Unexpected<E>;

/// Either a value or an expected error; the member names are those of std::expected.
template <class T, class E = Diagnostic> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    template <class F>
    Result(Unexpected<F> error) : state_(std::in_place_index<1>, std::move(error.error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] T& value() & {
        TW_CHECK(has_value()) << "value() of an error";
        return std::get<0>(state_);
    }
    [[nodiscard]] const T& value() const& {
        TW_CHECK(has_value()) << "value() of an error";
        return std::get<0>(state_);
    }
    [[nodiscard]] T&& value() && {
        TW_CHECK(has_value()) << "value() of an error";
        return std::get<0>(std::move(state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const E& error() const {
        TW_CHECK(!has_value()) << "error() of a value";
        return std::get<1>(state_);
    }

private:
    std::variant<T, E> state_;
};

/// Success without a value, or an error.
template <class E> class [[nodiscard]] Result<void, E> {
public:
    Result() = default;
    template <class F> Result(Unexpected<F> error) : error_(std::move(error.error)), ok_(false) {}
    [[nodiscard]] bool has_value() const { return ok_; }
    explicit operator bool() const { return ok_; }
    [[nodiscard]] const E& error() const {
        TW_CHECK(!ok_) << "error() of a value";
        return error_;
    }

private:
    E error_{};
    bool ok_ = true;
};

} // namespace tilewright::base
