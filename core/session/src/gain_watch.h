// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record.h>

#include <cstdint>
#include <map>
#include <string>

namespace tilewright::session {

/// Ends tasks that no longer gain: watches the records of a run.
class GainWatch {
public:
    /// `trials` 0 = never.
    explicit GainWatch(std::int64_t trials) : trials_(trials) {}

    /// Takes a record; whether its task has had `trials` trials in a row without a gain of half a
    /// per cent. Trials of earlier runs are not counted.
    bool take(const std::string& task, const database::TuningRecord& record) {
        if (trials_ <= 0)
            return false;
        Progress& progress = tasks_[task];
        const bool counts = record.status == database::RecordStatus::Ok &&
                            record.measurement.full && record.measurement.median;
        if (counts &&
            (progress.best <= 0 || *record.measurement.median < progress.best * (1 - kLeastGain))) {
            progress.best = *record.measurement.median;
            progress.without = 0;
            return false;
        }
        if (record.origin == database::RecordOrigin::Trial)
            ++progress.without;
        return progress.without >= trials_;
    }

private:
    static constexpr double kLeastGain = 0.005;
    struct Progress {
        double best = 0;
        std::int64_t without = 0;
    };
    std::int64_t trials_;
    std::map<std::string, Progress> tasks_;
};

} // namespace tilewright::session
