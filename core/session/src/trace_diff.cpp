// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/trace_diff.h>

#include <tilewright/base/concat.h>
#include <tilewright/json/dump.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tilewright::session {

namespace {

using schedule::Instruction;
using schedule::RvKind;
using schedule::Trace;
using schedule::Value;

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Gives variables numbers by first use within their role.
class VariableNames {
public:
    std::string renamed(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] == '"') {
                std::size_t end = i + 1;
                while (end < text.size() && text[end] != '"')
                    end += text[end] == '\\' ? 2 : 1;
                end = std::min(end + 1, text.size());
                out += text.substr(i, end - i);
                i = end;
            } else if (isWordCharacter(text[i])) {
                std::size_t end = i;
                while (end < text.size() && isWordCharacter(text[end]))
                    ++end;
                out += word(std::string(text.substr(i, end - i)));
                i = end;
            } else {
                out.push_back(text[i++]);
            }
        }
        return out;
    }

private:
    std::string word(std::string text) {
        const std::size_t role = std::string_view("blv").find(text[0]);
        if (role == std::string_view::npos || text.size() < 2 ||
            text.find_first_not_of("0123456789", 1) != std::string::npos)
            return text;
        const auto [it, added] = names_.try_emplace(text);
        if (added)
            it->second = base::concat(text[0], counts_[role]++);
        return it->second;
    }
    std::map<std::string, std::string> names_;
    std::array<int, 3> counts_{};
};

/// What the alignment looks at of one instruction.
struct Step {
    std::size_t index = 0;
    std::string kind;
    std::string block; ///< names of the blocks it works on
    std::string key;   ///< kind, attributes, blocks
    std::string text;
    std::string decision;
    std::string subject;
};

std::string listText(const Value& value) {
    if (const auto* list = value.asList()) {
        std::vector<std::string> items;
        for (const Value& item : *list)
            items.push_back(listText(item));
        return base::concat('[', base::join(items, ", "), ']');
    }
    if (const auto* number = value.asInt())
        return std::to_string(*number);
    if (const auto* number = value.asFloat())
        return base::concat(*number);
    if (const auto* text = value.asString())
        return *text;
    return value.isNull() ? "None" : "...";
}

std::string decisionText(const Instruction& step, const Value& decision) {
    if (decision.isNull())
        return {};
    if (const std::int64_t* index = decision.asInt()) {
        if (step.is("SampleComputeLocation"))
            return *index == -1 ? "root" : *index == -2 ? "inline" : base::concat("loop ", *index);
        if (step.is("SampleCategorical") && !step.attrs.empty()) {
            const auto* candidates = step.attrs[0].asList();
            if (candidates && *index >= 0 && *index < static_cast<std::int64_t>(candidates->size()))
                return listText((*candidates)[static_cast<std::size_t>(*index)]);
        }
    }
    return listText(decision);
}

/// Reads a trace into steps, following variables to the blocks they came from.
class StepReader {
public:
    explicit StepReader(const Trace& trace) : trace_(trace) {}

    std::vector<Step> read() {
        findUses();
        const json::Value json = trace_.toJson();
        const json::Array& instructions = json.at(0).asArray();
        std::vector<Step> steps;
        for (std::size_t i = 0; i < trace_.size(); ++i) {
            const Instruction& instruction = trace_[i];
            Step step;
            step.index = i;
            step.kind = instruction.kind->name;
            step.block = blocksOf(instruction);
            step.key =
                base::concat(step.kind, '|', json::dump(instructions[i].at(2)), '|', step.block);
            step.text = names_.renamed(trace_.instructionText(i));
            step.decision = decisionText(instruction, trace_.decision(i));
            step.subject = subjectOf(instruction, step.block);
            for (std::size_t k = 0; k < instruction.outputs.size(); ++k)
                origins_[instruction.outputs[k].id] =
                    originOf(instruction, step.block, instruction.outputs[k].kind, k);
            steps.push_back(std::move(step));
        }
        return steps;
    }

private:
    struct Origin {
        std::string block;
        int loop = -1; ///< of get_loops
    };

