// SPDX-License-Identifier: Apache-2.0
#include "tvm_lines.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/json/scan.h>

#include <algorithm>
#include <charconv>

namespace tilewright::database {
namespace {

json::ParseOptions tvmDialect() {
    json::ParseOptions options;
    options.dialect = json::Dialect::Tvm;
    return options;
}

base::Unexpected<base::Diagnostic> bad(std::string reason) {
    return base::Unexpected(base::Diagnostic("tvm-line", std::move(reason)));
}

/// Walks over a list of values without building them.
class Pieces {
public:
    Pieces(std::string_view text, std::size_t offset) : text_(text), pos_(offset) {}

    bool open() { return take('['); }
    bool comma() { return take(','); }
    bool close() { return take(']'); }
    /// The text of the next value; empty when there is none.
    std::string_view value() {
        pos_ = json::skipBlanks(text_, pos_);
        const auto end = json::scanValue(text_, pos_);
        if (!end)
            return {};
        const std::string_view piece = text_.substr(pos_, *end - pos_);
        pos_ = *end;
        return piece;
    }
    [[nodiscard]] std::size_t position() const { return json::skipBlanks(text_, pos_); }

private:
    bool take(char bracket) {
        pos_ = json::skipBlanks(text_, pos_);
        if (pos_ >= text_.size() || text_[pos_] != bracket)
            return false;
        ++pos_;
        return true;
    }

