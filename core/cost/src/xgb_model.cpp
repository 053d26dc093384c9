// SPDX-License-Identifier: Apache-2.0
#include <tilewright/cost/cost_model.h>

#include "booster.h"

#include <tilewright/base/check.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/random_state.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

namespace tilewright::cost {

namespace {

/// Rows of several candidates below each other, with where each candidate begins.
struct Packed {
    std::vector<float> values;
    std::vector<std::size_t> first; ///< one more than candidates
    std::size_t columns = 0;

    void add(const FeatureMatrix& matrix) {
        if (first.empty())
            first.push_back(0);
        if (matrix.rows() > 0)
            columns = matrix.columns;
        values.insert(values.end(), matrix.values.begin(), matrix.values.end());
        first.push_back(first.back() + matrix.rows());
    }
    [[nodiscard]] std::size_t rows() const { return first.empty() ? 0 : first.back(); }
};

/// A candidate's prediction is the sum over its rows.
std::vector<double> sumRows(const Packed& packed, const std::vector<float>& rows) {
    std::vector<double> sums(packed.first.empty() ? 0 : packed.first.size() - 1, 0.0);
    for (std::size_t i = 0; i < sums.size(); ++i)
        for (std::size_t row = packed.first[i]; row < packed.first[i + 1]; ++row)
            sums[i] += static_cast<double>(rows[row]);
    return sums;
}

/// What is known of one task.
struct Group {
    std::vector<FeaturePtr> features;
    std::vector<double> seconds;
    double fastest = kFailedSeconds;
};

class XgbModel final : public CostModel {
public:
    explicit XgbModel(const XgbSettings& settings) : settings_(settings), random_(settings.seed) {
        boosterSettings_.seed = settings.seed;
        boosterSettings_.threads = settings.threads;
    }

    [[nodiscard]] std::string_view kind() const override { return "xgb"; }
    [[nodiscard]] bool isTrained() const override {
        return booster_ != nullptr && samples_ >= settings_.warmupSamples;
    }

    void update(std::uint64_t task, std::span<const TrainingSample> samples) override {
        Group& group = groups_[task];
        for (const TrainingSample& sample : samples) {
            if (!sample.features || sample.features->rows() == 0)
                continue;
            group.features.push_back(sample.features);
            group.seconds.push_back(sample.seconds);
            group.fastest = std::min(group.fastest, sample.seconds);
            ++samples_;
        }
        // Adaptive training: again only when a fifth more is known than last time.
        if (samples_ == 0 || samples_ - lastTrained_ < lastTrained_ / 5)
            return;
        lastTrained_ = samples_;
        train();
    }

    [[nodiscard]] std::vector<double> predict(std::uint64_t,
                                              std::span<const FeaturePtr> candidates) override {
        std::vector<double> scores;
        if (!isTrained()) {
            for (std::size_t i = 0; i < candidates.size(); ++i)
                scores.push_back(random_.sampleUnit());
            return scores;
        }
        Packed packed;
        for (const FeaturePtr& candidate : candidates)
            packed.add(*candidate);
        if (packed.rows() == 0)
            return std::vector<double>(candidates.size(), 0.0);
        const Booster::Matrix matrix(packed.values.data(), packed.rows(), packed.columns,
                                     settings_.threads);
        return sumRows(packed, booster_->predict(matrix, false));
    }

    [[nodiscard]] std::string save() const override;
    void load(std::string_view bytes) override;

private:
    void train();

    static constexpr int kMaxRounds = 200;
    static constexpr int kEarlyStopping = 50;

