// SPDX-License-Identifier: Apache-2.0
#include "upgrade_node.h"

#include "tensor_reader.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cctype>

namespace tilewright::onnx {

namespace {

using graph::Attributes;
using graph::Node;

void upgradeCast(Node& node) {
    std::string name = node.attributes.text("to", ""); // a name before opset 6
    if (!name.empty()) {
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        node.attributes.set("to", name == "float"    ? "float32"
                                  : name == "double" ? "float64"
                                                     : name);
        return;
    }
    const auto number = node.attributes.integer("to", 0);
    const auto type = elementTypeOf(static_cast<int>(number));
    if (type)
        node.attributes.set("to", std::string(graph::toString(*type)));
    else
        node.unsupported = base::concat("Cast to ONNX element type ", number, " is not supported");
}

void upgradeSoftmax(Node& node, int opset) {
    if (opset >= 13)
        return;
    if (!node.attributes.has("axis"))
        node.attributes.set("axis", std::int64_t(1));
    node.attributes.set("flatten", std::int64_t(1));
}

/// Before opset 11 Resize was (data, scales) and sampled at o / scale, rounded down.
void upgradeResize(Node& node, int opset) {
    if (opset >= 11 && node.op == "Resize")
        return;
    if (node.op == "Upsample" && opset < 9) {
        node.unsupported = "Upsample before opset 9 is not supported";
        return;
    }
    node.op = "Resize";
    if (node.inputs.size() == 2)
        node.inputs.insert(node.inputs.begin() + 1, graph::ValueId());
    node.attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
    node.attributes.set("nearest_mode", std::string("floor"));
    if (node.attributes.text("mode", "nearest") == "bilinear")
        node.attributes.set("mode", std::string("linear"));
}

} // namespace

void upgradeNode(Node& node, int opset) {
    if (node.op == "Cast")
        upgradeCast(node);
    else if (node.op == "Softmax" || node.op == "LogSoftmax")
        upgradeSoftmax(node, opset);
    else if (node.op == "Resize" || node.op == "Upsample")
        upgradeResize(node, opset);
    else if (node.op == "BatchNormalization" && opset < 9)
        node.attributes.remove("spatial");
    else if (opset < 7 && node.attributes.has("broadcast") && node.attributes.has("axis"))
        node.unsupported = base::concat(node.op, " with the axis of opset ", opset,
                                        " is not supported; convert the model to opset 7 or newer");
}

} // namespace tilewright::onnx
