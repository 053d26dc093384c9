#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small_cnn.onnx, the sample model: a residual network for 32 x 32 images with random weights.

Needs the Python packages onnx and numpy; the written model is kept, so nobody else does.
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

rng = np.random.default_rng(7)
weights = []


def weight(name, *shape):
    scale = np.sqrt(2.0 / np.prod(shape[1:])) if len(shape) > 1 else 0.1
    weights.append(numpy_helper.from_array((rng.standard_normal(shape) * scale).astype(np.float32), name))
    return name


def conv(out, x, cin, cout, k, **attributes):
    return helper.make_node("Conv", [x, weight(out + "_w", cout, cin // attributes.get("group", 1), k, k), weight(out + "_b", cout)],
                            [out], name=out, pads=[k // 2] * 4, **attributes)


relu = lambda out, x: helper.make_node("Relu", [x], [out], name=out)
nodes = [
    conv("stem", "image", 3, 16, 3),
    relu("stem_relu", "stem"),
    helper.make_node("MaxPool", ["stem_relu"], ["pool"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
    conv("depthwise", "pool", 16, 16, 3, group=16),
    relu("depthwise_relu", "depthwise"),
    conv("pointwise", "depthwise_relu", 16, 32, 1),
    relu("pointwise_relu", "pointwise"),
    conv("block", "pointwise_relu", 32, 32, 3),
    helper.make_node("Add", ["block", "pointwise_relu"], ["residual"], name="residual"),
    relu("residual_relu", "residual"),
    helper.make_node("GlobalAveragePool", ["residual_relu"], ["mean"], name="mean"),
    helper.make_node("Flatten", ["mean"], ["features"], name="flatten"),
    helper.make_node("Gemm", ["features", weight("head_w", 32, 10), weight("head_b", 10)], ["logits"], name="head"),
    helper.make_node("Softmax", ["logits"], ["probabilities"], name="softmax", axis=1),
]
graph = helper.make_graph(nodes, "small_cnn", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 32, 32])],
                          [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, 10])], weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="tilewright", ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, "small_cnn.onnx")
