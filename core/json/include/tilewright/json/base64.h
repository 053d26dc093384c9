// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilewright::json {

/// Standard alphabet, `=` padding, no line breaks (RFC 4648 §4).
std::string encodeBase64(std::string_view bytes);
/// Nothing when the text is no base64; blanks and line breaks are not accepted.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace tilewright::json
