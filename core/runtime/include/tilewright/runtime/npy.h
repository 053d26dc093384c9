// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/tensor.h>

#include <string>
#include <string_view>

namespace tilewright::runtime {

/// Decodes NumPy's .npy format, versions 1 to 3, little-endian, in C or Fortran order. bfloat16 is
/// read from NumPy's opaque `V2`. `fileName` only names the source in errors. Errors: `npy`, with
/// the file, what was found and what is accepted.
base::Result<Tensor> decodeNpy(std::string_view bytes, const std::string& fileName);

/// Encodes as .npy version 1.0 in C order.
std::string encodeNpy(const Tensor& tensor);

/// Reads a file; errors as decodeNpy, and `file` when it cannot be opened or read.
base::Result<Tensor> readNpy(const std::string& path);

/// Writes a file, first beside it and then renamed, so that a reader never sees half of it.
/// Error: `file`.
base::Result<void, base::Diagnostic> writeNpy(const Tensor& tensor, const std::string& path);

} // namespace tilewright::runtime
