// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tilewright::database {

/// What a database must know about modules, which it keeps as text. Given by whoever links `ir`;
/// every function may be missing, the comment says what happens then. They may throw UserError.
struct ModuleCodec {
    /// Module equality mode: `structural`, `ignore-tensor`, `anchor-block`; kept with the store.
    std::string equality = "structural";
    /// Hash of a TVMScript module in that mode. Missing: a hash of the text.
    std::function<std::uint64_t(std::string_view module)> hash;
    /// Equality of two TVMScript modules in that mode. Missing: equality of the text.
    std::function<bool(std::string_view left, std::string_view right)> equal;
    /// TVM's JSON graph of a module to TVMScript. Missing: imported modules are kept as they came
    /// and have no text.
    std::function<std::string(std::string_view graph)> fromTvmGraph;
    /// TVMScript to TVM's JSON graph, legacy (TVM up to 0.21) or newer. Missing: only imported
    /// workloads can be exported to TVM.
    std::function<std::string(std::string_view module, bool legacy)> toTvmGraph;
    /// TVM's own hash of a module, the number in front of a workload line. Missing: `hash`.
    std::function<std::uint64_t(std::string_view module)> tvmHash;
    /// A short name for a module, for tasks that are imported. Missing: `workload_<id>`.
    std::function<std::string(std::string_view module)> nameOf;
};

} // namespace tilewright::database
