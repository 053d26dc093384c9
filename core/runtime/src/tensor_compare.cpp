// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/tensor_compare.h>

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>

namespace tilewright::runtime {

namespace {

double rootMeanSquare(const Tensor& tensor) {
    double sum = 0;
    std::int64_t finite = 0;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        const double value = tensor.valueAt(i);
        if (std::isfinite(value)) {
            sum += value * value;
            ++finite;
        }
    }
    return finite > 0 ? std::sqrt(sum / static_cast<double>(finite)) : 0;
}

/// Prints `[3, 0]` for a row-major index.
std::string indexText(std::int64_t index, const TensorShape& shape) {
    TensorShape place(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        place[axis] = index % shape[axis];
        index /= shape[axis];
    }
    return base::concat('[', base::join(place, ", "), ']');
}

Comparison differentForm(const Tensor& actual, const Tensor& expected) {
    Comparison result;
    result.equal = false;
    result.mismatches = std::max(actual.elements(), expected.elements());
    result.message =
        base::concat("expected ", toString(expected.type()), toString(expected.shape()), ", found ",
                     toString(actual.type()), toString(actual.shape()));
    return result;
}

} // namespace

Comparison compareTensors(const Tensor& actual, const Tensor& expected, Tolerance tolerance) {
    if (actual.type() != expected.type() || actual.shape() != expected.shape())
        return differentForm(actual, expected);
    Comparison result;
    const double rms = rootMeanSquare(expected);
    double worstExcess = 0;
    for (std::int64_t i = 0; i < expected.elements(); ++i) {
        const double found = actual.valueAt(i);
        const double wanted = expected.valueAt(i);
        if (found == wanted || (std::isnan(found) && std::isnan(wanted)))
            continue;
        const double difference = std::abs(found - wanted);
        double excess = HUGE_VAL;
        if (std::isfinite(difference)) {
            result.maxAbsolute = std::max(result.maxAbsolute, difference);
            result.maxRelative =
                std::max(result.maxRelative, difference / (std::abs(wanted) + rms));
            excess = difference - (tolerance.absolute + tolerance.relative * std::abs(wanted));
        } else {
            result.maxAbsolute = result.maxRelative = HUGE_VAL;
        }
        if (excess <= 0)
            continue;
        ++result.mismatches;
        if (result.worstIndex < 0 || excess > worstExcess) {
            worstExcess = excess;
            result.worstIndex = i;
            result.worstActual = found;
            result.worstExpected = wanted;
        }
    }
    if (result.mismatches > 0) {
        result.equal = false;
        result.message = base::concat(result.mismatches, " of ", expected.elements(),
                                      " elements differ; the worst at ",
                                      indexText(result.worstIndex, expected.shape()), ": expected ",
                                      result.worstExpected, ", found ", result.worstActual);
    }
    return result;
}

} // namespace tilewright::runtime
