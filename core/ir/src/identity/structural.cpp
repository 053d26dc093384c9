// SPDX-License-Identifier: Apache-2.0
#include <tilewright/ir/structural.h>

#include "comparer.h"
#include "hasher.h"

#include <tilewright/base/concat.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/visit.h>

namespace tilewright::ir {

namespace {

constexpr std::size_t kMaxExcerptLines = 12;

std::string shortened(const std::string& text) {
    std::size_t end = 0;
    for (std::size_t lines = 0; lines < kMaxExcerptLines; ++lines) {
        end = text.find('\n', end);
        if (end == std::string::npos)
            return text;
        ++end;
    }
    return text.substr(0, end) + "…";
}

std::string describe(const Comparer& comparer, std::string_view function) {
    std::string text = base::concat("function ", function);
    for (const std::string& step : comparer.path())
        text.append(", ").append(step);
    if (!comparer.leftExcerpt().empty() || !comparer.rightExcerpt().empty()) {
        text.append("\nleft:  ").append(shortened(comparer.leftExcerpt()));
        text.append("\nright: ").append(shortened(comparer.rightExcerpt()));
    }
    return text;
}

} // namespace

bool structuralEqual(const PrimFunc& a, const PrimFunc& b, bool mapFreeVars) {
    return Comparer(mapFreeVars).functions(a, b);
}
bool structuralEqual(const Stmt& a, const Stmt& b, bool mapFreeVars) {
    return Comparer(mapFreeVars).stmts(a, b);
}
bool structuralEqual(const Expr& a, const Expr& b, bool mapFreeVars) {
    // Most questions are about two small or identical expressions.
    if (a == b)
        return true;
    if (a->kind() != b->kind() || a->dtype != b->dtype)
        return false;
    if (const auto* imm = as<IntImmNode>(a))
        return imm->value == as<IntImmNode>(b)->value;
    if (a->kind() == NodeKind::Var && !mapFreeVars)
        return false;
    return Comparer(mapFreeVars).exprs(a, b);
}
bool structuralEqual(const AttrValue& a, const AttrValue& b, bool mapFreeVars) {
    return Comparer(mapFreeVars).attrs(a, b);
}

bool structuralEqual(const Module& a, const Module& b, bool mapFreeVars) {
    const auto& left = a.functions();
    const auto& right = b.functions();
    if (left.size() != right.size() || !Comparer(mapFreeVars).annotations(a.attrs, b.attrs))
        return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i].first != right[i].first ||
            !structuralEqual(left[i].second, right[i].second, mapFreeVars))
            return false;
    }
    return true;
}

std::optional<std::string> firstDifference(const Module& a, const Module& b) {
    for (const auto& [name, function] : a.functions()) {
        if (!b.find(name))
            return base::concat("function ", name, " is on the left side only");
    }
    for (const auto& [name, function] : b.functions()) {
        if (!a.find(name))
            return base::concat("function ", name, " is on the right side only");
    }
    for (const auto& [name, function] : a.functions()) {
        Comparer comparer(false, true);
        if (!comparer.functions(function, b.find(name)))
            return describe(comparer, name);
    }
    Comparer comparer(false, true);
    if (!comparer.annotations(a.attrs, b.attrs))
        return base::concat("attributes of the module\nleft:  ", comparer.leftExcerpt(),
                            "\nright: ", comparer.rightExcerpt());
    return std::nullopt;
}

std::uint64_t structuralHash(const PrimFunc& function) {
    Hasher hasher(false);
    hasher.function(function);
    return hasher.value();
}
std::uint64_t structuralHash(const Stmt& stmt, bool mapFreeVars) {
    Hasher hasher(mapFreeVars);
    hasher.stmt(stmt);
    return hasher.value();
}
std::uint64_t structuralHash(const Expr& expr, bool mapFreeVars) {
    Hasher hasher(mapFreeVars);
    hasher.expr(expr);
    return hasher.value();
}
std::uint64_t structuralHash(const Module& module) {
    Hasher hasher(false);
    for (const auto& [name, function] : module.functions()) {
        hasher.text(name);
        hasher.number(structuralHash(function));
    }
    hasher.annotations(module.attrs);
    return hasher.value();
}

std::string_view toString(ModuleEquality mode) {
    switch (mode) {
    case ModuleEquality::IgnoreTensor:
        return "ignore-tensor";
    case ModuleEquality::AnchorBlock:
        return "anchor-block";
    default:
        return "structural";
    }
}

std::optional<ModuleEquality> moduleEqualityFromName(std::string_view name) {
    for (const ModuleEquality mode :
         {ModuleEquality::Structural, ModuleEquality::IgnoreTensor, ModuleEquality::AnchorBlock}) {
        if (name == toString(mode))
            return mode;
    }
    return std::nullopt;
}

bool equalModules(const Module& a, const Module& b, ModuleEquality mode) {
    if (mode == ModuleEquality::AnchorBlock) {
        const Block left = findAnchorBlock(a);
        const Block right = findAnchorBlock(b);
        if (left && right) {
            // The buffers that the block uses are defined outside it: they are mapped by use.
            return Comparer(true).stmts(left, right);
        }
        if (left || right)
            return false;
    }
    // Modules hold no constant tensors, so ignoring them changes nothing.
    return structuralEqual(a, b);
}

std::uint64_t hashModule(const Module& module, ModuleEquality mode) {
    if (mode == ModuleEquality::AnchorBlock) {
        if (const Block block = findAnchorBlock(module))
            return structuralHash(block, true);
    }
    return structuralHash(module);
}

} // namespace tilewright::ir