    void collect(const Value& value, std::vector<std::int32_t>& out) const {
        if (const auto* rv = value.asRv())
            out.push_back(rv->id);
        else if (const auto* list = value.asList())
            for (const Value& item : *list)
                collect(item, out);
    }
    std::vector<std::int32_t> variablesOf(const Instruction& instruction) const {
        std::vector<std::int32_t> ids;
        for (const Value& input : instruction.inputs)
            collect(input, ids);
        return ids;
    }
    void findUses() {
        for (std::size_t i = 0; i < trace_.size(); ++i)
            for (const std::int32_t id : variablesOf(trace_[i]))
                uses_.try_emplace(id, i);
    }
    std::string blocksOf(const Instruction& instruction) const {
        if (instruction.is("GetSBlock") && !instruction.attrs.empty())
            return listText(instruction.attrs[0]);
        std::vector<std::string> names;
        for (const std::int32_t id : variablesOf(instruction)) {
            const auto it = origins_.find(id);
            if (it != origins_.end() && !it->second.block.empty() &&
                std::find(names.begin(), names.end(), it->second.block) == names.end())
                names.push_back(it->second.block);
        }
        return base::join(names, ",");
    }
    static Origin originOf(const Instruction& instruction, const std::string& block, RvKind kind,
                           std::size_t output) {
        const std::string first = block.substr(0, block.find(','));
        if (instruction.is("GetLoops"))
            return {first, static_cast<int>(output)};
        // A block made out of another one: name it after what made it.
        if (kind == RvKind::Block && !instruction.is("GetSBlock"))
            return {base::concat(first, '.', instruction.kind->pythonName,
                                 output == 0 ? std::string() : std::to_string(output))};
        return {first};
    }
    std::string subjectOf(const Instruction& instruction, const std::string& block) const {
        if (!instruction.kind->sampling)
            return {};
        if (instruction.is("SampleComputeLocation"))
            return base::concat("compute location of ", block);
        if (instruction.is("SampleCategorical") && !instruction.outputs.empty()) {
            const auto use = uses_.find(instruction.outputs[0].id);
            if (use == uses_.end())
                return "choice";
            const Instruction& user = trace_[use->second];
            const std::string where = blocksOf(user);
            const std::string what = user.is("Annotate") && !user.attrs.empty()
                                         ? listText(user.attrs[0])
                                         : std::string(user.kind->pythonName);
            return base::concat(what, where.empty() ? "" : " of ", where);
        }
        for (const std::int32_t id : variablesOf(instruction)) {
            const auto it = origins_.find(id);
            if (it != origins_.end())
                return it->second.loop >= 0
                           ? base::concat("tile of ", it->second.block, ", loop ", it->second.loop)
                           : base::concat("tile of ", it->second.block);
        }
        return block;
    }

    const Trace& trace_;
    VariableNames names_;
    std::map<std::int32_t, Origin> origins_;
    std::map<std::int32_t, std::size_t> uses_; ///< first instruction that takes a variable
};

using Pair = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>;

/// Cost of standing beside each other; negative = never.
int beside(const Step& left, const Step& right) {
    if (left.key == right.key)
        return 0;
    return left.kind == right.kind && left.block == right.block ? 1 : -1;
}

/// Global alignment with gaps of cost 2.
std::vector<Pair> align(const std::vector<Step>& left, const std::vector<Step>& right) {
    constexpr int gap = 2;
    const std::size_t columns = right.size() + 1;
    std::vector<int> cost((left.size() + 1) * columns);
    for (std::size_t i = left.size() + 1; i-- > 0;)
        for (std::size_t k = columns; k-- > 0;) {
            int& here = cost[i * columns + k];
            if (i == left.size() || k == right.size()) {
                here = gap * static_cast<int>(left.size() - i + right.size() - k);
                continue;
            }
            here = gap + std::min(cost[(i + 1) * columns + k], cost[i * columns + k + 1]);
            const int match = beside(left[i], right[k]);
            if (match >= 0)
                here = std::min(here, match + cost[(i + 1) * columns + k + 1]);
        }
    std::vector<Pair> pairs;
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < left.size() || k < right.size()) {
        if (i < left.size() && k < right.size()) {
            const int match = beside(left[i], right[k]);
            if (match >= 0 && cost[i * columns + k] == match + cost[(i + 1) * columns + k + 1]) {
                pairs.emplace_back(i++, k++);
                continue;
            }
        }
        const bool takeLeft =
            k == right.size() ||
            (i < left.size() && cost[i * columns + k] == gap + cost[(i + 1) * columns + k]);
        if (takeLeft)
            pairs.emplace_back(i++, std::nullopt);
        else
            pairs.emplace_back(std::nullopt, k++);
    }
    return pairs;
}

/// Same key on both sides at places that could not be aligned.
void joinMoved(std::vector<Pair>& pairs, const std::vector<Step>& left,
               const std::vector<Step>& right, std::set<std::size_t>& moved) {
    for (std::size_t r = 0; r < pairs.size(); ++r) {
        if (pairs[r].first || !pairs[r].second)
            continue;
        for (std::size_t l = 0; l < pairs.size(); ++l) {
            if (pairs[l].second || !pairs[l].first ||
                left[*pairs[l].first].key != right[*pairs[r].second].key)
                continue;
            pairs[r].first = pairs[l].first;
            pairs[l] = {};
            moved.insert(*pairs[r].second);
            break;
        }
    }
    std::erase_if(pairs, [](const Pair& pair) { return !pair.first && !pair.second; });
}

