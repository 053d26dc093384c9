// SPDX-License-Identifier: Apache-2.0
#include <tilewright/cost/cost_model.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/random_state.h>

#include <charconv>

namespace tilewright::cost {

namespace {

class RandomModel final : public CostModel {
public:
    explicit RandomModel(std::int64_t seed) : random_(seed) {}

    [[nodiscard]] std::string_view kind() const override { return "random"; }
    void update(std::uint64_t, std::span<const TrainingSample>) override {}
    [[nodiscard]] std::vector<double> predict(std::uint64_t,
                                              std::span<const FeaturePtr> candidates) override {
        std::vector<double> scores(candidates.size());
        for (double& score : scores)
            score = random_.sampleUnit();
        return scores;
    }
    [[nodiscard]] bool isTrained() const override { return false; }
    [[nodiscard]] std::string save() const override { return std::to_string(random_.state()); }
    void load(std::string_view bytes) override {
        std::int64_t state = 0;
        const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), state);
        if (error != std::errc() || end != bytes.data() + bytes.size() || state < 1)
            throw base::UserError("cost-model", "these bytes are no random cost model");
        random_ = base::RandomState(state);
    }

private:
    base::RandomState random_;
};

} // namespace

std::unique_ptr<CostModel> makeRandomModel(std::int64_t seed) {
    return std::make_unique<RandomModel>(seed);
}

} // namespace tilewright::cost
