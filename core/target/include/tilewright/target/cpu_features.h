// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/target.h>

#include <set>
#include <string>
#include <string_view>

namespace tilewright::target {

/// Answers which features (LLVM's names) code for a target may use. The code generator implements
/// it with LLVM's tables; StaticCpuFeatures is enough for choosing schedule rules.
/// Implementations may be called from several threads.
class CpuFeatureSource {
public:
    virtual ~CpuFeatureSource() = default;
    [[nodiscard]] virtual bool hasFeature(const Target& target, std::string_view feature) const = 0;
};

/// Knows the usual x86-64, Arm and RISC-V CPUs by name, and what features imply.
class StaticCpuFeatures final : public CpuFeatureSource {
public:
    [[nodiscard]] bool hasFeature(const Target& target, std::string_view feature) const override;
    /// All features: those of `mcpu` (of its architecture's baseline when it is not known), then
    /// `mattr` switched on and off with what each implies.
    [[nodiscard]] static std::set<std::string, std::less<>> features(const Target& target);
    /// Whether `mcpu` is in the table.
    [[nodiscard]] static bool knowsCpu(std::string_view mcpu);
};

/// Vector registers' width in bits: `vector-width` when given, else by feature (AVX-512 512,
/// AVX 256, other x86 128, NEON 128, RVV its guaranteed VLEN, at least 128); 0 without vectors.
int simdWidthBits(const Target& target, const CpuFeatureSource& source);

} // namespace tilewright::target
