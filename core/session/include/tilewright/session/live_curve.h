// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/live_snapshot.h>

#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// What a tuning curve runs along, and what it shows. Round counts the session's rounds of the
/// task.
enum class CurveX : std::uint8_t { Trial, Time, Round };
enum class CurveY : std::uint8_t { Latency, Rate, RoofShare };

/// A unit and what one of it is in SI units.
struct ScaledUnit {
    std::string name; ///< ns, µs, ms, s, min, h; GFLOPS, TFLOPS; %
    double scale = 1;
};
/// The unit in which a latency of about so many seconds reads well.
ScaledUnit latencyUnit(double seconds);
/// The same for times of work: s, min, h.
ScaledUnit wallTimeUnit(double seconds);

/// A tuning curve of one task, in the units that it names.
struct LiveCurve {
    struct Point {
        double x = 0;
        double y = 0;
        std::int64_t record = 0;
    };
    struct Failure {
        double x = 0;
        database::RecordStatus kind = database::RecordStatus::Ok;
        std::int64_t record = 0;
    };
    ScaledUnit xUnit; ///< of CurveX::Time, else empty
    ScaledUnit yUnit;
    std::vector<Point> trials;
    std::vector<Point> best; ///< improvements; the last one repeated at the newest x
    std::vector<Failure> failures;
    std::vector<double> rounds; ///< where rounds begin
    std::optional<double> defaultY;
    std::optional<double> bestY;
    double bestError = 0; ///< half of the 95 % interval, in yUnit; 0 = not known
    /// What a latency in seconds is on the y axis; nothing when it cannot be told (no FLOP, no
    /// roof).
    [[nodiscard]] std::optional<double> toY(double seconds) const;
    CurveY y = CurveY::Latency;
    double flop = 0;
    double roofSeconds = 0;
};
/// `task` is an index of the snapshot's tasks. An empty curve for an index out of range.
LiveCurve curveOf(const LiveSnapshot& snapshot, int task, CurveX x, CurveY y);

} // namespace tilewright::session
