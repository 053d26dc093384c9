// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/module_codec.h>

#include <string_view>

namespace tilewright::session {

/// What databases ask about modules, answered by the TensorIR of this build. `equality` is
/// `structural`, `ignore-tensor` or `anchor-block`; throws UserError (kind `equality`) otherwise.
database::ModuleCodec makeModuleCodec(std::string_view equality = "structural");

} // namespace tilewright::session
