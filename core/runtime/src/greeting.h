// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/messages.h>

#include <string>

namespace tilewright::runtime {

/// The answer to a Hello: HelloReply with what this machine is, or a Failure that names both sides'
/// protocol versions when they have none in common.
Frame greet(const Hello& hello, const std::string& product);

} // namespace tilewright::runtime
