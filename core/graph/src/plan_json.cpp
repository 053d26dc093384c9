// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/execution_plan.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <array>

namespace tilewright::graph {

namespace {

constexpr std::string_view kSchema = "tilewright-model-1";
constexpr std::array<std::string_view, 4> kPlaces{"input", "output", "constant", "scratch"};

json::Value tensorsToJson(const std::vector<PlanTensor>& tensors) {
    json::Array list;
    for (const PlanTensor& tensor : tensors)
        list.push_back(json::Object{{"name", tensor.name},
                                    {"dtype", toString(tensor.type.dtype)},
                                    {"shape", json::Value::array(tensor.type.shape)}});
    return list;
}

std::vector<PlanTensor> tensorsFromJson(const json::Value& list, const std::string& fileName) {
    std::vector<PlanTensor> tensors;
    for (const json::Value& item : list.asArray()) {
        PlanTensor tensor;
        tensor.name = item.at("name").asString();
        const auto dtype = elementTypeFromName(item.at("dtype").asString());
        if (!dtype)
            throw base::ParseError("model-metadata",
                                   base::concat(fileName, ": element type ",
                                                item.at("dtype").asString(), " is not known"));
        tensor.type.dtype = *dtype;
        for (const json::Value& extent : item.at("shape").asArray())
            tensor.type.shape.push_back(extent.asInt());
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

json::Value callToJson(const PlanCall& call) {
    json::Array arguments;
    for (const PlanBuffer& buffer : call.arguments) {
        const bool scratch = buffer.place == PlanBuffer::Place::Scratch;
        json::Array pair;
        pair.emplace_back(kPlaces[static_cast<std::size_t>(buffer.place)]);
        pair.emplace_back(scratch ? buffer.offset : buffer.index);
        arguments.emplace_back(std::move(pair));
    }
    return json::Object{{"kernel", call.kernel},
                        {"task", call.task},
                        {"nodes", json::Value::array(call.nodes)},
                        {"arguments", std::move(arguments)}};
}

PlanCall callFromJson(const json::Value& item, const std::string& fileName) {
    PlanCall call;
    call.kernel = item.at("kernel").asString();
    call.task = item.at("task").asString();
    for (const json::Value& node : item.at("nodes").asArray())
        call.nodes.push_back(node.asString());
    for (const json::Value& pair : item.at("arguments").asArray()) {
        PlanBuffer buffer;
        const std::string& place = pair.at(std::size_t{0}).asString();
        std::size_t found = 0;
        while (found < kPlaces.size() && kPlaces[found] != place)
            ++found;
        if (found == kPlaces.size())
            throw base::ParseError("model-metadata",
                                   base::concat(fileName, ": a buffer in \"", place, "\""));
        buffer.place = static_cast<PlanBuffer::Place>(found);
        const std::int64_t number = pair.at(std::size_t{1}).asInt();
        (buffer.place == PlanBuffer::Place::Scratch ? buffer.offset : buffer.index) = number;
        call.arguments.push_back(buffer);
    }
    return call;
}

/// A damaged library must not make its loader leave a list or the scratch memory.
void checkPlan(const ExecutionPlan& plan, const std::string& fileName) {
    const std::array<std::size_t, 3> counts{plan.inputs.size(), plan.outputs.size(),
                                            plan.constants.size()};
    for (const PlanCall& call : plan.calls)
        for (const PlanBuffer& buffer : call.arguments) {
            const bool scratch = buffer.place == PlanBuffer::Place::Scratch;
            const auto limit =
                scratch ? plan.scratchBytes
                        : static_cast<std::int64_t>(counts[static_cast<std::size_t>(buffer.place)]);
            const std::int64_t number = scratch ? buffer.offset : buffer.index;
            if (number < 0 || number >= limit)
                throw base::ParseError("model-metadata",
                                       base::concat(fileName, ": a buffer of kernel ", call.kernel,
                                                    " does not exist"));
        }
}

} // namespace

std::string planToJson(const ExecutionPlan& plan, std::string_view note) {
    json::Array calls;
    for (const PlanCall& call : plan.calls)
        calls.push_back(callToJson(call));
    const json::Object object{{"schema", kSchema},
                              {"name", plan.name},
                              {"note", note},
                              {"inputs", tensorsToJson(plan.inputs)},
                              {"outputs", tensorsToJson(plan.outputs)},
                              {"constants", tensorsToJson(plan.constants)},
                              {"scratch_bytes", plan.scratchBytes},
                              {"calls", std::move(calls)}};
    return json::dump(object);
}

ExecutionPlan planFromJson(std::string_view text, const std::string& fileName) {
    const json::Value root = json::parse(text, fileName);
    if (root.at("schema").asString() != kSchema)
        throw base::ParseError("model-metadata",
                               base::concat(fileName, ": schema ", root.at("schema").asString(),
                                            " where ", kSchema, " is read"));
    ExecutionPlan plan;
    plan.name = root.at("name").asString();
    plan.inputs = tensorsFromJson(root.at("inputs"), fileName);
    plan.outputs = tensorsFromJson(root.at("outputs"), fileName);
    plan.constants = tensorsFromJson(root.at("constants"), fileName);
    plan.scratchBytes = root.at("scratch_bytes").asInt();
    for (const json::Value& call : root.at("calls").asArray())
        plan.calls.push_back(callFromJson(call, fileName));
    checkPlan(plan, fileName);
    return plan;
}

} // namespace tilewright::graph
