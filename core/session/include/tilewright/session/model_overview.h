// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/device_peaks.h>
#include <tilewright/session/task_graph.h>
#include <tilewright/session/tuning_input.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// An input tensor of a model and the shape it was opened with.
struct OverviewInput {
    std::string name;
    std::string dtype;
    std::string declared;            ///< `N, 3, 224, 224`, as the file has it
    bool fixed = true;               ///< nothing about the declared shape is open
    std::vector<std::int64_t> shape; ///< bound; empty while it is missing
    bool assumed = false;            ///< the batch was taken to be 1
    bool operator==(const OverviewInput&) const = default;
};

/// What became of nodes of the file.
enum class ReportKind : std::uint8_t {
    Note,    ///< folded, fused: as it should be
    Warning, ///< worth a look: an assumed shape, a kernel that cannot be tuned
    Skipped, ///< not supported; the rest goes on
};

/// What a line of the import report says, for a window that speaks other languages.
enum class ReportWhat : std::uint8_t {
    Message,      ///< the text alone
    Folded,       ///< needs no kernel of its own
    Fused,        ///< into the kernel before it
    Task,         ///< is (the first of) a task
    AssumedBatch, ///< an input's open batch was taken to be 1
};

/// A line of the import report.
struct ReportLine {
    ReportKind kind = ReportKind::Note;
    ReportWhat what = ReportWhat::Message;
    std::string node; ///< name, or empty when it is about several
    std::int64_t count = 1;
    std::string op; ///< operator; empty for inputs
    int opset = 0;
    std::string text;               ///< what happened, one sentence without a full stop
    std::string tags;               ///< op tags of the tasks
    std::vector<std::string> tasks; ///< names of the tasks it is about
};

struct ImportSummary {
    std::string producer;
    int opset = 0;
    int irVersion = 0;
    std::int64_t parameters = 0;
    std::int64_t weightBytes = 0;
    std::int64_t nodes = 0;   ///< in the file
    std::int64_t compute = 0; ///< of these, part of a kernel
    std::int64_t folded = 0;  ///< gone before code is made: constants, merged into neighbours
    std::int64_t fused = 0;   ///< in a kernel with other nodes
    std::int64_t skipped = 0;
    std::int64_t warnings = 0;
    std::vector<ReportLine> lines; ///< skipped first, then warnings, then notes
};

/// A task of an opened input as tables show it. Seconds of one call.
struct OverviewTask {
    std::string name;
    std::string tag;   ///< `conv+add+relu`
    std::string shape; ///< `3→16, 32², 3×3`
    std::string dtype;
    double weight = 1;
    double flop = 0;                ///< of one call
    double bytes = 0;               ///< of one call: every tensor once
    std::vector<std::string> nodes; ///< of the model, of the first call
    /// Share of a run before anything is tuned, from the longer of the times at both roofs; 0 … 1.
    double estimatedShare = 0;
    double estimatedSeconds = 0; ///< of all calls, at the roofs
    bool memoryBound = false;    ///< the memory's roof is the lower one
    std::int64_t storeTask = -1; ///< id in the work directory, -1 = not there
    std::optional<double> defaultSeconds;
    std::optional<double> bestSeconds;
    std::int64_t bestRecord = -1;
    std::int64_t trials = 0;
    [[nodiscard]] bool tuned() const { return bestRecord >= 0 && trials > 0; }
    [[nodiscard]] double intensity() const { return bytes > 0 ? flop / bytes : 0; }
};

/// An opened input: a value, shared with whoever shows it.
struct ModelOverview {
    std::string path; ///< as given
    std::string name; ///< file name without extension, or the text of `op:` and `suite:`
    InputKind kind = InputKind::Model;
    std::vector<OverviewInput> inputs;
    /// Inputs lack shapes: nothing was extracted, `problem` says which.
    bool needsShapes = false;
    std::string problem;
    ImportSummary import;
    std::vector<OverviewTask> tasks;              ///< in execution order
    double flop = 0;                              ///< of a whole run
    PeakOrigin estimateOrigin = PeakOrigin::None; ///< what the estimated shares rest on
    std::shared_ptr<const TaskGraph> graph;       ///< of a model, else null
    std::filesystem::path workDir;                ///< that results were taken from; may be empty
    [[nodiscard]] bool hasTunedTask() const;
};

struct OverviewOptions {
    InputOptions input;
    std::string target = "host";
    std::filesystem::path workDir; ///< whose results are shown; empty or without a store: none
    std::filesystem::path peaksFile;
};

/// Opens an input and describes it. A batch that is the only open dimension of an input is taken to
/// be 1; other open shapes end in `needsShapes`. Throws UserError as openInput, and what parsing
/// the target throws.
std::shared_ptr<const ModelOverview> openOverview(const std::string& input,
                                                  const OverviewOptions& options);

/// The node-to-task mapping as CSV: node, op, opset, task, what happened.
std::string mappingCsv(const ModelOverview& overview);

/// `1, 3, 224, 224` (or with ×) as extents; nothing when it is no shape.
std::optional<std::vector<std::int64_t>> parseExtents(std::string_view text);

} // namespace tilewright::session
