// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tilewright::cost {

/// Features of one candidate: a row for each buffer store, row-major float32.
struct FeatureMatrix {
    std::size_t columns = 0;
    std::vector<float> values;
    [[nodiscard]] std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};
/// Shared: a candidate that survives several generations is featurised once.
using FeaturePtr = std::shared_ptr<const FeatureMatrix>;

} // namespace tilewright::cost
