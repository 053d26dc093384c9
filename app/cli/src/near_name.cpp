// SPDX-License-Identifier: Apache-2.0
#include "near_name.h"

#include <algorithm>
#include <numeric>

namespace tilewright::cli {

namespace {

/// Letters to insert, delete or replace.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

std::string nearName(std::string_view word, const std::vector<std::string>& names) {
    std::string best;
    std::size_t least = std::min<std::size_t>(4, word.size() / 3 + 1);
    for (const std::string& name : names) {
        const std::size_t distance = editDistance(word, name);
        if (distance < least) {
            least = distance;
            best = name;
        }
    }
    return best;
}

} // namespace tilewright::cli
