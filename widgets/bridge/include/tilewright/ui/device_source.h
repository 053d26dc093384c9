// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/device_overview.h>
#include <tilewright/session/device_peaks.h>
#include <tilewright/ui/async_source.h>
#include <tilewright/ui/child_command.h>

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace tilewright::ui {

/// What the Devices page shows.
struct DeviceSnapshot {
    std::vector<session::DeviceRow> devices;        ///< `local` first
    std::vector<session::DeviceFact> localFacts;    ///< of this machine
    std::optional<session::DevicePeaks> localPeaks; ///< of one core; nothing: not measured
    std::optional<measure::Device> emulator;        ///< template; nothing: none is installed
};
using DeviceSnapshotPtr = std::shared_ptr<const DeviceSnapshot>;

/// The devices that candidates can run on: list, tests, changes of the list.
class DeviceSource : public AsyncSource {
    Q_OBJECT

public:
    explicit DeviceSource(QObject* parent = nullptr);
    ~DeviceSource() override;

    /// Other files than the user's own, for tests. Before refresh().
    void setFiles(const session::DeviceFiles& files) { files_ = files; }

    /// Reads list, tests, facts; answered by ready() or failed().
    void refresh(const QString& workDir);
    [[nodiscard]] DeviceSnapshotPtr snapshot() const { return snapshot_; }

    /// Checks a device's fields without saving; answered by checked().
    void check(const measure::Device& device, bool replace);
    /// Adds or replaces; answered by saved() or changeFailed(), then ready().
    void save(const measure::Device& device, bool replace);
    /// Takes a device off the list; answered by removed() or changeFailed(), then ready().
    void remove(const QString& key);

    /// Tests devices one after the other, each in a child process; answered by tested() for each.
    void test(const QStringList& keys);
    void cancelTest();
    /// The device that is being tested; empty = none.
    [[nodiscard]] QString testing() const { return testing_; }
    /// Devices that wait for their test.
    [[nodiscard]] QStringList waiting() const { return waiting_; }

    void measurePeaks();
    void cancelPeaks();
    [[nodiscard]] bool isMeasuringPeaks() const { return peaks_.isRunning(); }

    [[nodiscard]] static QString addCommand(const measure::Device& device);

signals:
    void ready();
    void failed(const QString& message);
    /// An empty field means that nothing is wrong.
    void checked(const QString& field, const QString& message);
    void saved(const QString& key);
    void removed(const QString& key);
    void changeFailed(const QString& message);
    /// testing() or waiting() changed.
    void testingChanged();
    /// A test ended; its result is in the next snapshot. A test that could not be made has a
    /// message here.
    void tested(const QString& key, bool ok, const QString& message);
    void peaksChanged();
    void peaksFailed(const QString& message);

private:
    void nextTest();
    void takeTest(const QByteArray& output);
    void refreshAgain() { refresh(workDir_); }

    session::DeviceFiles files_;
    DeviceSnapshotPtr snapshot_;
    QString workDir_;
    ChildCommand child_;
    ChildCommand peaks_;
    QString testing_;
    QStringList waiting_;
};

} // namespace tilewright::ui
