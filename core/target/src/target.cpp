// SPDX-License-Identifier: Apache-2.0
#include "kind_table.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/target/target.h>

#include <algorithm>
#include <charconv>

namespace tilewright::target {
namespace {

json::Object sorted(const json::Object& attributes) {
    std::vector<json::Member> members(attributes.begin(), attributes.end());
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    json::Object result;
    for (json::Member& member : members)
        result.set(member.key, std::move(member.value));
    return result;
}

bool needsQuotes(std::string_view text) {
    return text.empty() || text.find_first_of(" \t\"'\\") != std::string_view::npos;
}

/// The text of an attribute in an option, or nothing when words cannot say it.
std::optional<std::string> optionText(const json::Value& value) {
    if (value.isArray()) {
        for (const json::Value& item : value.asArray())
            if (!item.isString() || needsQuotes(item.asString()) ||
                item.asString().find(',') != std::string::npos)
                return std::nullopt;
        if (value.size() == 0)
            return std::nullopt;
        std::vector<std::string> words;
        for (const json::Value& item : value.asArray())
            words.push_back(item.asString());
        return base::join(words, ",");
    }
    if (value.isString()) {
        if (value.asString().find_first_of("\"\\\n") != std::string::npos)
            return std::nullopt;
        return needsQuotes(value.asString()) ? "\"" + value.asString() + "\"" : value.asString();
    }
    if (value.isBool() || value.isInteger())
        return json::dump(value);
    return std::nullopt;
}

std::string hostArchitecture() {
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__aarch64__)
    return "aarch64";
#elif defined(__riscv) && __riscv_xlen == 64
    return "riscv64";
#else
    return "unknown";
#endif
}

std::string architectureOfTriple(std::string triple) {
    triple.resize(std::min(triple.find('-'), triple.size()));
    if (triple == "arm64" || triple == "aarch64")
        return "aarch64";
    if (triple == "amd64" || triple == "x86_64")
        return "x86_64";
    if (triple.starts_with("armv") || triple.starts_with("thumb") || triple == "arm")
        return "arm";
    if (triple.size() == 4 && triple[0] == 'i' && triple.ends_with("86"))
        return "i386";
    return triple;
}

} // namespace

Target::Target() : Target("llvm", {"cpu"}) {}

Target::Target(std::string kind, std::vector<std::string> keys, json::Object attributes,
               std::string tag)
    : kind_(std::move(kind)), tag_(std::move(tag)), keys_(std::move(keys)),
      attributes_(sorted(attributes)) {}

Target Target::fromJson(const json::Value& value) {
    Target target("", {});
    for (const json::Member& member : value.asObject()) {
        if (member.key == "kind")
            target.kind_ = member.value.asString();
        else if (member.key == "tag")
            target.tag_ = member.value.asString();
        else if (member.key == "host") {
            if (!member.value.isNull())
                target.host_ = std::make_shared<const Target>(fromJson(member.value));
        } else if (member.key == "keys") {
            for (const json::Value& key : member.value.asArray())
                target.keys_.push_back(key.asString());
        } else
            target.attributes_.set(member.key, member.value);
    }
    if (target.kind_.empty())
        throw base::ParseError("target", "the target has no \"kind\"");
    target.attributes_ = sorted(target.attributes_);
    return target;
}

bool Target::hasKey(std::string_view key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
}

const json::Value* Target::attribute(std::string_view name) const {
    return attributes_.find(name);
}

std::optional<std::int64_t> Target::intAttribute(std::string_view name) const {
    const json::Value* value = attribute(name);
    if (!value || !value->isInteger())
        return std::nullopt;
    return value->asInt();
}

std::string Target::stringAttribute(std::string_view name) const {
    const json::Value* value = attribute(name);
    return value && value->isString() ? value->asString() : std::string();
}

std::vector<std::string> Target::mattr() const {
    std::vector<std::string> features;
    const json::Value* value = attribute("mattr");
    if (value && value->isArray())
        for (const json::Value& item : value->asArray())
            if (item.isString())
                features.push_back(item.asString());
    return features;
}

namespace {

std::optional<int> narrowed(std::optional<std::int64_t> value) {
    if (!value || *value < 0 || *value > INT32_MAX)
        return std::nullopt;
    return static_cast<int>(*value);
}

} // namespace

std::optional<int> Target::numCores() const {
    return narrowed(intAttribute("num-cores"));
}
std::optional<int> Target::vectorWidth() const {
    return narrowed(intAttribute("vector-width"));
}
std::optional<int> Target::maxThreadsPerBlock() const {
    return narrowed(intAttribute("max_threads_per_block"));
}
std::optional<int> Target::threadWarpSize() const {
    return narrowed(intAttribute("thread_warp_size"));
}
std::optional<std::int64_t> Target::maxSharedMemoryPerBlock() const {
    return intAttribute("max_shared_memory_per_block");
}

int Target::smVersion() const {
    const std::string name = arch();
    int version = 0;
    if (name.starts_with("sm_"))
        std::from_chars(name.data() + 3, name.data() + name.size(), version);
    return version;
}

std::string Target::architecture() const {
    if (!isCpu())
        return {};
    if (const std::string triple = mtriple(); !triple.empty())
        return architectureOfTriple(triple);
    const std::string cpu = mcpu();
    if (cpu.starts_with("cortex-") || cpu.starts_with("neoverse-") || cpu.starts_with("apple-"))
        return "aarch64";
    if (cpu.starts_with("generic-rv64") || cpu.starts_with("sifive-"))
        return "riscv64";
    if (cpu.empty() || cpu == "generic" || cpu == "native")
        return hostArchitecture();
    return "x86_64";
}

Target Target::with(std::string_view name, json::Value value) const {
    Target copy = *this;
    if (value.isNull())
        copy.attributes_.erase(name);
    else
        copy.attributes_.set(name, std::move(value));
    copy.attributes_ = sorted(copy.attributes_);
    return copy;
}

Target Target::withHost(Target host) const {
    Target copy = *this;
    copy.host_ = std::make_shared<const Target>(std::move(host));
    return copy;
}

json::Value Target::toJson() const {
    json::Object object = attributes_;
    object.set("kind", kind_);
    object.set("tag", tag_);
    object.set("keys", json::Value::array(keys_));
    if (host_)
        object.set("host", host_->toJson());
    return json::Value(sorted(object));
}

std::string Target::toText() const {
    const auto info = findKind(kind_);
    if (host_ || !info || !tag_.empty())
        return json::dump(toJson());
    std::string text = kind_;
    std::vector<std::string> expectedKeys = info->defaultKeys;
    if (architecture() == "aarch64" || architecture() == "arm")
        if (!mtriple().empty())
            expectedKeys.insert(expectedKeys.begin(), "arm_cpu");
    if (keys_ != expectedKeys)
        text += " -keys=" + base::join(keys_, ",");
    for (const json::Member& member : attributes_) {
        if (const json::Value* standard = info->defaults.find(member.key);
            standard && *standard == member.value)
            continue;
        const auto option = findOption(*info, member.key);
        const auto value = optionText(member.value);
        if (!option || !value)
            return json::dump(toJson());
        text += base::concat(" -", member.key, "=", *value);
    }
    return text;
}

std::string Target::key() const {
    json::Value object = toJson();
    object.asObject().erase("tag");
    return json::dump(object, json::Style::Tvm);
}

} // namespace tilewright::target
