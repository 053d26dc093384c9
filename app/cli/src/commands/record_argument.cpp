// SPDX-License-Identifier: Apache-2.0
#include "record_argument.h"

namespace tilewright::cli {

database::RecordId recordArgument(const Arguments& arguments, std::string_view name) {
    return database::RecordId{arguments.integerOr(name, 0, 0)};
}

} // namespace tilewright::cli
