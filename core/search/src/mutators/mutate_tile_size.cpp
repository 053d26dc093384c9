// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/mutator.h>

#include <functional>
#include <numeric>

namespace tilewright::search {

using schedule::Trace;
using schedule::Value;

namespace {

using Tiles = std::vector<std::int64_t>;

std::optional<Tiles> tilesOf(const Value& decision) {
    const Value::List* list = decision.asList();
    if (!list)
        return std::nullopt;
    Tiles tiles;
    for (const Value& item : *list)
        tiles.push_back(item.toInt(-1));
    return tiles;
}

/// Ascending.
std::vector<std::int64_t> divisorsAbove1(std::int64_t n) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 2; d <= n / 2; ++d)
        if (n % d == 0)
            divisors.push_back(d);
    if (n > 1)
        divisors.push_back(n);
    return divisors;
}

/// Moves a factor from tile x to tile y; nullopt when two tiles leave no way.
std::optional<Tiles> moveFactor(Tiles tiles, std::int64_t maxInnermost, base::RandomState& random) {
    const auto n = static_cast<std::int64_t>(tiles.size());
    // With three tiles or more another pair is tried; the bound only guards against bad input.
    for (int attempt = 0; attempt < 1000; ++attempt) {
        std::int64_t x = random.sampleInt(0, n);
        if (tiles[static_cast<std::size_t>(x)] <= 1)
            continue;
        std::int64_t y = random.sampleInt(0, n - 1);
        if (y >= x)
            ++y;
        std::vector<std::int64_t> factors = divisorsAbove1(tiles[static_cast<std::size_t>(x)]);
        if (y == n - 1)
            std::erase_if(factors, [&](std::int64_t f) {
                return maxInnermost != -1 && f * tiles.back() > maxInnermost;
            });
        if (factors.empty()) {
            if (n <= 2)
                return std::nullopt;
            continue;
        }
        const std::int64_t factor = factors[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(factors.size())))];
        tiles[static_cast<std::size_t>(x)] /= factor;
        tiles[static_cast<std::size_t>(y)] *= factor;
        return tiles;
    }
    return std::nullopt;
}

class MutateTileSize final : public Mutator {
public:
    [[nodiscard]] std::string_view name() const override { return "MutateTileSize"; }

    [[nodiscard]] std::optional<Trace> apply(const Trace& trace,
                                             base::RandomState& random) const override {
        std::vector<std::size_t> candidates;
        const std::size_t end = trace.postprocIndex();
        for (std::size_t i = 0; i < end; ++i) {
            if (!trace[i].is("SamplePerfectTile"))
                continue;
            const auto tiles = tilesOf(trace.decision(i));
            if (!tiles || tiles->size() < 2)
                continue;
            const auto product =
                std::accumulate(tiles->begin(), tiles->end(), std::int64_t{1}, std::multiplies<>());
            if (product >= 2)
                candidates.push_back(i);
        }
        if (candidates.empty())
            return std::nullopt;
        const std::size_t at = candidates[static_cast<std::size_t>(
            random.sampleInt(0, static_cast<std::int64_t>(candidates.size())))];
        const std::int64_t maxInnermost = trace[at].attrs.at(1).toInt(-1);
        auto moved = moveFactor(*tilesOf(trace.decision(at)), maxInnermost, random);
        if (!moved)
            return std::nullopt;
        return trace.withDecision(at, Value::list(*moved), true);
    }
};

} // namespace

MutatorPtr mutateTileSize() {
    return std::make_shared<MutateTileSize>();
}

} // namespace tilewright::search
