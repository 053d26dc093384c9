// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <string>
#include <utility>
#include <vector>

namespace tilewright::schedule {

/// Why a primitive refuses: an expected outcome, returned as a value. `kind` is the name of TVM's
/// error class (`WrongFactorError`), or `ValueError`, `IndexError`, `InternalError` where TVM has
/// no class of its own. `blocks` names the blocks in question.
struct Failure {
    std::string kind;
    std::string message;
    std::vector<std::string> blocks;

    Failure() = default;
    Failure(std::string kindName, std::string text, std::vector<std::string> blockNames = {})
        : kind(std::move(kindName)), message(std::move(text)), blocks(std::move(blockNames)) {}
};

/// What a primitive returns: `return fail("WrongFactorError", "…")` or a value.
template <class T> using Outcome = base::Result<T, Failure>;

inline base::Unexpected<Failure> fail(std::string kind, std::string message,
                                      std::vector<std::string> blocks = {}) {
    return base::Unexpected<Failure>(
        Failure(std::move(kind), std::move(message), std::move(blocks)));
}

/// A trace that does not apply: which instruction (counted from 0), and why.
struct Rejection {
    int instruction = -1;
    std::string instructionName;
    Failure failure;
};

/// Thrown by the methods of Schedule when a primitive refuses; the schedule is as before.
class ScheduleError : public base::UserError {
public:
    explicit ScheduleError(Failure failure, std::vector<base::Location> locations = {})
        : UserError(failure.kind, failure.message, std::move(locations)),
          failure_(std::move(failure)) {}
    [[nodiscard]] const Failure& failure() const { return failure_; }

private:
    Failure failure_;
};

} // namespace tilewright::schedule

/// Leaves the function with the failure of an Outcome<…> expression.
#define TW_TRY(expression)                                                                         \
    do {                                                                                           \
        if (auto tryOutcome_ = (expression); !tryOutcome_) [[unlikely]]                            \
            return ::tilewright::base::Unexpected(tryOutcome_.error());                            \
    } while (false)
#define TW_TRY_CONCAT_(a, b) a##b
#define TW_TRY_NAME_(a, b) TW_TRY_CONCAT_(a, b)
/// `TW_ASSIGN(const SrefId scope, state.scopeRoot(block));`: declares from the value, or leaves.
#define TW_ASSIGN(declaration, ...)                                                                \
    auto TW_TRY_NAME_(tryOutcome_, __LINE__) = (__VA_ARGS__);                                      \
    if (!TW_TRY_NAME_(tryOutcome_, __LINE__)) [[unlikely]]                                         \
        return ::tilewright::base::Unexpected(TW_TRY_NAME_(tryOutcome_, __LINE__).error());        \
    declaration = *std::move(TW_TRY_NAME_(tryOutcome_, __LINE__))
