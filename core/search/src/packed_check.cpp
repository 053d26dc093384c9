// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/packed_check.h>

#include <tilewright/measure/pack_argument.h>

namespace tilewright::search {

std::shared_ptr<const measure::NumericCheck>
packedCheck(std::shared_ptr<const measure::NumericCheck> check,
            const std::vector<measure::ArgInfo>& user, const std::vector<measure::ArgInfo>& packed,
            const std::vector<lower::LayoutRewrite>& rewrites) {
    const std::uint64_t seed = check->seed();
    for (const lower::LayoutRewrite& rewrite : rewrites)
        check = check->withContents(
            rewrite.param, [from = user[rewrite.param], to = packed[rewrite.param], rewrite, seed] {
                return measure::packedCheckArgument(from, to, rewrite.param, seed, rewrite.map);
            });
    return check;
}

} // namespace tilewright::search
