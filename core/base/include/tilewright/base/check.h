// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace tilewright::base {

/// A bug of ours, never the user's problem. Caught only at the session seam and at process mains.
class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

namespace detail {

/// Collects the message streamed into a failed check and throws at the end of the statement.
class CheckFailure {
public:
    CheckFailure(const char* file, int line, const char* condition) {
        text_ << file << ':' << line << ": check does not hold: " << condition;
    }
    CheckFailure(const CheckFailure&) = delete;
    CheckFailure& operator=(const CheckFailure&) = delete;
    [[noreturn]] ~CheckFailure() noexcept(false) { throw InternalError(text_.str()); }
    template <class T> CheckFailure& operator<<(const T& value) {
        text_ << (first_ ? ": " : "") << value;
        first_ = false;
        return *this;
    }

private:
    std::ostringstream text_;
    bool first_ = true;
};

} // namespace detail
} // namespace tilewright::base

/// Throws InternalError unless `cond` holds; `TW_CHECK(a == b) << "values: " << a;`.
#define TW_CHECK(cond)                                                                             \
    if (cond) [[likely]] {                                                                         \
    } else                                                                                         \
        ::tilewright::base::detail::CheckFailure(__FILE__, __LINE__, #cond)

#ifdef NDEBUG
#define TW_DCHECK(cond) TW_CHECK(true || (cond))
#else
#define TW_DCHECK(cond) TW_CHECK(cond)
#endif
