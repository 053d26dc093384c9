// SPDX-License-Identifier: Apache-2.0
// libFuzzer entry for the ONNX reader; build with clang -fsanitize=fuzzer,address.
#include <tilewright/base/diagnostic.h>
#include <tilewright/onnx/import_model.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        (void)tilewright::onnx::importModelBytes(
            std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.onnx");
    } catch (const tilewright::base::UserError&) {
    }
    return 0;
}
