// SPDX-License-Identifier: Apache-2.0
#include "tensor_reader.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace tilewright::onnx {

using graph::ElementType;

std::optional<ElementType> elementTypeOf(int onnxType) {
    switch (onnxType) {
    case ::onnx::TensorProto::FLOAT:
        return ElementType::Float32;
    case ::onnx::TensorProto::DOUBLE:
        return ElementType::Float64;
    case ::onnx::TensorProto::FLOAT16:
        return ElementType::Float16;
    case ::onnx::TensorProto::BFLOAT16:
        return ElementType::BFloat16;
    case ::onnx::TensorProto::INT8:
        return ElementType::Int8;
    case ::onnx::TensorProto::INT16:
        return ElementType::Int16;
    case ::onnx::TensorProto::INT32:
        return ElementType::Int32;
    case ::onnx::TensorProto::INT64:
        return ElementType::Int64;
    case ::onnx::TensorProto::UINT8:
        return ElementType::UInt8;
    case ::onnx::TensorProto::UINT16:
        return ElementType::UInt16;
    case ::onnx::TensorProto::UINT32:
        return ElementType::UInt32;
    case ::onnx::TensorProto::UINT64:
        return ElementType::UInt64;
    case ::onnx::TensorProto::BOOL:
        return ElementType::Bool;
    default:
        return std::nullopt;
    }
}

void TensorReader::fail(const ::onnx::TensorProto& tensor, const std::string& why) const {
    throw base::UserError("not-a-model",
                          base::concat(modelPath_, ": tensor ", tensor.name(), ": ", why));
}

std::string TensorReader::externalBytes(const ::onnx::TensorProto& tensor,
                                        std::size_t wanted) const {
    std::string location;
    std::uint64_t offset = 0;
    try {
        for (const auto& entry : tensor.external_data()) {
            if (entry.key() == "location")
                location = entry.value();
            else if (entry.key() == "offset")
                offset = std::stoull(entry.value());
        }
    } catch (const std::exception&) {
        fail(tensor, "its external offset is no number");
    }
    const std::filesystem::path relative(location);
    bool inside = !location.empty() && relative.is_relative();
    for (const auto& part : relative)
        inside = inside && part != "..";
    if (!inside)
        fail(tensor,
             base::concat("external data \"", location, "\" has to be a file beside the model"));
    const auto path = std::filesystem::path(modelPath_).parent_path() / relative;
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        fail(tensor, base::concat("external data ", path.string(), ": ", error.message()));
    if (offset > size || wanted > size - offset)
        fail(tensor, base::concat("external data ", path.string(), " has ", size, " bytes, ",
                                  wanted, " are wanted from byte ", offset));
    std::ifstream file(path, std::ios::binary);
    std::string bytes(wanted, '\0');
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), static_cast<std::streamsize>(wanted));
    if (!file)
        fail(tensor, base::concat("external data ", path.string(), " cannot be read"));
    return bytes;
}

namespace {

template <class T, class List>
void packAs(const List& list, std::vector<std::byte>& out, std::size_t count) {
    if (static_cast<std::size_t>(list.size()) != count)
        return; // the caller sees the wrong size
    out.resize(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(list.Get(static_cast<int>(i)));
        std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T));
    }
}

void packTyped(const ::onnx::TensorProto& t, ElementType dtype, std::vector<std::byte>& out,
               std::size_t count) {
    using enum ElementType;
    switch (dtype) {
    case Float32:
        packAs<float>(t.float_data(), out, count);
        break;
    case Float64:
        packAs<double>(t.double_data(), out, count);
        break;
    case Int64:
        packAs<std::int64_t>(t.int64_data(), out, count);
        break;
    case UInt32:
        packAs<std::uint32_t>(t.uint64_data(), out, count);
        break;
    case UInt64:
        packAs<std::uint64_t>(t.uint64_data(), out, count);
        break;
    case Int32:
        packAs<std::int32_t>(t.int32_data(), out, count);
        break;
    case Int8:
    case UInt8:
    case Bool:
        packAs<std::uint8_t>(t.int32_data(), out, count);
        break;
    case Int16:
    case UInt16:
    case Float16:
    case BFloat16:
        packAs<std::uint16_t>(t.int32_data(), out, count);
        break;
    }
}

} // namespace

graph::ConstantPtr TensorReader::read(const ::onnx::TensorProto& tensor) const {
    const auto dtype = elementTypeOf(tensor.data_type());
    if (!dtype)
        return nullptr;
    auto out = std::make_shared<graph::ConstantTensor>();
    out->type.dtype = *dtype;
    double total = static_cast<double>(graph::byteSize(*dtype));
    for (const auto extent : tensor.dims()) {
        if (extent < 0)
            fail(tensor, base::concat("it has a dimension of ", extent));
        total *= static_cast<double>(extent);
        out->type.shape.push_back(extent);
    }
    if (total > 64e9)
        fail(tensor, base::concat("it claims to be ", graph::toString(out->type)));
    const std::size_t bytes = graph::byteSize(out->type);
    const auto assign = [&](const std::string& raw) {
        out->bytes.resize(raw.size());
        std::memcpy(out->bytes.data(), raw.data(), raw.size());
    };
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL)
        assign(externalBytes(tensor, bytes));
    else if (tensor.has_raw_data())
        assign(tensor.raw_data());
    else
        packTyped(tensor, *dtype, out->bytes, bytes / graph::byteSize(*dtype));
    if (out->bytes.size() != bytes)
        fail(tensor, base::concat("it holds ", out->bytes.size(), " bytes, ",
                                  graph::toString(out->type), " needs ", bytes));
    return out;
}

} // namespace tilewright::onnx
