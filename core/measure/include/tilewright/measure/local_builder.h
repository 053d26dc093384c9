// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/builder.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::measure {

struct BuilderSettings {
    /// Build workers; 0: one a CPU that they may use.
    int maxWorkers = 0;
    /// A build is killed after this time.
    double timeoutSeconds = 30;
    /// CPUs for the workers; empty: those of this process.
    std::vector<int> cpus;
    /// Address space of a worker; 0: unlimited.
    std::uint64_t memoryLimitBytes = std::uint64_t{8} << 30;
    /// A worker is replaced when it holds more than this.
    std::uint64_t recycleBytes = std::uint64_t{1} << 30;
    /// `key=value` options of code generation, sent with each build.
    std::vector<std::string> codegenOptions;
    /// Command of a build worker; empty: tilewright-builder beside this program.
    std::vector<std::string> command;
};

/// Compiles in persistent child processes (kind `local`): a crash, a hang or an out-of-memory of
/// the compiler is a failure of one candidate, and its worker is replaced. Workers start when first
/// needed and end with the builder.
class LocalBuilder final : public Builder {
public:
    explicit LocalBuilder(BuilderSettings settings = {});
    ~LocalBuilder() override;

    using Builder::build;
    [[nodiscard]] std::string kind() const override { return "local"; }
    void build(std::span<const BuilderInput> inputs, const OnResult& onResult,
               std::stop_token stop) override;
    /// Process ids of the workers that run now.
    [[nodiscard]] std::vector<int> workerProcesses() const;

private:
    class Pool;
    std::unique_ptr<Pool> pool_;
};

} // namespace tilewright::measure
