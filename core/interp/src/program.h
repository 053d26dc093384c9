// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/check.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/module.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::interp {

constexpr std::size_t kMaxRank = 16;

/// A buffer while the function runs: memory, extents and strides in elements.
struct View {
    std::uint8_t* data = nullptr;
    std::int64_t elements = 0; ///< of the memory behind `data`
    std::int64_t offset = 0;
    std::array<std::int64_t, kMaxRank> shape{};
    std::array<std::int64_t, kMaxRank> strides{};
};

/// State of a run.
struct Frame {
    std::vector<std::int64_t> ints;
    std::vector<double> reals;
    std::vector<View> views;
    std::vector<std::vector<std::uint64_t>> memory;
    std::int64_t iterationsLeft = -1;
};

/// An integer or bool expression; `lane` picks the element of a vector.
class IntCode {
public:
    virtual ~IntCode() = default;
    virtual std::int64_t eval(Frame& frame, int lane) const = 0;
};
/// A floating-point expression; the value is representable in the expression's type.
class RealCode {
public:
    virtual ~RealCode() = default;
    virtual double eval(Frame& frame, int lane) const = 0;
};
enum class Flow : std::uint8_t { Next, Break, Continue, Return };
class StmtCode {
public:
    virtual ~StmtCode() = default;
    virtual Flow exec(Frame& frame) const = 0;
};

using IntPtr = std::unique_ptr<IntCode>;
using RealPtr = std::unique_ptr<RealCode>;
using StmtPtr = std::unique_ptr<StmtCode>;

template <class Fn> class IntLambda final : public IntCode {
public:
    explicit IntLambda(Fn fn) : fn_(std::move(fn)) {}
    std::int64_t eval(Frame& frame, int lane) const override { return fn_(frame, lane); }

private:
    Fn fn_;
};
template <class Fn> class RealLambda final : public RealCode {
public:
    explicit RealLambda(Fn fn) : fn_(std::move(fn)) {}
    double eval(Frame& frame, int lane) const override { return fn_(frame, lane); }

private:
    Fn fn_;
};
template <class Fn> class StmtLambda final : public StmtCode {
public:
    explicit StmtLambda(Fn fn) : fn_(std::move(fn)) {}
    Flow exec(Frame& frame) const override { return fn_(frame); }

private:
    Fn fn_;
};
template <class Fn> IntPtr intCode(Fn fn) {
    return std::make_unique<IntLambda<Fn>>(std::move(fn));
}
template <class Fn> RealPtr realCode(Fn fn) {
    return std::make_unique<RealLambda<Fn>>(std::move(fn));
}
template <class Fn> StmtPtr stmtCode(Fn fn) {
    return std::make_unique<StmtLambda<Fn>>(std::move(fn));
}

[[noreturn]] inline void unsupported(std::string what) {
    throw base::UserError("interpreter-unsupported", std::move(what));
}

} // namespace tilewright::interp