    std::string_view text_;
    std::size_t pos_;
};

/// Whether a JSON text is `[[…],[…]]`.
bool isTrace(std::string_view text) {
    Pieces pieces(text, 0);
    if (!pieces.open())
        return false;
    const std::string_view instructions = pieces.value();
    if (!instructions.starts_with('[') || !pieces.comma())
        return false;
    return pieces.value().starts_with('[') && pieces.close();
}

base::Result<std::optional<std::vector<double>>> readSeconds(std::string_view text) {
    if (text == "null")
        return std::optional<std::vector<double>>();
    const auto value = json::tryParse(text, tvmDialect());
    if (!value || !value->isArray())
        return bad("run_secs is no list of numbers");
    std::vector<double> seconds;
    for (const json::Value& item : value->asArray()) {
        if (!item.isNumber())
            return bad("run_secs is no list of numbers");
        seconds.push_back(item.asDouble());
    }
    return std::optional(std::move(seconds));
}

std::string nullAsEmpty(std::string_view text) {
    return text == "null" ? std::string() : std::string(text);
}

/// The strict fast way: nothing but the few numbers is built. False when it does not apply.
bool readFast(std::string_view text, std::size_t& offset, TvmRecordLine& line) {
    Pieces pieces(text, offset);
    if (!pieces.open())
        return false;
    const std::string_view index = pieces.value();
    const auto read = std::from_chars(index.data(), index.data() + index.size(), line.workload);
    if (read.ec != std::errc() || read.ptr != index.data() + index.size() || !pieces.comma() ||
        !pieces.open())
        return false;
    std::string_view parts[4];
    for (int i = 0; i < 4; ++i) {
        if (i > 0 && !pieces.comma())
            return false;
        parts[i] = pieces.value();
        if (parts[i].empty())
            return false;
    }
    if (!pieces.close() || !pieces.close())
        return false;
    auto record = readTvmRecord(line.workload, parts[0], parts[1], parts[2], parts[3]);
    if (!record)
        return false;
    line = std::move(*record);
    offset = pieces.position();
    return true;
}

std::optional<std::string> graphOf(std::string_view base64) {
    const auto bytes = json::decodeBase64(base64);
    if (!bytes || bytes->size() < 8)
        return std::nullopt;
    std::uint64_t length = 0;
    for (int i = 7; i >= 0; --i)
        length = length << 8 | static_cast<unsigned char>((*bytes)[static_cast<std::size_t>(i)]);
    if (length != bytes->size() - 8)
        return std::nullopt;
    return bytes->substr(8);
}

std::string lengthPrefixed(std::string_view text) {
    std::string bytes;
    std::uint64_t length = text.size();
    for (int i = 0; i < 8; ++i, length >>= 8)
        bytes.push_back(static_cast<char>(length & 255));
    bytes.append(text);
    return bytes;
}

void respell(json::Value& trace, const TvmEra& era) {
    for (json::Value& instruction : trace.asArray().at(0).asArray()) {
        json::Array& parts = instruction.asArray();
        if (parts.size() < 3 || !parts[0].isString())
            continue;
        const std::string& kind = parts[0].asString();
        if (kind == "GetSBlock" && era.getBlock)
            parts[0] = "GetBlock";
        else if (kind == "GetBlock" && !era.getBlock)
            parts[0] = "GetSBlock";
        else if (kind == "Split" && era.shortSplit && parts[2].size() > 1)
            parts[2].asArray().resize(1);
        else if (kind == "Split" && !era.shortSplit && parts[2].size() == 1)
            parts[2].push(0);
    }
}

} // namespace

base::Result<TvmRecordLine> readTvmRecord(std::int64_t workload, std::string_view trace,
                                          std::string_view seconds, std::string_view target,
                                          std::string_view args) {
    if (!isTrace(trace))
        return bad("the trace is not [instructions, decisions]");
    auto runSecs = readSeconds(seconds);
    if (!runSecs)
        return base::Unexpected(runSecs.error());
    if (target != "null" && !target.starts_with('{') && !target.starts_with('"'))
        return bad("the target is no object");
    if (args != "null" && !args.starts_with('['))
        return bad("args_info is no list");
    return TvmRecordLine{workload, std::string(trace), std::move(*runSecs), nullAsEmpty(target),
                         nullAsEmpty(args)};
}

base::Result<TvmRecordLine> readTvmRecord(std::string_view text, std::size_t& offset) {
    TvmRecordLine line;
    if (readFast(text, offset, line))
        return line;
    auto value = json::tryParsePrefix(text, offset, tvmDialect());
    if (!value)
        return bad(value.error().message);
    if (!value->isArray() || value->size() != 2 || !value->at(0).isInteger() ||
        !value->at(1).isArray() || value->at(1).size() < 1)
        return bad("no record: expected [workload, [trace, run_secs, target, args_info]]");
    const json::Value& parts = value->at(1);
    const auto part = [&](std::size_t i) {
        return i < parts.size() ? json::dump(parts.at(i)) : std::string("null");
    };
    if (value->at(0).kind() != json::Kind::Int || value->at(0).asInt() < 0)
        return bad("the number of the workload is no line's");
    // NaN has no JSON form; numbers are taken from the values themselves.
    return readTvmRecord(value->at(0).asInt(), part(0), part(1), part(2), part(3));
}

TuningRecord recordFromTvm(TvmRecordLine line) {
    TuningRecord record;
    record.trace = std::move(line.trace);
    record.target = std::move(line.target);
    record.argsInfo = std::move(line.args);
    record.origin = RecordOrigin::Imported;
    record.status = RecordStatus::Run;
    if (!line.seconds) {
        record.message = "not measured: run_secs is null";
        return record;
    }
    record.measurement = measurementOf(std::move(*line.seconds));
    const auto& median = record.measurement.median;
    if (!median)
        record.message = "not measured: run_secs is empty";
    else if (*median >= kFailedSeconds / 10)
        record.message = "failed when TVM measured it (run_secs 1e10)";
    else
        record.status = RecordStatus::Ok;
    return record;
}

base::Result<TvmWorkloadLine> readTvmWorkload(std::string_view hash, std::string_view base64) {
    auto graph = graphOf(base64);
    if (!graph)
        return bad("the module is no base64 text of a length and as many bytes");
    std::string line = "[";
    json::dumpString(line, hash, json::Style::Tvm);
    line += ',';
    json::dumpString(line, base64, json::Style::Tvm);
    line += ']';
    return TvmWorkloadLine{std::move(line), std::move(*graph)};
}

base::Result<TvmWorkloadLine> readTvmWorkload(std::string_view text, std::size_t& offset) {
    const std::size_t begin = offset;
    auto value = json::tryParsePrefix(text, offset, tvmDialect());
    if (!value)
        return bad(value.error().message);
    std::string_view raw = text.substr(begin, offset - begin);
    raw.remove_suffix(raw.size() - (raw.find_last_not_of(" \t\r\n") + 1));
    if (!value->isArray() || value->size() != 2)
        return bad("no workload: expected [hash, module]");
    const json::Value& module = value->at(1);
    if (module.isObject())
        return TvmWorkloadLine{std::string(raw), json::dump(module)};
    if (!module.isString())
        return bad("no workload: expected [hash, module]");
    if (module.asString().starts_with('{'))
        return TvmWorkloadLine{std::string(raw), module.asString()};
    auto graph = graphOf(module.asString());
    if (!graph)
        return bad("the module is no base64 text of a length and as many bytes");
    return TvmWorkloadLine{std::string(raw), std::move(*graph)};
}

void forEachTvmLine(json::LineReader& reader,
                    const std::function<void(std::string_view text, std::int64_t number)>& take) {
    while (reader.next()) {
        const std::string_view text = reader.line();
        const std::size_t begin = json::skipBlanks(text, 0);
        if (begin < text.size() && text[begin] != '#')
            take(text.substr(begin), reader.number());
    }
}

TvmEra tvmEraOf(std::string_view version) {
    TvmEra era;
    if (version.empty())
        return era;
    era.asStored = false;
    if (version == "newest" || version == "latest")
        return era;
    int major = 0, minor = 0;
    const char* end = version.data() + version.size();
    auto read = std::from_chars(version.data(), end, major);
    bool good = read.ec == std::errc() && read.ptr != end && *read.ptr == '.';
    if (good) {
        read = std::from_chars(read.ptr + 1, end, minor);
        good = read.ec == std::errc() && (read.ptr == end || *read.ptr == '.');
    }
    constexpr int newestMinor = 27;
    if (!good || major != 0 || minor < 12 || minor > newestMinor)
        throw base::UserError("era", base::concat("the TVM release '", version,
                                                  "' is not known; accepted: 0.12 to 0.",
                                                  newestMinor, ", or newest"));
    era.getBlock = minor < 24;
    era.shortSplit = minor < 18;
    era.legacyModule = minor < 22;
    return era;
}

std::string tvmRecordLine(std::int64_t workloadIndex, const TuningRecord& record,
                          const TvmEra& era) {
    std::string line = base::concat("[", workloadIndex, ",[");
    const auto append = [&](std::string_view text) {
        if (text.empty())
            line += "null";
        else
            json::dumpTo(line, json::parse(text, tvmDialect()), json::Style::Tvm);
    };
    if (era.asStored) {
        append(record.trace);
    } else {
        json::Value trace = json::parse(record.trace, tvmDialect());
        respell(trace, era);
        json::dumpTo(line, trace, json::Style::Tvm);
    }
    line += ',';
    const Measurement& m = record.measurement;
    if (m.present)
        json::dumpTo(line, json::Value::array(m.seconds), json::Style::Tvm);
    else if (record.status != RecordStatus::Ok && record.origin != RecordOrigin::Imported)
        line += "[10000000000]";
    else
        line += "null";
    line += ',';
    append(record.target);
    line += ',';
    append(record.argsInfo);
    line += "]]";
    return line;
}

std::optional<std::string> tvmWorkloadLine(const Workload& workload, const ModuleCodec& codec,
                                           const TvmEra& era) {
    if (!workload.tvmLine.empty())
        return workload.tvmLine;
    if (!codec.toTvmGraph || workload.module.empty())
        return std::nullopt;
    const std::uint64_t hash = codec.tvmHash ? codec.tvmHash(workload.module) : workload.hash;
    return base::concat(
        "[\"", hash, "\",\"",
        json::encodeBase64(lengthPrefixed(codec.toTvmGraph(workload.module, era.legacyModule))),
        "\"]");
}

} // namespace tilewright::database
