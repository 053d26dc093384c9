// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/bottlenecks.h>
#include <tilewright/ui/pareto_plot.h>
#include <tilewright/ui/roofline_plot.h>
#include <tilewright/ui/stat_strip.h>

#include <QCoreApplication>

namespace tilewright::ui {

/// A bottleneck report as what the plots and the strip of the page take.
class BottleneckShapes {
    Q_DECLARE_TR_FUNCTIONS(BottleneckShapes)

public:
    explicit BottleneckShapes(const session::BottleneckReport& report) : report_(report) {}

    [[nodiscard]] QVector<Stat> stats() const;
    /// Longest first, the small ones joined; in the unit of paretoUnit().
    [[nodiscard]] QVector<ParetoBar> bars() const;
    [[nodiscard]] QString paretoNote() const;
    [[nodiscard]] QString paretoUnit() const;
    [[nodiscard]] QVector<Roof> roofs() const;
    [[nodiscard]] QVector<RooflineDot> dots(bool arrows) const;
    /// `roofs measured 28 Nov on this machine`.
    [[nodiscard]] QString roofNote() const;
    /// `c3` for `conv2d_3`, … : few letters that tell operators apart.
    [[nodiscard]] static QString shortName(const std::string& name);

private:
    const session::BottleneckReport& report_;
};

} // namespace tilewright::ui
