// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/graph.h>

namespace tilewright::onnx {

/// Rewrites a node of an older operator set to the newest semantics where an attribute's
/// default or the meaning changed. Attributes that later became inputs stay attributes: the
/// graph's rules read both. Marks the node unsupported when that is not possible.
void upgradeNode(graph::Node& node, int opset);

} // namespace tilewright::onnx
