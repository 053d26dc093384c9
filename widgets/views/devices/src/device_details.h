// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/device_source.h>

#include <QWidget>

class QGridLayout;

namespace tilewright::ui {

/// Names and values of one device in two columns: facts, last test, peaks.
class DeviceDetails : public QWidget {
    Q_OBJECT

public:
    explicit DeviceDetails(QWidget* parent = nullptr);

    /// Facts and last test of a device; null clears.
    void showHealth(const DeviceSnapshotPtr& snapshot, const session::DeviceRow* row);
    /// Measured peaks of a device.
    void showPeaks(const DeviceSnapshotPtr& snapshot, const session::DeviceRow* row);

private:
    void clear();
    void add(const QString& name, const QString& value, const QString& glyph = {},
             const QString& advice = {});
    void addTest(const session::DeviceRow& row);

    QGridLayout* grid_;
    int lines_ = 0;
};

} // namespace tilewright::ui
