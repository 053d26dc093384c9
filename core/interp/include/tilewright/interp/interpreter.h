// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>
#include <tilewright/runtime/tensor.h>

#include <cstdint>
#include <memory>
#include <span>

namespace tilewright::interp {

struct RunOptions {
    /// Loop iterations after which the run is given up (UserError `interpreter-limit`); 0 = none.
    std::int64_t maxIterations = 0;
};

/// A function of TensorIR, scheduled or not, made ready to be interpreted any number of times.
/// The meaning is that of the text: loops of every kind run one iteration after the other, every
/// operation rounds to its own type, and nothing is approximated. Immutable; `run` may be called
/// from several threads at once.
class Interpreter {
public:
    /// Throws UserError (kind `interpreter-unsupported`) for calls of foreign functions and other
    /// things without a meaning of their own.
    explicit Interpreter(const ir::PrimFunc& function);
    Interpreter(Interpreter&&) noexcept;
    ~Interpreter();

    /// Runs on one tensor for each tensor parameter, in order, and one number for each scalar
    /// parameter, in order. Throws UserError: `argument-mismatch` when a tensor does not fit its
    /// parameter, `out-of-bounds` for an access outside of a buffer, `division-by-zero`,
    /// `assertion`.
    void run(std::span<runtime::Tensor* const> tensors, std::span<const std::int64_t> scalars = {},
             const RunOptions& options = {}) const;

private:
    struct Program;
    std::unique_ptr<const Program> program_;
};

/// Interprets once.
void run(const ir::PrimFunc& function, std::span<runtime::Tensor* const> tensors,
         std::span<const std::int64_t> scalars = {}, const RunOptions& options = {});

} // namespace tilewright::interp
