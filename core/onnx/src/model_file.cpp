// SPDX-License-Identifier: Apache-2.0
#include "model_file.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <filesystem>
#include <fstream>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <limits>

namespace tilewright::onnx {

namespace {

[[noreturn]] void fail(const char* kind, const std::string& path, const std::string& why) {
    throw base::UserError(kind, base::concat(path, ": ", why));
}

} // namespace

::onnx::ModelProto parseModel(std::string_view bytes, const std::string& path) {
    if (bytes.empty())
        fail("not-a-model", path, "the file is empty; an ONNX model is wanted");
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        fail("not-a-model", path,
             base::concat("the file has ", bytes.size(),
                          " bytes; over 2 GiB the weights have to be external data files"));
    const google::protobuf::LogSilencer quiet;
    google::protobuf::io::ArrayInputStream array(bytes.data(), static_cast<int>(bytes.size()));
    google::protobuf::io::CodedInputStream stream(&array);
    stream.SetTotalBytesLimit(std::numeric_limits<int>::max());
    ::onnx::ModelProto model;
    if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
        fail("not-a-model", path, "this is no ONNX model, or it is truncated");
    if (!model.has_graph() || model.opset_import_size() == 0 || model.graph().output_size() == 0)
        fail("not-a-model", path, "this is no ONNX model: it has no graph, operator set or output");
    return model;
}

std::string readModelFile(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        fail("unreadable-file", path, "no such file");
    if (!std::filesystem::is_regular_file(status))
        fail("unreadable-file", path, "this is no regular file; an ONNX model is wanted");
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > static_cast<std::uintmax_t>(std::numeric_limits<int>::max()))
        fail("not-a-model", path,
             base::concat("the file has ", size,
                          " bytes; over 2 GiB the weights have to be external data files"));
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    if (file && !error) {
        bytes.resize(size);
        file.read(bytes.data(), static_cast<std::streamsize>(size));
    }
    if (error || !file)
        fail("unreadable-file", path, "the file cannot be read");
    return bytes;
}

} // namespace tilewright::onnx
