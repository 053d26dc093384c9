// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/doctor.h>
#include <tilewright/ui/async_source.h>

#include <QString>

#include <memory>
#include <vector>

namespace tilewright::ui {

using ChecksPtr = std::shared_ptr<const std::vector<session::EnvironmentCheck>>;

/// What `tilewright doctor` says of this machine, and the peaks that were measured on it.
class MachineFacts : public AsyncSource {
    Q_OBJECT

public:
    explicit MachineFacts(QObject* parent = nullptr);

    /// Looks (about a second in the background); answered by ready().
    void examine();
    [[nodiscard]] ChecksPtr checks() const { return checks_; } ///< null before the first answer
    /// GFLOPS in f32 and GB/s of memory of one core; 0 = not measured.
    [[nodiscard]] double peakGflops() const { return peakGflops_; }
    [[nodiscard]] double memoryGbps() const { return memoryGbps_; }
    /// `name  state  found` and advice, a check a line; for Diagnostics. Not translated, as it is
    /// what `tilewright doctor` prints.
    [[nodiscard]] QString text() const;

signals:
    void ready();

private:
    ChecksPtr checks_;
    double peakGflops_ = 0;
    double memoryGbps_ = 0;
};

} // namespace tilewright::ui
