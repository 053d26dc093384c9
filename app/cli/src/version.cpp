// SPDX-License-Identifier: Apache-2.0
#include "version.h"

#include <tilewright/base/concat.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/cost/cost_model.h>

namespace tilewright::cli {

std::string versionText() {
    return base::concat("tilewright ", TW_VERSION, " (", TW_BUILD_ID, "), LLVM ",
                        codegen::llvmVersion(), ", XGBoost ", cost::xgboostVersion());
}

} // namespace tilewright::cli
