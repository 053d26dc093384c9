// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/messages.h>

#include <functional>
#include <string>

namespace tilewright::runtime {

/// Compiles one request; the error's kind is a status word (`build`).
using CompileFunction = std::function<base::Result<Built, Failure>(const Build&)>;

/// Answers Build requests on two descriptors with `compile` until Quit or the end of the input; the
/// build worker's counterpart of serveRunner. What `compile` throws becomes a Failure.
base::Result<void, base::Diagnostic> serveBuilder(int inFd, int outFd, const std::string& product,
                                                  const CompileFunction& compile);

} // namespace tilewright::runtime
