// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/npy.h>

#include <tilewright/base/concat.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tilewright::runtime {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

base::Unexpected<base::Diagnostic> npyError(const std::string& file, std::string message) {
    return base::Unexpected(
        base::Diagnostic("npy", std::move(message), {base::TextLocation{file, 0, 0}}));
}

base::Unexpected<base::Diagnostic> fileError(const std::string& path, const char* what) {
    return base::Unexpected(base::Diagnostic("file", base::concat(what, ": ", std::strerror(errno)),
                                             {base::TextLocation{path, 0, 0}}));
}

/// NumPy's type code (`<f4`) of an element type.
std::string descriptorOf(ElementType type) {
    if (type.code == TypeCode::BFloat)
        return "<V2";
    if (type.code == TypeCode::Bool)
        return "|b1";
    const char kind = type.code == TypeCode::Int ? 'i' : type.code == TypeCode::UInt ? 'u' : 'f';
    return base::concat(type.bits == 8 ? '|' : '<', kind, type.bytes());
}

std::optional<ElementType> typeOf(std::string_view descriptor) {
    if (descriptor.size() != 3)
        return std::nullopt;
    const char order = descriptor[0];
    const int bytes = descriptor[2] - '0';
    if (order != '<' && order != '|' && order != '=')
        return std::nullopt;
    ElementType type;
    type.bits = static_cast<std::uint8_t>(bytes > 0 && bytes <= 8 ? bytes * 8 : 0);
    switch (descriptor[1]) {
    case 'f':
        type.code = TypeCode::Float;
        break;
    case 'i':
        type.code = TypeCode::Int;
        break;
    case 'u':
        type.code = TypeCode::UInt;
        break;
    case 'b':
        type.code = TypeCode::Bool;
        break;
    case 'V':
        type.code = TypeCode::BFloat;
        break;
    default:
        return std::nullopt;
    }
    if (order == '|' && bytes != 1 && type.code != TypeCode::BFloat)
        return std::nullopt;
    return isSupported(type) ? std::optional(type) : std::nullopt;
}

/// The text after `'key':` in the header's dictionary, blanks skipped; empty when absent.
std::string_view valueOf(std::string_view header, std::string_view key) {
    for (const char quote : {'\'', '"'}) {
        const std::string quoted = base::concat(quote, key, quote);
        const auto at = header.find(quoted);
        if (at == std::string_view::npos)
            continue;
        std::string_view rest = header.substr(at + quoted.size());
        const auto colon = rest.find(':');
        if (colon == std::string_view::npos)
            return {};
        rest.remove_prefix(colon + 1);
        const auto start = rest.find_first_not_of(' ');
        return start == std::string_view::npos ? std::string_view{} : rest.substr(start);
    }
    return {};
}

std::optional<TensorShape> shapeOf(std::string_view text) {
    if (text.empty() || text.front() != '(')
        return std::nullopt;
    const auto close = text.find(')');
    if (close == std::string_view::npos)
        return std::nullopt;
    text = text.substr(1, close - 1);
    TensorShape shape;
    while (true) {
        const auto start = text.find_first_not_of(" ,");
        if (start == std::string_view::npos)
            return shape;
        text.remove_prefix(start);
        std::int64_t extent = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), extent);
        if (code != std::errc{})
            return std::nullopt;
        shape.push_back(extent);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (!text.empty() && text.front() == 'L') // Python 2 wrote 3L
            text.remove_prefix(1);
    }
}

/// Copies Fortran-ordered elements into row-major order.
void copyFromColumnMajor(Tensor& tensor, const char* source) {
    const auto size = static_cast<std::size_t>(tensor.type().bytes());
    const TensorShape& shape = tensor.shape();
    TensorShape place(shape.size(), 0);
    char* out = static_cast<char*>(tensor.data());
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        std::int64_t from = 0;
        for (std::size_t axis = shape.size(); axis-- > 0;)
            from = from * shape[axis] + place[axis];
        std::memcpy(out + static_cast<std::size_t>(i) * size,
                    source + static_cast<std::size_t>(from) * size, size);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (++place[axis] < shape[axis])
                break;
            place[axis] = 0;
        }
    }
}

struct HeaderPlace {
    std::string_view text;
    std::size_t end = 0;
};

