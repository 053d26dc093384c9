// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/open_target.h>

#include <tilewright/base/concat.h>
#include <tilewright/database/work_dir.h>

#include <array>
#include <fstream>
#include <optional>
#include <string_view>

namespace tilewright::session {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kHeadBytes = 4096;
constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};
constexpr std::string_view kWorkloadWord = "workload";
constexpr std::string_view kRecordWord = "tuning_record";

enum class Half : std::uint8_t { Workloads, Records };

std::string headOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string head(kHeadBytes, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return head;
}

/// The first two significant characters: a workload line is `["hash", …`, a record line `[3, …`.
std::optional<Half> halfOf(std::string_view head) {
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    std::string found;
    for (std::size_t i = 0; i < head.size() && found.size() < 2; ++i) {
        const char c = head[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            continue;
        if (c == '#' && found.empty()) {
            i = std::min(head.find('\n', i), head.size() - 1);
            continue;
        }
        found += c;
    }
    if (found.size() < 2 || found[0] != '[')
        return std::nullopt;
    if (found[1] == '"')
        return Half::Workloads;
    if (found[1] >= '0' && found[1] <= '9')
        return Half::Records;
    return std::nullopt;
}

/// `x_workload.json` → `x_tuning_record.json` and back; empty when the name has neither word.
fs::path partnerOf(const fs::path& file, Half half) {
    const std::string_view from = half == Half::Workloads ? kWorkloadWord : kRecordWord;
    const std::string_view to = half == Half::Workloads ? kRecordWord : kWorkloadWord;
    std::string name = file.filename().string();
    const std::size_t at = name.rfind(from);
    if (at == std::string::npos)
        return {};
    name.replace(at, from.size(), to);
    std::error_code ignored;
    const fs::path partner = file.parent_path() / name;
    return fs::is_regular_file(partner, ignored) ? partner : fs::path();
}

OpenTarget refused(OpenKind kind, const fs::path& path, std::string reason) {
    return {kind, path, {}, std::move(reason)};
}

OpenTarget recogniseFolder(const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(folder / database::kStoreFileName, ignored))
        return {OpenKind::Results, folder, {}, {}};
    const fs::path workloads = folder / database::kTvmWorkloadFile;
    const fs::path records = folder / database::kTvmRecordFile;
    if (fs::exists(workloads, ignored) && fs::exists(records, ignored))
        return {OpenKind::TvmPair, workloads, records, {}};
    if (fs::exists(folder / "database_workload.sqlite", ignored) &&
        fs::exists(folder / "database_tuning_record.sqlite", ignored))
        return {OpenKind::TvmSqlite, folder, {}, {}};
    return refused(OpenKind::Unknown, folder,
                   base::concat("the folder has neither ", database::kStoreFileName,
                                " nor a pair of TVM files"));
}

/// Anything but one half of a pair.
OpenTarget recogniseFile(const fs::path& file, const std::string& head) {
    const std::string ending = file.extension().string();
    if (head.starts_with(kSqliteMagic)) {
        const std::string id = head.size() >= 72 ? head.substr(68, 4) : std::string();
        if (id == "TWDB")
            return {OpenKind::Results, file, {}, {}};
        if (file.filename() == "database_workload.sqlite" ||
            file.filename() == "database_tuning_record.sqlite")
            return recogniseFolder(file.parent_path());
        return refused(OpenKind::Unknown, file, "an SQLite database of another program");
    }
    if (ending == ".twdb")
        return refused(OpenKind::Unknown, file,
                       head.empty() ? "the file is empty" : "the file is no database");
    if (ending == ".onnx")
        return {OpenKind::Model, file, {}, {}};
    if (ending == ".py")
        return {OpenKind::Module, file, {}, {}};
    // ir_version is field 1 of a model, a small number.
    if (head.size() > 2 && head[0] == '\x08' && head[1] > 0 && head[1] < 20)
        return {OpenKind::Model, file, {}, {}};
    return refused(OpenKind::Unknown, file,
                   "neither an ONNX model, a database, nor one of TVM's record files");
}

} // namespace

std::vector<OpenTarget> recogniseFiles(const std::vector<fs::path>& files) {
    std::vector<OpenTarget> targets;
    std::array<std::vector<fs::path>, 2> halves; // by Half, in the order given
    std::error_code ignored;
    for (const fs::path& file : files) {
        if (!fs::exists(file, ignored)) {
            targets.push_back(refused(OpenKind::Missing, file, "the file is not there"));
            continue;
        }
        if (fs::is_directory(file, ignored)) {
            targets.push_back(recogniseFolder(file));
            continue;
        }
        const std::string head = headOf(file);
        if (const auto half = halfOf(head))
            halves[static_cast<std::size_t>(*half)].push_back(file);
        else
            targets.push_back(recogniseFile(file, head));
    }
    auto& [workloads, records] = halves;
    // With one of each, they belong together whatever their names; else names decide.
    if (workloads.size() == 1 && records.size() == 1) {
        targets.push_back({OpenKind::TvmPair, workloads[0], records[0], {}});
        return targets;
    }
    const auto isTaken = [&](const fs::path& file) {
        for (const OpenTarget& target : targets)
            if (target.kind == OpenKind::TvmPair &&
                (target.path == file || target.recordFile == file))
                return true;
        return false;
    };
    for (const Half half : {Half::Workloads, Half::Records})
        for (const fs::path& file : halves[static_cast<std::size_t>(half)]) {
            if (isTaken(file))
                continue;
            const fs::path partner = partnerOf(file, half);
            if (partner.empty())
                targets.push_back(
                    refused(OpenKind::Unknown, file,
                            half == Half::Workloads
                                ? "TVM's workload file alone; its record file is not beside it"
                                : "TVM's record file alone; its workload file is not beside it"));
            else if (half == Half::Workloads)
                targets.push_back({OpenKind::TvmPair, file, partner, {}});
            else
                targets.push_back({OpenKind::TvmPair, partner, file, {}});
        }
    return targets;
}

} // namespace tilewright::session