    XgbSettings settings_;
    Booster::Settings boosterSettings_;
    base::RandomState random_;
    std::map<std::uint64_t, Group> groups_;
    std::unique_ptr<Booster> booster_;
    std::int64_t samples_ = 0;
    std::int64_t lastTrained_ = 0;
};

void XgbModel::train() {
    Packed packed;
    std::vector<double> labels; // per candidate: fastest / own time
    for (const auto& [task, group] : groups_)
        for (std::size_t i = 0; i < group.features.size(); ++i) {
            packed.add(*group.features[i]);
            labels.push_back(group.seconds[i] > 0 ? group.fastest / group.seconds[i] : 0);
        }
    const std::size_t rows = packed.rows();
    const Booster::Matrix matrix(packed.values.data(), rows, packed.columns, settings_.threads);
    auto booster = std::make_unique<Booster>(boosterSettings_, matrix);
    std::vector<float> gradient(rows);
    std::vector<float> hessian(rows);
    double best = INFINITY;
    int bestRound = 0;
    for (int round = 0; round < kMaxRounds; ++round) {
        const std::vector<double> sums = sumRows(packed, booster->predict(matrix, true));
        double squares = 0;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const double error = sums[i] - labels[i];
            for (std::size_t row = packed.first[i]; row < packed.first[i + 1]; ++row) {
                gradient[row] = static_cast<float>(error * labels[i]);
                hessian[row] = static_cast<float>(labels[i]);
                squares += error * error;
            }
        }
        const double rmse = std::sqrt(squares / static_cast<double>(rows));
        if (rmse < best * 0.999) {
            best = rmse;
            bestRound = round;
        } else if (round - bestRound >= kEarlyStopping) {
            break;
        }
        booster->boost(matrix, gradient, hessian, round);
    }
    booster_ = std::move(booster);
}

// The saved form: samples first, so that a later run can go on learning, then the trees.
class ByteWriter {
public:
    template <class T> void number(T value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void floats(const std::vector<float>& values) {
        number<std::uint64_t>(values.size());
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    }
    std::string bytes;
};

class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
    template <class T> T number() {
        T value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::vector<float> floats() {
        const auto count = number<std::uint64_t>();
        if (count > bytes_.size() / sizeof(float))
            refuse();
        const std::string_view raw = take(static_cast<std::size_t>(count) * sizeof(float));
        std::vector<float> values(static_cast<std::size_t>(count));
        std::memcpy(values.data(), raw.data(), raw.size());
        return values;
    }
    std::string_view take(std::size_t count) {
        if (count > bytes_.size())
            refuse();
        const std::string_view part = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return part;
    }
    [[nodiscard]] std::size_t left() const { return bytes_.size(); }

private:
    [[noreturn]] static void refuse() {
        throw base::UserError("cost-model", "these bytes are cut off or no cost model");
    }
    std::string_view bytes_;
};

constexpr std::uint64_t kMagic = 0x31626778'77747477ULL;

std::string XgbModel::save() const {
    ByteWriter out;
    out.number(kMagic);
    out.number(random_.state());
    out.number(lastTrained_);
    out.number<std::uint64_t>(groups_.size());
    for (const auto& [task, group] : groups_) {
        out.number(task);
        out.number<std::uint64_t>(group.features.size());
        for (std::size_t i = 0; i < group.features.size(); ++i) {
            out.number(group.seconds[i]);
            out.number<std::uint64_t>(group.features[i]->columns);
            out.floats(group.features[i]->values);
        }
    }
    if (booster_)
        out.bytes += booster_->save();
    return std::move(out.bytes);
}

void XgbModel::load(std::string_view bytes) {
    ByteReader in(bytes);
    if (in.left() < sizeof kMagic || in.number<std::uint64_t>() != kMagic)
        throw base::UserError("cost-model", "these bytes are no cost model");
    XgbModel loaded(settings_);
    loaded.random_ = base::RandomState(std::max<std::int64_t>(1, in.number<std::int64_t>()));
    loaded.lastTrained_ = in.number<std::int64_t>();
    const auto groups = in.number<std::uint64_t>();
    for (std::uint64_t g = 0; g < groups; ++g) {
        Group& group = loaded.groups_[in.number<std::uint64_t>()];
        const auto count = in.number<std::uint64_t>();
        for (std::uint64_t i = 0; i < count; ++i) {
            group.seconds.push_back(in.number<double>());
            auto features = std::make_shared<FeatureMatrix>();
            features->columns = static_cast<std::size_t>(in.number<std::uint64_t>());
            features->values = in.floats();
            group.features.push_back(std::move(features));
            group.fastest = std::min(group.fastest, group.seconds.back());
            ++loaded.samples_;
        }
    }
    if (in.left() > 0)
        loaded.booster_ = std::make_unique<Booster>(boosterSettings_, in.take(in.left()));
    *this = std::move(loaded);
}

} // namespace

std::unique_ptr<CostModel> makeXgbModel(const XgbSettings& settings) {
    return std::make_unique<XgbModel>(settings);
}

} // namespace tilewright::cost
