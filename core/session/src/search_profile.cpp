// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/profile_report.h>

#include <algorithm>

namespace tilewright::session {

namespace {

double numberOr(const json::Value& object, std::string_view key, double otherwise = 0) {
    const json::Value* value = object.find(key);
    return value && value->isNumber() ? value->asDouble() : otherwise;
}

/// What the rounds of a session add up to.
struct RoundSums {
    std::int64_t rounds = 0;
    std::int64_t trials = 0;
    double search = 0;
    double measure = 0;
    double train = 0;
    double candidates = 0;
};

RoundSums sumRounds(const database::StoreReader& reader, database::SessionId session) {
    RoundSums sums;
    for (const database::Round& round : reader.rounds(session)) {
        ++sums.rounds;
        sums.trials += round.trials;
        const auto info = json::tryParse(round.info);
        if (!info)
            continue;
        sums.search += numberOr(*info, "search_s");
        sums.measure += numberOr(*info, "measure_s");
        sums.train += numberOr(*info, "train_s");
        sums.candidates += numberOr(*info, "candidates");
    }
    return sums;
}

void add(SearchProfile& profile, const char* name, double seconds, std::int64_t calls) {
    if (seconds > 0)
        profile.phases.push_back({name, seconds, 0, calls});
}

void finish(SearchProfile& profile) {
    double sum = 0;
    for (const SearchPhase& phase : profile.phases)
        sum += phase.seconds;
    profile.totalSeconds = std::max(profile.totalSeconds, sum);
    for (SearchPhase& phase : profile.phases)
        phase.share = profile.totalSeconds > 0 ? phase.seconds / profile.totalSeconds : 0;
    std::stable_sort(
        profile.phases.begin(), profile.phases.end(),
        [](const SearchPhase& a, const SearchPhase& b) { return a.seconds > b.seconds; });
}

} // namespace

std::optional<double> SearchPhase::mean() const {
    if (calls <= 0)
        return std::nullopt;
    return seconds / static_cast<double>(calls);
}

std::optional<SearchProfile> readSearchProfile(const std::filesystem::path& workDir,
                                               std::int64_t session) {
    const database::StoreReader reader(workDir);
    std::optional<database::Session> chosen;
    for (database::Session& known : reader.sessions())
        if (session < 0 || known.id.value == session)
            chosen = std::move(known);
    if (!chosen)
        return std::nullopt;
    SearchProfile profile;
    profile.session = chosen->id.value;
    profile.state = reader.effectiveState(*chosen);
    const RoundSums sums = sumRounds(reader, chosen->id);
    const auto result = json::tryParse(chosen->result);
    const json::Value* seconds = result ? result->find("seconds") : nullptr;
    if (seconds && seconds->isObject()) {
        profile.totalSeconds = numberOr(*result, "wall_s");
        add(profile, "search", numberOr(*seconds, "search"), sums.rounds);
        add(profile, "build", numberOr(*seconds, "build"), sums.trials);
        add(profile, "run", numberOr(*seconds, "run"), sums.trials);
        add(profile, "train", numberOr(*seconds, "train"), sums.rounds);
        add(profile, "other", numberOr(*seconds, "other"), 0);
    } else {
        add(profile, "search", sums.search, sums.rounds);
        add(profile, "measure", sums.measure, sums.trials);
        add(profile, "train", sums.train, sums.rounds);
        profile.note = "the session has not ended: sums over its rounds";
    }
    finish(profile);
    return profile;
}

} // namespace tilewright::session
