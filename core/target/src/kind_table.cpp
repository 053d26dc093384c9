// SPDX-License-Identifier: Apache-2.0
#include "kind_table.h"

#include <algorithm>
#include <numeric>

namespace tilewright::target {
namespace {

using Options = std::vector<std::pair<std::string_view, OptionType>>;

json::Object numbers(std::initializer_list<std::pair<const char*, int>> entries) {
    json::Object object;
    for (const auto& [name, value] : entries)
        object.set(name, value);
    return object;
}

Options named(OptionType type, std::initializer_list<std::string_view> names) {
    Options options;
    for (const auto name : names)
        options.emplace_back(name, type);
    return options;
}

Options merged(std::initializer_list<Options> parts) {
    Options all;
    for (const Options& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

Options everyKind() {
    return merged({named(OptionType::String, {"device", "model"}),
                   named(OptionType::List, {"libs"}),
                   named(OptionType::Int, {"from_device", "target_device_type"})});
}

Options gpuLimits() {
    return named(OptionType::Int, {"max_threads_per_block", "max_num_threads", "thread_warp_size",
                                   "max_shared_memory_per_block"});
}

KindInfo llvmKind() {
    return {
        "llvm",
        {"cpu"},
        {},
        merged(
            {everyKind(), named(OptionType::List, {"mattr", "cl-opt"}),
             named(OptionType::String, {"mcpu", "mtriple", "mfloat-abi", "mabi", "jit", "runtime"}),
             named(OptionType::Int,
                   {"num-cores", "opt-level", "vector-width", "l1-data-bytes", "l2-bytes"}),
             named(OptionType::Bool, {"fast-math", "fast-math-nnan", "fast-math-ninf",
                                      "fast-math-nsz", "fast-math-arcp", "fast-math-contract",
                                      "fast-math-reassoc", "link-params", "system-lib"})})};
}

KindInfo cudaKind() {
    json::Object defaults = numbers({{"max_num_threads", 1024}, {"thread_warp_size", 32}});
    defaults.set("arch", "sm_50");
    return {"cuda",
            {"cuda", "gpu"},
            defaults,
            merged({everyKind(), gpuLimits(), named(OptionType::String, {"mcpu", "arch"}),
                    named(OptionType::Int, {"registers_per_block", "l2_cache_size_bytes"})})};
}

KindInfo vulkanKind() {
    json::Object defaults = numbers(
        {{"thread_warp_size", 1}, {"max_threads_per_block", 256}, {"max_num_threads", 256}});
    defaults.set("supports_int32", true);
    defaults.set("supports_float32", true);
    return {
        "vulkan",
        {"vulkan", "gpu"},
        defaults,
        merged({everyKind(), gpuLimits(), named(OptionType::List, {"mattr"}),
                named(OptionType::Bool,
                      {"supports_float16", "supports_float32", "supports_float64", "supports_int8",
                       "supports_int16", "supports_int32", "supports_int64", "supports_8bit_buffer",
                       "supports_16bit_buffer", "supports_storage_buffer_storage_class",
                       "supports_push_descriptor", "supports_dedicated_allocation",
                       "supports_integer_dot_product", "supports_cooperative_matrix"}),
                named(OptionType::String, {"device_type", "device_name", "driver_name"}),
                named(OptionType::Int,
                      {"supported_subgroup_operations", "max_block_size_x", "max_block_size_y",
                       "max_block_size_z", "max_push_constants_size", "max_uniform_buffer_range",
                       "max_storage_buffer_range", "max_per_stage_descriptor_storage_buffer",
                       "driver_version", "vulkan_api_version", "max_spirv_version"})})};
}

KindInfo openclKind() {
    return {
        "opencl",
        {"opencl", "gpu"},
        numbers({{"image_base_address_alignment", 64},
                 {"max_function_args", 128},
                 {"texture_depth_limit", 2048},
                 {"texture_spatial_limit", 16384},
                 {"thread_warp_size", 1},
                 {"max_num_threads", 256},
                 {"max_shared_memory_per_block", 16384},
                 {"max_threads_per_block", 256}}),
        merged({everyKind(), gpuLimits(),
                named(OptionType::Int, {"texture_spatial_limit", "texture_depth_limit",
                                        "max_function_args", "image_base_address_alignment"})})};
}

std::vector<KindInfo> allKinds() {
    return {
        llvmKind(),
        {"c",
         {"cpu"},
         {},
         merged({everyKind(), named(OptionType::String, {"mcpu", "march"}),
                 named(OptionType::Int,
                       {"num-cores", "workspace-byte-alignment", "constants-byte-alignment"})})},
        cudaKind(),
        {"rocm",
         {"rocm", "gpu"},
         numbers({{"thread_warp_size", 64},
                  {"max_shared_memory_per_block", 65536},
                  {"max_threads_per_block", 256},
                  {"max_num_threads", 256}}),
         merged({everyKind(), gpuLimits(), named(OptionType::String, {"mcpu", "mtriple"}),
                 named(OptionType::List, {"mattr"})})},
        {"metal",
         {"metal", "gpu"},
         numbers({{"max_function_args", 31},
                  {"thread_warp_size", 16},
                  {"max_shared_memory_per_block", 32768},
                  {"max_threads_per_block", 256},
                  {"max_num_threads", 256}}),
         merged({everyKind(), gpuLimits(), named(OptionType::Int, {"max_function_args"})})},
        openclKind(),
        vulkanKind(),
        {"hexagon",
         {"hexagon", "cpu"},
         {},
         merged({everyKind(), named(OptionType::String, {"mcpu", "mtriple"}),
                 named(OptionType::List, {"mattr", "llvm-options"}),
                 named(OptionType::Int, {"num-cores", "vtcm-capacity"})})},
    };
}

int editDistance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::optional<KindInfo> findKind(std::string_view name) {
    for (KindInfo& kind : allKinds())
        if (kind.name == name)
            return std::move(kind);
    return std::nullopt;
}

std::vector<std::string> kindNames() {
    std::vector<std::string> names;
    for (const KindInfo& kind : allKinds())
        names.emplace_back(kind.name);
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<OptionType> findOption(const KindInfo& kind, std::string_view name) {
    for (const auto& [option, type] : kind.options)
        if (option == name)
            return type;
    return std::nullopt;
}

std::vector<std::string> nearestNames(std::string_view word,
                                      const std::vector<std::string>& candidates) {
    std::vector<std::pair<int, std::string>> scored;
    for (const std::string& name : candidates) {
        const bool contained = !word.empty() && name.find(word) != std::string::npos;
        const int distance = contained ? 1 : editDistance(word, name);
        if (distance <= std::max<int>(2, static_cast<int>(word.size()) / 2))
            scored.emplace_back(distance, name);
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, scored.size()); ++i)
        names.push_back(scored[i].second);
    return names;
}

} // namespace tilewright::target
