// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tilewright::runtime {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

/// Appends fields to a byte string, little-endian, without padding.
class WireWriter {
public:
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(const T& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const bool& value) { (*this)(static_cast<std::uint8_t>(value)); }
    void operator()(const std::string& text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        bytes_.append(text);
    }
    template <class T> void operator()(const std::vector<T>& items) {
        (*this)(static_cast<std::uint32_t>(items.size()));
        for (const T& item : items)
            put(item);
    }

    [[nodiscard]] std::string take() && { return std::move(bytes_); }

private:
    template <class T> void put(const T& item) {
        if constexpr (requires { const_cast<T&>(item).fields(*this); })
            const_cast<T&>(item).fields(*this);
        else
            (*this)(item);
    }
    std::string bytes_;
};

/// Reads fields from bytes that may be anything: a read past the end, a count larger than the rest
/// could hold or a bool other than 0 and 1 makes the reader bad; from then on every field reads as
/// zero or empty. Check `finished` once at the end.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(T& value) {
        if (!good_ || rest_.size() < sizeof value) {
            good_ = false;
            value = T{};
            return;
        }
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
    }
    void operator()(bool& value) {
        std::uint8_t byte = 0;
        (*this)(byte);
        good_ = good_ && byte <= 1;
        value = byte == 1;
    }
    void operator()(std::string& text) {
        const std::size_t size = count(1);
        text.assign(rest_.substr(0, size));
        rest_.remove_prefix(size);
    }
    template <class T> void operator()(std::vector<T>& items) {
        items.clear();
        // Every item takes at least a byte, so a hostile count cannot ask for much memory.
        const std::size_t size = count(std::is_arithmetic_v<T> ? sizeof(T) : 1);
        for (std::size_t i = 0; i < size && good_; ++i) {
            T item{};
            if constexpr (requires { item.fields(*this); })
                item.fields(*this);
            else
                (*this)(item);
            items.push_back(std::move(item));
        }
    }

    [[nodiscard]] bool good() const { return good_; }
    /// True when every field was there and nothing is left over.
    [[nodiscard]] bool finished() const { return good_ && rest_.empty(); }

private:
    std::size_t count(std::size_t itemBytes) {
        std::uint32_t size = 0;
        (*this)(size);
        if (rest_.size() / itemBytes < size)
            good_ = false;
        return good_ ? size : 0;
    }
    std::string_view rest_;
    bool good_ = true;
};

} // namespace tilewright::runtime
