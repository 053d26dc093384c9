// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/pack_argument.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/make.h>
#include <tilewright/measure/numeric_check.h>

#include <cstring>
#include <unordered_map>

namespace tilewright::measure {

namespace {

using Index = std::int64_t;

/// An index map flattened to a stack program, so that a million elements take milliseconds.
class MapProgram {
public:
    explicit MapProgram(const ir::IndexMap& map) {
        for (std::size_t i = 0; i < map.initialIndices.size(); ++i)
            slots_.emplace(map.initialIndices[i].get(), static_cast<Index>(i));
        for (const ir::Expr& index : map.finalIndices) {
            compile(index);
            code_.push_back({Step::Store, 0});
        }
    }

    void run(const std::vector<Index>& in, std::vector<Index>& out) {
        out.clear();
        stack_.clear();
        for (const auto& [step, operand] : code_)
            execute(step, operand, in, out);
    }

private:
    enum class Step : std::uint8_t { Constant, Load, Add, Sub, Mul, FloorDiv, FloorMod, Store };

    [[noreturn]] static void refuse() {
        throw base::UserError("layout", "an index map may use +, -, *, // and % only");
    }

    void compile(const ir::Expr& expr) {
        if (const auto value = ir::constInt(expr)) {
            code_.push_back({Step::Constant, *value});
            return;
        }
        if (const auto* var = ir::as<ir::VarNode>(expr)) {
            const auto it = slots_.find(var);
            if (it == slots_.end())
                refuse();
            code_.push_back({Step::Load, it->second});
            return;
        }
        if (const auto* cast = ir::as<ir::CastNode>(expr)) {
            compile(cast->value);
            return;
        }
        const auto* binary = ir::as<ir::BinaryNode>(expr);
        if (!binary)
            refuse();
        compile(binary->a);
        compile(binary->b);
        switch (binary->kind()) {
        case ir::NodeKind::Add:
            code_.push_back({Step::Add, 0});
            break;
        case ir::NodeKind::Sub:
            code_.push_back({Step::Sub, 0});
            break;
        case ir::NodeKind::Mul:
            code_.push_back({Step::Mul, 0});
            break;
        // Indices are not negative, so truncating and flooring agree.
        case ir::NodeKind::Div:
        case ir::NodeKind::FloorDiv:
            code_.push_back({Step::FloorDiv, 0});
            break;
        case ir::NodeKind::Mod:
        case ir::NodeKind::FloorMod:
            code_.push_back({Step::FloorMod, 0});
            break;
        default:
            refuse();
        }
    }

    void execute(Step step, Index operand, const std::vector<Index>& in, std::vector<Index>& out) {
        if (step == Step::Constant) {
            stack_.push_back(operand);
            return;
        }
        if (step == Step::Load) {
            stack_.push_back(in[static_cast<std::size_t>(operand)]);
            return;
        }
        const Index b = stack_.back();
        stack_.pop_back();
        if (step == Step::Store) {
            out.push_back(b);
            return;
        }
        Index& a = stack_.back();
        switch (step) {
        case Step::Add:
            a += b;
            break;
        case Step::Sub:
            a -= b;
            break;
        case Step::Mul:
            a *= b;
            break;
        case Step::FloorDiv:
        case Step::FloorMod: {
            if (b == 0)
                throw base::UserError("layout", "an index map divides by zero");
            const Index quotient = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
            a = step == Step::FloorDiv ? quotient : a - quotient * b;
            break;
        }
        default:
            break;
        }
    }

    std::unordered_map<const ir::VarNode*, Index> slots_;
    std::vector<std::pair<Step, Index>> code_;
    std::vector<Index> stack_;
};

/// Steps a row-major index; false after the last one.
bool advance(std::vector<Index>& index, const std::vector<Index>& shape) {
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (++index[i] < shape[i])
            return true;
        index[i] = 0;
    }
    return false;
}

} // namespace

runtime::Tensor packTensor(const runtime::Tensor& source, const ir::IndexMap& map,
                           const std::vector<std::int64_t>& packedShape) {
    auto packed = runtime::Tensor::allocate(source.type(), packedShape);
    if (!packed)
        throw base::UserError(packed.error());
    std::memset(packed->data(), 0, static_cast<std::size_t>(packed->bytes()));
    if (source.elements() == 0)
        return std::move(*packed);
    const auto width = static_cast<std::size_t>(source.type().bytes());
    const auto* from = static_cast<const char*>(source.data());
    auto* to = static_cast<char*>(packed->data());
    MapProgram program(map);
    std::vector<Index> index(source.shape().size(), 0);
    std::vector<Index> target;
    do {
        program.run(index, target);
        Index flat = 0;
        bool inside = target.size() == packedShape.size();
        for (std::size_t i = 0; inside && i < target.size(); ++i) {
            inside = target[i] >= 0 && target[i] < packedShape[i];
            flat = flat * packedShape[i] + target[i];
        }
        if (!inside)
            throw base::UserError("layout", base::concat("an index map leads outside the shape ",
                                                         runtime::toString(packedShape)));
        std::memcpy(to + static_cast<std::size_t>(flat) * width, from, width);
        from += width;
    } while (advance(index, source.shape()));
    return std::move(*packed);
}

std::string packedCheckArgument(const ArgInfo& user, const ArgInfo& packed, std::size_t index,
                                std::uint64_t seed, const ir::IndexMap& map) {
    const auto type = runtime::parseElementType(user.dtype);
    if (!type)
        throw base::UserError("tensor-type", base::concat("no tensor holds ", user.dtype));
    auto tensor = runtime::Tensor::allocate(*type, user.shape);
    if (!tensor)
        throw base::UserError(tensor.error());
    runtime::fillTensor(*tensor, NumericCheck::fillOf(user, index, seed));
    const runtime::Tensor result = packTensor(*tensor, map, packed.shape);
    return {static_cast<const char*>(result.data()), static_cast<std::size_t>(result.bytes())};
}

} // namespace tilewright::measure
