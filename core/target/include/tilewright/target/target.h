// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::target {

/// What code is made for, as TVM's target: a kind, keys and attributes under TVM's names
/// (`mcpu`, `num-cores`, `max_threads_per_block`, …). A value: copies are independent.
/// Made by `parseTarget` (checks names, fills in defaults) or `Target::fromJson` (takes a record's
/// target as it came).
class Target {
public:
    /// Plain `llvm` without a CPU.
    Target();
    Target(std::string kind, std::vector<std::string> keys, json::Object attributes = {},
           std::string tag = {});

    /// Reads TVM's JSON form without checking attribute names or adding defaults, so that
    /// toJson() gives back an equal object. Throws ParseError when it is no object with a `kind`.
    static Target fromJson(const json::Value& value);

    [[nodiscard]] const std::string& kind() const { return kind_; }
    [[nodiscard]] const std::string& tag() const { return tag_; }
    [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
    [[nodiscard]] bool hasKey(std::string_view key) const;
    /// Attributes under TVM's names, sorted; without kind, keys, tag and host.
    [[nodiscard]] const json::Object& attributes() const { return attributes_; }
    /// An attribute, or nullptr.
    [[nodiscard]] const json::Value* attribute(std::string_view name) const;
    /// An attribute when it is there and an integer.
    [[nodiscard]] std::optional<std::int64_t> intAttribute(std::string_view name) const;
    /// An attribute when it is there and a string, else empty.
    [[nodiscard]] std::string stringAttribute(std::string_view name) const;
    /// The target of the code that launches this one's kernels, if one was given.
    [[nodiscard]] const Target* host() const { return host_.get(); }

    [[nodiscard]] bool isCpu() const { return kind_ == "llvm" || kind_ == "c"; }
    [[nodiscard]] bool isGpu() const { return hasKey("gpu"); }
    [[nodiscard]] std::string mcpu() const { return stringAttribute("mcpu"); }
    /// The triple, or empty when this machine's is meant.
    [[nodiscard]] std::string mtriple() const { return stringAttribute("mtriple"); }
    [[nodiscard]] std::string mabi() const { return stringAttribute("mabi"); }
    /// CUDA's `sm_80`, or empty.
    [[nodiscard]] std::string arch() const { return stringAttribute("arch"); }
    /// Features switched on (`+avx2`) and off (`-avx512f`), in the given order.
    [[nodiscard]] std::vector<std::string> mattr() const;
    [[nodiscard]] std::optional<int> numCores() const;
    /// `vector-width` in bits when it was given; `simdWidthBits` in cpu_features.h fills it in.
    [[nodiscard]] std::optional<int> vectorWidth() const;
    [[nodiscard]] std::optional<int> maxThreadsPerBlock() const;
    [[nodiscard]] std::optional<int> threadWarpSize() const;
    [[nodiscard]] std::optional<std::int64_t> maxSharedMemoryPerBlock() const;
    /// NN of `sm_NN`, 0 when the target has none.
    [[nodiscard]] int smVersion() const;
    /// x86_64, aarch64, riscv64, arm, …: from the triple, else from the CPU's name, else this
    /// machine's. Empty for kinds that are not compiled through LLVM for a CPU.
    [[nodiscard]] std::string architecture() const;

    /// A copy with an attribute set (null takes it away).
    [[nodiscard]] Target with(std::string_view name, json::Value value) const;
    [[nodiscard]] Target withHost(Target host) const;

    /// TVM's form, keys sorted: `{"keys":["cpu"],"kind":"llvm","mcpu":"znver4","tag":""}`.
    [[nodiscard]] json::Value toJson() const;
    /// The text that parses back to this target: `llvm -mcpu=znver4 -num-cores=16`; the JSON form
    /// where words cannot say it (a host, keys of its own).
    [[nodiscard]] std::string toText() const;
    /// Two targets with the same key are the same for the database: the canonical JSON without tag.
    [[nodiscard]] std::string key() const;

    bool operator==(const Target& other) const { return key() == other.key(); }

private:
    std::string kind_;
    std::string tag_;
    std::vector<std::string> keys_;
    json::Object attributes_;
    std::shared_ptr<const Target> host_;
};

} // namespace tilewright::target