std::optional<HeaderPlace> locateHeader(std::string_view bytes) {
    if (bytes.size() < 10 || !bytes.starts_with(kMagic))
        return std::nullopt;
    const auto at = [&](std::size_t i) {
        return std::size_t{static_cast<unsigned char>(bytes[i])};
    };
    const std::size_t version = at(6);
    std::size_t start = 10;
    std::size_t length = at(8) | at(9) << 8;
    if (version >= 2) {
        if (bytes.size() < 12)
            return std::nullopt;
        start = 12;
        length |= at(10) << 16 | at(11) << 24;
    }
    if (version < 1 || version > 3 || length > bytes.size() - start)
        return std::nullopt;
    return HeaderPlace{bytes.substr(start, length), start + length};
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

} // namespace

base::Result<Tensor> decodeNpy(std::string_view bytes, const std::string& fileName) {
    const auto header = locateHeader(bytes);
    if (!header)
        return npyError(fileName, base::concat("a .npy file of version 1 to 3 is expected; the "
                                               "header is foreign or cut off: bytes=",
                                               bytes.size()));
    std::string_view descriptor = valueOf(header->text, "descr");
    if (descriptor.empty() || (descriptor.front() != '\'' && descriptor.front() != '"'))
        return npyError(fileName, "the header names no plain element type (descr)");
    const auto quote = descriptor.find(descriptor.front(), 1);
    descriptor = descriptor.substr(1, quote == std::string_view::npos ? quote : quote - 1);
    const auto type = typeOf(descriptor);
    if (!type)
        return npyError(fileName,
                        base::concat("accepted element types are little-endian f2 f4 f8 i1 i2 i4 "
                                     "i8 u1 u2 u4 u8 b1 and V2 (bfloat16): descr=",
                                     descriptor));
    auto shape = shapeOf(valueOf(header->text, "shape"));
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    if (!count)
        return npyError(fileName, "the header's shape is missing, negative or too large");
    const std::string_view body = bytes.substr(header->end);
    const auto wanted = static_cast<std::uint64_t>(*count * type->bytes());
    if (body.size() < wanted)
        return npyError(fileName, base::concat("the file is cut off: shape=", toString(*shape),
                                               " needs ", wanted, " bytes, found ",
                                               static_cast<std::uint64_t>(body.size())));
    auto tensor = Tensor::allocate(*type, std::move(*shape));
    if (!tensor || *count == 0)
        return tensor;
    if (valueOf(header->text, "fortran_order").starts_with("True"))
        copyFromColumnMajor(*tensor, body.data());
    else
        std::memcpy(tensor->data(), body.data(), static_cast<std::size_t>(wanted));
    return tensor;
}

std::string encodeNpy(const Tensor& tensor) {
    std::string header =
        base::concat("{'descr': '", descriptorOf(tensor.type()), "', 'fortran_order': False, ",
                     "'shape': ", toString(tensor.shape()), ", }");
    const std::size_t unpadded = 10 + header.size() + 1;
    header.append((64 - unpadded % 64) % 64, ' ');
    header.push_back('\n');
    std::string out(kMagic);
    out.push_back('\1');
    out.push_back('\0');
    out.push_back(static_cast<char>(header.size() & 0xff));
    out.push_back(static_cast<char>(header.size() >> 8));
    out += header;
    out.append(static_cast<const char*>(tensor.data()), static_cast<std::size_t>(tensor.bytes()));
    return out;
}

base::Result<Tensor> readNpy(const std::string& path) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return fileError(path, "the file cannot be opened");
    std::string bytes;
    std::string buffer(1 << 16, '\0');
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
        bytes.append(buffer, 0, got);
        buffer.resize(std::min<std::size_t>(buffer.size() * 2, 1 << 24));
    }
    if (std::ferror(file.get()))
        return fileError(path, "the file cannot be read");
    return decodeNpy(bytes, path);
}

base::Result<void, base::Diagnostic> writeNpy(const Tensor& tensor, const std::string& path) {
    const std::string partial = path + ".part";
    std::unique_ptr<std::FILE, CloseFile> file(std::fopen(partial.c_str(), "wb"));
    if (!file)
        return fileError(path, "the file cannot be created");
    const std::string bytes = encodeNpy(tensor);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
                         std::fflush(file.get()) == 0;
    if (!written || std::fclose(file.release()) != 0) {
        auto error = fileError(path, "the file cannot be written");
        std::remove(partial.c_str());
        return error;
    }
    if (std::rename(partial.c_str(), path.c_str()) != 0)
        return fileError(path, "the file cannot be put in place");
    return {};
}

} // namespace tilewright::runtime
