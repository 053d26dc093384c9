// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/verdict.h>

#include <tilewright/base/concat.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/measure/statistics.h>
#include <tilewright/session/compare.h>

#include <algorithm>
#include <cmath>

namespace tilewright::session {

namespace {

json::Value objectOf(std::string_view text) {
    try {
        json::Value value = text.empty() ? json::Value(json::Object()) : json::parse(text);
        return value.isObject() ? value : json::Value(json::Object());
    } catch (const base::UserError&) {
        return json::Value(json::Object());
    }
}

std::string valueText(const json::Value* value) {
    if (!value || value->isNull())
        return {};
    return value->isString() ? value->asString() : json::dump(*value);
}

} // namespace

std::string_view toString(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return "faster";
    case Verdict::Slower:
        return "slower";
    case Verdict::Same:
        return "same";
    case Verdict::NotComparable:
        return "not-comparable";
    case Verdict::OnlyLeft:
        return "only-left";
    case Verdict::OnlyRight:
        return "only-right";
    case Verdict::None:
        return "none";
    }
    return "none";
}

Judgement judgeSamples(const std::vector<double>& left, const std::vector<double>& right,
                       double threshold, Statistic statistic) {
    Judgement judgement;
    const auto a = statisticOf(left, statistic);
    const auto b = statisticOf(right, statistic);
    if (!a || !b || *a <= 0) {
        judgement.verdict = a ? Verdict::OnlyLeft : b ? Verdict::OnlyRight : Verdict::None;
        return judgement;
    }
    judgement.ratio = *b / *a;
    if (left.size() < 2 || right.size() < 2) {
        judgement.assumedNoise = true;
        judgement.low = judgement.ratio / (1 + kAssumedNoise);
        judgement.high = judgement.ratio * (1 + kAssumedNoise);
    } else {
        const measure::Comparison compared = measure::compareSamples(right, left);
        // The interval is that of the medians, moved to where the statistic stands.
        const double shift = judgement.ratio / compared.ratio;
        judgement.low = compared.low * shift;
        judgement.high = compared.high * shift;
    }
    const bool noise =
        (judgement.low <= 1 && judgement.high >= 1) || std::abs(judgement.ratio - 1) < threshold;
    judgement.verdict = noise                 ? Verdict::Same
                        : judgement.ratio < 1 ? Verdict::Faster
                                              : Verdict::Slower;
    return judgement;
}

std::vector<SettingDifference> compareSettings(std::string_view leftJson,
                                               std::string_view rightJson,
                                               const std::vector<std::string_view>& important) {
    const json::Value left = objectOf(leftJson);
    const json::Value right = objectOf(rightJson);
    std::vector<std::string> names;
    for (const json::Value* side : {&left, &right})
        for (const auto& [name, value] : side->asObject())
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.emplace_back(name);
    std::vector<SettingDifference> settings;
    for (const std::string& name : names) {
        SettingDifference& setting = settings.emplace_back();
        setting.name = name;
        setting.left = valueText(left.find(name));
        setting.right = valueText(right.find(name));
        setting.differs = setting.left != setting.right;
        setting.matters = setting.differs &&
                          std::find(important.begin(), important.end(), name) != important.end();
    }
    return settings;
}

std::string incomparableReason(const std::vector<SettingDifference>& settings) {
    for (const SettingDifference& setting : settings)
        if (setting.matters)
            return base::concat(setting.name,
                                " differs: ", setting.left.empty() ? "unknown" : setting.left,
                                " against ", setting.right.empty() ? "unknown" : setting.right);
    return {};
}

} // namespace tilewright::session
