// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>
#include <tilewright/ir/stmt.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::ir {

/// Equal up to the names of variables, buffers and blocks: variables and buffers are mapped where
/// they are defined. dtypes, shapes, scopes, regions, annotations and attributes count. With
/// `mapFreeVars` variables and buffers defined nowhere may be mapped too; without, a free variable
/// equals only itself.
bool structuralEqual(const Module& a, const Module& b, bool mapFreeVars = false);
bool structuralEqual(const PrimFunc& a, const PrimFunc& b, bool mapFreeVars = false);
bool structuralEqual(const Stmt& a, const Stmt& b, bool mapFreeVars = false);
bool structuralEqual(const Expr& a, const Expr& b, bool mapFreeVars = false);
bool structuralEqual(const AttrValue& a, const AttrValue& b, bool mapFreeVars = false);

/// Where and how two modules differ, in words with both sides printed; nullopt when equal.
std::optional<std::string> firstDifference(const Module& a, const Module& b);

/// Equal modules have equal hashes. Ours (not TVM's), stable across processes, platforms and
/// releases: it is stored. Names are ignored as in structuralEqual.
std::uint64_t structuralHash(const Module& module);
std::uint64_t structuralHash(const PrimFunc& function);
std::uint64_t structuralHash(const Stmt& stmt, bool mapFreeVars = false);
std::uint64_t structuralHash(const Expr& expr, bool mapFreeVars = false);

/// When two modules count as one workload in a database.
enum class ModuleEquality : std::uint8_t {
    Structural,
    IgnoreTensor, ///< contents of constant tensors do not count
    AnchorBlock   ///< only the anchor block counts (as IgnoreTensor when there is none)
};
/// The mode by MetaSchedule's name: `structural`, `ignore-tensor`, `anchor-block`.
std::optional<ModuleEquality> moduleEqualityFromName(std::string_view name);
std::string_view toString(ModuleEquality mode);
bool equalModules(const Module& a, const Module& b, ModuleEquality mode);
std::uint64_t hashModule(const Module& module, ModuleEquality mode);

/// The block that decides how a module is tuned: the block with an init that does the most work;
/// null when no block has one.
Block findAnchorBlock(const Module& module);

} // namespace tilewright::ir
