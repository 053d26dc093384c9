// SPDX-License-Identifier: Apache-2.0
#include "preset_table.h"

namespace tilewright::target {
namespace {

constexpr std::string_view kNvidia75 =
    "cuda -arch=sm_75 -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";
constexpr std::string_view kNvidia70 =
    "cuda -arch=sm_70 -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";
constexpr std::string_view kNvidia80 =
    "cuda -arch=sm_80 -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";
constexpr std::string_view kNvidia86 =
    "cuda -arch=sm_86 -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";
constexpr std::string_view kNvidia89 =
    "cuda -arch=sm_89 -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";
constexpr std::string_view kNvidia90 =
    "cuda -arch=sm_90a -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";
constexpr std::string_view kJetsonOrin =
    "cuda -arch=sm_87 -max_shared_memory_per_block=49152 -max_threads_per_block=1024 "
    "-registers_per_block=65536";

constexpr PresetEntry kPresets[] = {
    {"aarch64-dotprod", "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a76 -mattr=+neon,+dotprod "
                        "-num-cores=4"},
    {"aarch64-neon", "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72 -mattr=+neon -num-cores=4"},
    {"apple-m1", "llvm -mtriple=arm64-apple-macos -mcpu=apple-m1 -num-cores=4"},
    {"aws/cpu/c5.12xlarge", "llvm -keys=x86,cpu -mcpu=cascadelake -num-cores=24"},
    {"aws/cpu/c5.18xlarge", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=36"},
    {"aws/cpu/c5.24xlarge", "llvm -keys=x86,cpu -mcpu=cascadelake -num-cores=48"},
    {"aws/cpu/c5.2xlarge", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=4"},
    {"aws/cpu/c5.4xlarge", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=8"},
    {"aws/cpu/c5.9xlarge", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=18"},
    {"aws/cpu/c5.large", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=1"},
    {"aws/cpu/c5.xlarge", "llvm -keys=x86,cpu -mcpu=skylake-avx512 -num-cores=2"},
    {"cuda-sm70", kNvidia70},
    {"cuda-sm75", kNvidia75},
    {"cuda-sm80", kNvidia80},
    {"cuda-sm86", kNvidia86},
    {"cuda-sm89", kNvidia89},
    {"cuda-sm90", kNvidia90},
    {"llvm-amx", "llvm -mcpu=sapphirerapids -num-cores=4"},
    {"llvm-avx2", "llvm -mcpu=core-avx2 -num-cores=4"},
    {"llvm-avx512", "llvm -mcpu=skylake-avx512 -num-cores=4"},
    {"llvm-vnni", "llvm -mcpu=cascadelake -num-cores=4"},
    {"nvidia/geforce-rtx-2080-ti", kNvidia75},
    {"nvidia/geforce-rtx-3070", kNvidia86},
    {"nvidia/geforce-rtx-3080", kNvidia86},
    {"nvidia/geforce-rtx-3090", kNvidia86},
    {"nvidia/geforce-rtx-4080", kNvidia89},
    {"nvidia/geforce-rtx-4090", kNvidia89},
    {"nvidia/jetson-agx-orin-64gb", kJetsonOrin},
    {"nvidia/nvidia-a100", kNvidia80},
    {"nvidia/nvidia-h100", kNvidia90},
    {"nvidia/nvidia-t4", kNvidia75},
    {"nvidia/nvidia-v100", kNvidia70},
    {"raspberry-pi/4b-aarch64",
     "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72 -mattr=+neon -num-cores=4"},
    {"raspberry-pi/5", "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a76 -mattr=+neon,+dotprod "
                       "-num-cores=4"},
    {"riscv64", "llvm -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 "
                "-mattr=+64bit,+a,+c,+d,+f,+m -mabi=lp64d -num-cores=4"},
    {"riscv64-rvv128", "llvm -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 "
                       "-mattr=+64bit,+a,+c,+d,+f,+m,+v -mabi=lp64d -vector-width=128 "
                       "-num-cores=4"},
    {"riscv64-rvv256", "llvm -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 "
                       "-mattr=+64bit,+a,+c,+d,+f,+m,+v -mabi=lp64d -vector-width=256 "
                       "-num-cores=4"},
    {"riscv64-rvv512", "llvm -mtriple=riscv64-unknown-linux-gnu -mcpu=generic-rv64 "
                       "-mattr=+64bit,+a,+c,+d,+f,+m,+v -mabi=lp64d -vector-width=512 "
                       "-num-cores=4"},
};

} // namespace

std::span<const PresetEntry> presetTable() {
    return kPresets;
}

} // namespace tilewright::target
