// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilewright::cli {

/// Version, build, LLVM and XGBoost.
std::string versionText();

} // namespace tilewright::cli
