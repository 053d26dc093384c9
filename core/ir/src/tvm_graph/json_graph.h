// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::ir {

/// Uniform view of TVM's two graph containers: numbered nodes with a type key and fields, which are
/// children (node numbers) or inline values. Throws base::ParseError (kind `tvm-json`).
class JsonGraph {
public:
    explicit JsonGraph(std::string_view text);

    [[nodiscard]] std::size_t root() const { return root_; }
    [[nodiscard]] std::size_t size() const { return nodes_->size(); }
    [[nodiscard]] bool isLegacy() const { return isLegacy_; }
    /// Buffers are variables and expressions carry a type object (0.26 and newer).
    [[nodiscard]] bool isEraD() const { return isEraD_; }
    /// Integer constants refer to a node (0.27 and newer).
    [[nodiscard]] bool hasBoxedInts() const { return hasBoxedInts_; }

    /// Type key without its namespace: `SBlock`, `String`; empty for the null object.
    [[nodiscard]] std::string_view kind(std::size_t node) const;
    /// The type key in full.
    [[nodiscard]] std::string_view typeKey(std::size_t node) const;
    [[nodiscard]] bool isNull(std::size_t node) const;
    /// A child object; nothing when the field is missing or null.
    [[nodiscard]] std::optional<std::size_t> child(std::size_t node, std::string_view field) const;
    [[nodiscard]] std::size_t need(std::size_t node, std::string_view field) const;
    [[nodiscard]] std::int64_t inlineInt(std::size_t node, std::string_view field,
                                         std::int64_t otherwise) const;
    [[nodiscard]] double inlineFloat(std::size_t node, std::string_view field) const;
    [[nodiscard]] std::string inlineText(std::size_t node, std::string_view field) const;
    [[nodiscard]] bool hasField(std::size_t node, std::string_view field) const;

    /// Items of an array node.
    [[nodiscard]] std::vector<std::size_t> items(std::size_t node) const;
    struct Entry {
        std::string key;                    ///< of a string key
        std::optional<std::size_t> keyNode; ///< of any other
        std::size_t value = 0;
    };
    [[nodiscard]] std::vector<Entry> entries(std::size_t node) const;
    [[nodiscard]] bool isString(std::size_t node) const;
    /// Text of a string node, or name of an Op or TargetKind.
    [[nodiscard]] std::string text(std::size_t node) const;
    /// A string field, whether inline or a node.
    [[nodiscard]] std::string string(std::size_t node, std::string_view field) const;
    /// Value of a boxed int, bool or float node.
    [[nodiscard]] const json::Value* payload(std::size_t node) const;
    [[noreturn]] void fail(std::size_t node, std::string message) const;

private:
    const json::Value& at(std::size_t node) const;
    const json::Value* field(std::size_t node, std::string_view name) const;
    std::size_t checked(std::int64_t node) const;

    json::Value document_;
    const json::Array* nodes_ = nullptr;
    std::size_t root_ = 0;
    bool isLegacy_ = false;
    bool isEraD_ = false;
    bool hasBoxedInts_ = false;
};

} // namespace tilewright::ir
