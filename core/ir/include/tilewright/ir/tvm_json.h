// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::ir {

/// Which JSON graph TVM's `save_json` writes.
enum class TvmJsonEra : std::uint8_t {
    Legacy, ///< TVM up to 0.21: `root`, `nodes`, `b64ndarrays`, `attrs`
    Ffi     ///< TVM 0.22 and newer: `root_index`, `nodes`, `metadata`
};

/// Reads a module from the JSON graph that TVM's `save_json` writes, any era. Throws
/// base::ParseError (kind `tvm-json`) on anything else.
Module moduleFromTvmJson(std::string_view json);
/// The graph, compact, that TVM's `load_json` reads.
std::string moduleToTvmJson(const Module& module, TvmJsonEra era = TvmJsonEra::Ffi);

/// TVM's own structural hash of a module (`tvm_ffi.structural_hash`), the number in the first
/// place of a line of `database_workload.json`.
std::uint64_t tvmStructuralHash(const Module& module);

} // namespace tilewright::ir