TraceRow makeRow(const Step* left, const Step* right, bool moved) {
    TraceRow row;
    if (left) {
        row.left = left->index;
        row.leftText = left->text;
        row.leftDecision = left->decision;
        row.subject = left->subject;
    }
    if (right) {
        row.right = right->index;
        row.rightText = right->text;
        row.rightDecision = right->decision;
        if (!left)
            row.subject = right->subject;
    }
    if (!left || !right)
        row.change = left ? TraceChange::OnlyLeft : TraceChange::OnlyRight;
    else if (moved)
        row.change = TraceChange::Moved;
    else if (left->key != right->key)
        row.change = TraceChange::Attributes;
    else if (left->decision != right->decision)
        row.change = TraceChange::Decision;
    return row;
}

void appendRows(TraceDiff& diff, const std::vector<Step>& left, const std::vector<Step>& right,
                bool postprocess) {
    std::vector<Pair> pairs = align(left, right);
    std::set<std::size_t> moved;
    joinMoved(pairs, left, right, moved);
    for (const Pair& pair : pairs) {
        TraceRow row = makeRow(pair.first ? &left[*pair.first] : nullptr,
                               pair.second ? &right[*pair.second] : nullptr,
                               pair.second && moved.contains(*pair.second));
        row.postprocess = postprocess;
        diff.rows.push_back(std::move(row));
    }
}

std::string structureText(const TraceDiff& diff) {
    std::vector<std::string> parts;
    for (const auto& [change, side] : {std::pair(TraceChange::OnlyLeft, "left has "),
                                       std::pair(TraceChange::OnlyRight, "right has ")}) {
        std::map<std::string, int> methods;
        for (const TraceRow& row : diff.rows) {
            if (row.change != change || row.postprocess)
                continue;
            const std::string& text = row.left ? row.leftText : row.rightText;
            const std::size_t dot = text.find("sch.");
            const std::size_t from = dot == std::string::npos ? 0 : dot + 4;
            ++methods[text.substr(from, text.find('(', from) - from)];
        }
        std::vector<std::string> names;
        for (const auto& [name, count] : methods)
            names.push_back(count == 1 ? name : base::concat(name, " x", count));
        if (!names.empty())
            parts.push_back(base::concat(side, base::join(names, ", ")));
    }
    return base::join(parts, "; ");
}

} // namespace

std::string_view toString(TraceChange change) {
    switch (change) {
    case TraceChange::Equal:
        return "equal";
    case TraceChange::Decision:
        return "decision";
    case TraceChange::Attributes:
        return "attributes";
    case TraceChange::OnlyLeft:
        return "only-left";
    case TraceChange::OnlyRight:
        return "only-right";
    case TraceChange::Moved:
        return "moved";
    }
    return "equal";
}

bool TraceDiff::equal() const {
    return std::all_of(rows.begin(), rows.end(),
                       [](const TraceRow& row) { return row.change == TraceChange::Equal; });
}

TraceDiff diffTraces(const Trace& left, const Trace& right) {
    std::vector<Step> leftSteps = StepReader(left).read();
    std::vector<Step> rightSteps = StepReader(right).read();
    const auto cut = [](std::vector<Step>& steps, std::size_t at) {
        at = std::min(at, steps.size());
        std::vector<Step> tail(std::make_move_iterator(steps.begin() + static_cast<long>(at)),
                               std::make_move_iterator(steps.end()));
        steps.resize(at);
        return tail;
    };
    const std::vector<Step> leftPost = cut(leftSteps, left.postprocIndex());
    const std::vector<Step> rightPost = cut(rightSteps, right.postprocIndex());
    TraceDiff diff;
    appendRows(diff, leftSteps, rightSteps, false);
    appendRows(diff, leftPost, rightPost, true);
    for (const TraceRow& row : diff.rows) {
        if (row.postprocess)
            continue;
        if (row.change != TraceChange::Equal && row.change != TraceChange::Decision)
            diff.sameSketch = false;
        if (row.left && row.right && row.leftDecision != row.rightDecision)
            ++diff.decisions;
    }
    diff.structure = structureText(diff);
    return diff;
}

json::Object toJson(const TraceDiff& diff, bool differencesOnly) {
    json::Array rows;
    for (const TraceRow& row : diff.rows) {
        if (differencesOnly && row.change == TraceChange::Equal)
            continue;
        const auto text = [](const std::string& value) {
            return value.empty() ? json::Value() : json::Value(value);
        };
        json::Object object;
        object.set("change", toString(row.change));
        object.set("left", row.left ? json::Value(*row.left) : json::Value());
        object.set("right", row.right ? json::Value(*row.right) : json::Value());
        object.set("subject", text(row.subject));
        object.set("left_decision", text(row.leftDecision));
        object.set("right_decision", text(row.rightDecision));
        object.set("left_text", text(row.leftText));
        object.set("right_text", text(row.rightText));
        object.set("postprocess", row.postprocess);
        rows.emplace_back(std::move(object));
    }
    json::Object object;
    object.set("same_sketch", diff.sameSketch);
    object.set("structure", diff.structure.empty() ? json::Value() : json::Value(diff.structure));
    object.set("decisions", diff.decisions);
    object.set("rows", std::move(rows));
    return object;
}

} // namespace tilewright::session
