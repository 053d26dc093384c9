// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random index expressions, and their values by direct evaluation.

#include <tilewright/arith/domain.h>
#include <tilewright/base/random_state.h>
#include <tilewright/ir/make.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilewright::arith::testing {

using Values = std::unordered_map<const ir::VarNode*, std::int64_t>;

inline std::int64_t floorQuotient(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Value of an operator on numbers; booleans are 0 and 1.
inline std::int64_t evalOp(ir::NodeKind kind, std::int64_t a, std::int64_t b) {
    using ir::NodeKind;
    switch (kind) {
    case NodeKind::Add:
        return a + b;
    case NodeKind::Sub:
        return a - b;
    case NodeKind::Mul:
        return a * b;
    case NodeKind::FloorDiv:
        return floorQuotient(a, b);
    case NodeKind::FloorMod:
        return a - floorQuotient(a, b) * b;
    case NodeKind::Div:
        return a / b;
    case NodeKind::Mod:
        return a % b;
    case NodeKind::Min:
        return std::min(a, b);
    case NodeKind::Max:
        return std::max(a, b);
    case NodeKind::EQ:
        return a == b;
    case NodeKind::NE:
        return a != b;
    case NodeKind::LT:
        return a < b;
    case NodeKind::LE:
        return a <= b;
    case NodeKind::GT:
        return a > b;
    case NodeKind::GE:
        return a >= b;
    case NodeKind::And:
        return a != 0 && b != 0;
    case NodeKind::Or:
        return a != 0 || b != 0;
    default:
        throw std::logic_error("no binary operator");
    }
}

inline std::int64_t eval(const ir::Expr& expr, const Values& values) {
    using namespace ir;
    if (const auto* imm = as<IntImmNode>(expr))
        return imm->value;
    if (const auto* var = as<VarNode>(expr))
        return values.at(var);
    if (const auto* node = as<NotNode>(expr))
        return eval(node->a, values) == 0;
    if (const auto* node = as<SelectNode>(expr))
        return eval(eval(node->condition, values) != 0 ? node->trueValue : node->falseValue,
                    values);
    if (const auto* node = as<BinaryNode>(expr))
        return evalOp(node->kind(), eval(node->a, values), eval(node->b, values));
    throw std::logic_error("an expression that is no index");
}

/// Fields of a line, blanks around them removed.
inline std::vector<std::string> fieldsOf(const std::string& line, char separator) {
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(separator, begin), line.size());
        std::string field = line.substr(begin, end - begin);
        const std::size_t first = field.find_first_not_of(' ');
        field = first == std::string::npos
                    ? std::string()
                    : field.substr(first, field.find_last_not_of(' ') - first + 1);
        fields.push_back(std::move(field));
        begin = end + 1;
    }
    return fields;
}

class RandomIndex {
public:
    explicit RandomIndex(std::int64_t seed) : random_(seed) {}

    Domain domain() {
        static constexpr std::array<std::int64_t, 8> kExtents = {1, 2, 3, 4, 7, 8, 16, 28};
        Domain result;
        const std::int64_t count = random_.sampleInt(1, 4);
        for (std::int64_t i = 0; i < count; ++i)
            result.push_back(
                {ir::makeVar(std::string(1, static_cast<char>('i' + i))),
                 {ir::makeInt(random_.sampleInt(0, 6) == 0 ? 3 : 0), ir::makeInt(pick(kExtents))}});
        return result;
    }

    ir::Expr expr(const Domain& domain, int depth) {
        using namespace ir;
        static constexpr std::array<std::int64_t, 9> kConstants = {1, 2, 3, 4, 6, 8, 12, 16, 32};
        if (depth == 0 || random_.sampleInt(0, 8) == 0) {
            if (random_.sampleInt(0, 5) == 0)
                return makeInt(pick(kConstants));
            return domain[static_cast<std::size_t>(
                              random_.sampleInt(0, static_cast<std::int64_t>(domain.size())))]
                .var;
        }
        const Expr a = expr(domain, depth - 1);
        const Expr constant = makeInt(pick(kConstants));
        switch (random_.sampleInt(0, 10)) {
        case 0:
        case 1:
        case 2:
            return makeBinary(NodeKind::Add, a, expr(domain, depth - 1));
        case 3:
            return makeBinary(NodeKind::Sub, a, expr(domain, depth - 1));
        case 4:
        case 5:
            return makeBinary(NodeKind::Mul, a, constant);
        case 6:
        case 7:
            return makeBinary(NodeKind::FloorDiv, a, constant);
        case 8:
            return makeBinary(NodeKind::FloorMod, a, constant);
        default:
            return makeBinary(random_.sampleInt(0, 2) == 0 ? NodeKind::Min : NodeKind::Max, a,
                              expr(domain, depth - 1));
        }
    }

    ir::Expr condition(const Domain& domain, int depth) {
        using namespace ir;
        if (depth > 0 && random_.sampleInt(0, 4) == 0)
            return makeBinary(random_.sampleInt(0, 2) == 0 ? NodeKind::And : NodeKind::Or,
                              condition(domain, depth - 1), condition(domain, depth - 1));
        const auto kind = static_cast<NodeKind>(static_cast<int>(NodeKind::EQ) +
                                                static_cast<int>(random_.sampleInt(0, 6)));
        const Expr right =
            random_.sampleInt(0, 2) == 0 ? makeInt(random_.sampleInt(-4, 60)) : expr(domain, depth);
        return makeBinary(kind, expr(domain, depth), right);
    }

    /// A point of the domain.
    Values point(const Domain& domain) {
        Values values;
        for (const VarRange& entry : domain) {
            const std::int64_t min = *ir::constInt(entry.range.min);
            values[entry.var.get()] = min + random_.sampleInt(0, *ir::constInt(entry.range.extent));
        }
        return values;
    }

    base::RandomState& random() { return random_; }

private:
    template <std::size_t N> std::int64_t pick(const std::array<std::int64_t, N>& from) {
        return from[static_cast<std::size_t>(random_.sampleInt(0, static_cast<std::int64_t>(N)))];
    }
    base::RandomState random_;
};

/// Calls `fn` at every point of a domain with constant ranges.
inline void forEachPoint(const Domain& domain, const std::function<void(const Values&)>& fn) {
    Values values;
    const std::function<void(std::size_t)> step = [&](std::size_t at) {
        if (at == domain.size()) {
            fn(values);
            return;
        }
        const std::int64_t min = *ir::constInt(domain[at].range.min);
        for (std::int64_t v = 0; v < *ir::constInt(domain[at].range.extent); ++v) {
            values[domain[at].var.get()] = min + v;
            step(at + 1);
        }
    };
    step(0);
}

} // namespace tilewright::arith::testing
