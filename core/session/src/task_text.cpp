// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/task_text.h>

#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <vector>

namespace tilewright::session {

namespace {

using Extents = std::vector<std::int64_t>;

std::string by(const Extents& extents) {
    return extents.empty() ? std::string("scalar") : base::join(extents, "×");
}

/// `32²` for a square, else `32×16`.
std::string area(std::int64_t height, std::int64_t width) {
    return height == width ? base::concat(height, "²") : base::concat(height, "×", width);
}

/// Channels-last data and weights [height, width, in, out].
std::string convolutionText(const Extents& data, const Extents& weights, const Extents& result) {
    std::string text = base::concat(data[3], "→", result[3], ", ", area(data[1], data[2]), ", ",
                                    weights[0], "×", weights[1]);
    const std::int64_t stride = result[1] > 0 ? (data[1] + result[1] - 1) / result[1] : 1;
    if (stride > 1)
        text += base::concat(" s", stride);
    return text;
}

} // namespace

TaskShape taskShape(const ir::Module& module, std::string_view tag) {
    const ir::PrimFunc function = module.find(module.entryName());
    if (!function)
        return {};
    std::vector<Extents> tensors;
    std::string dtype;
    for (const ir::Param& param : function->params) {
        if (!param.buffer)
            continue;
        Extents& extents = tensors.emplace_back();
        for (const ir::Expr& extent : param.buffer->shape) {
            const auto value = ir::constInt(extent);
            if (!value)
                return {};
            extents.push_back(*value);
        }
        dtype = ir::toString(param.buffer->dtype);
    }
    if (tensors.empty())
        return {};
    const Extents& data = tensors.front();
    const Extents& result = tensors.back();
    const bool weighted = tensors.size() >= 3;
    if (weighted && tag.starts_with("conv") && data.size() == 4 && tensors[1].size() == 4 &&
        result.size() == 4)
        return {convolutionText(data, tensors[1], result), dtype};
    if (weighted && tag.starts_with("matmul") && data.size() == 2 && result.size() == 2)
        return {data[0] == 1 ? base::concat(data[1], "→", result[1])
                             : base::concat(data[0], ", ", data[1], "→", result[1]),
                dtype};
    // Channels-last pooling: `64, 112²→56²`.
    if (data.size() == 4 && result.size() == 4 && data[0] == result[0] && data[3] == result[3] &&
        data != result && tag.find("pool") != std::string_view::npos)
        return {
            base::concat(data[3], ", ", area(data[1], data[2]), "→", area(result[1], result[2])),
            dtype};
    if (tensors.size() == 1 || data == result)
        return {by(result), dtype};
    return {base::concat(by(data), " → ", by(result)), dtype};
}

std::string opTag(std::string_view taskName) {
    if (taskName.starts_with("fused_"))
        taskName.remove_prefix(6);
    std::string tag(taskName);
    // The number that tells tasks of one kind apart; a name that is only digits keeps them.
    const std::size_t last = tag.find_last_not_of("0123456789");
    if (last != std::string::npos)
        tag.resize(last + 1);
    while (!tag.empty() && tag.back() == '_')
        tag.pop_back();
    std::replace(tag.begin(), tag.end(), '_', '+');
    return tag;
}

bool isDataMovement(std::string_view tag) {
    constexpr std::array<std::string_view, 12> kMovers{"transpose", "reshape", "concat", "slice",
                                                       "gather",    "pad",     "layout", "copy",
                                                       "flatten",   "split",   "tile",   "expand"};
    bool any = false;
    while (!tag.empty()) {
        const std::size_t plus = tag.find('+');
        const std::string_view word = tag.substr(0, plus);
        if (std::none_of(kMovers.begin(), kMovers.end(),
                         [&](std::string_view mover) { return word.starts_with(mover); }))
            return false;
        any = true;
        tag.remove_prefix(plus == std::string_view::npos ? tag.size() : plus + 1);
    }
    return any;
}

} // namespace tilewright::session
