// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/device_source.h>

#include <tilewright/json/parse.h>
#include <tilewright/session/doctor.h>
#include <tilewright/target/parse_target.h>

namespace tilewright::ui {

namespace {

enum Tag { Refresh = 1, Check, Change, StoreTest };

} // namespace

DeviceSource::DeviceSource(QObject* parent) : AsyncSource(parent) {
    connect(&child_, &ChildCommand::finished, this,
            [this](const QByteArray& output, int) { takeTest(output); });
    connect(&child_, &ChildCommand::failed, this, [this](const QString& message) {
        const QString key = testing_;
        testing_.clear();
        emit tested(key, false, message);
        nextTest();
    });
    connect(&peaks_, &ChildCommand::started, this, &DeviceSource::peaksChanged);
    connect(&peaks_, &ChildCommand::finished, this, [this](const QByteArray&, int) {
        emit peaksChanged();
        refreshAgain();
    });
    connect(&peaks_, &ChildCommand::failed, this, [this](const QString& message) {
        emit peaksChanged();
        emit peaksFailed(message);
    });
}

DeviceSource::~DeviceSource() {
    shutDown();
}

void DeviceSource::refresh(const QString& workDir) {
    workDir_ = workDir;
    request<DeviceSnapshotPtr>(
        Refresh,
        [files = files_, path = workDir.toStdString()]() -> DeviceSnapshotPtr {
            auto snapshot = std::make_shared<DeviceSnapshot>();
            snapshot->devices = session::readDevices(files, path);
            snapshot->localFacts = session::localDeviceFacts();
            snapshot->localPeaks = session::readPeaks(session::peaksCacheFile(),
                                                      target::parseTarget("host -num-cores=1"));
            snapshot->emulator = session::riscvEmulator();
            return snapshot;
        },
        [this](const DeviceSnapshotPtr& snapshot) {
            snapshot_ = snapshot;
            emit ready();
        },
        [this](const QString& message) { emit failed(message); });
}

void DeviceSource::check(const measure::Device& device, bool replace) {
    using Problem = std::optional<session::DeviceProblem>;
    request<Problem>(
        Check,
        [device, files = files_, replace] { return session::checkDevice(device, files, replace); },
        [this](const Problem& problem) {
            emit checked(problem ? QString::fromStdString(problem->field) : QString(),
                         problem ? QString::fromStdString(problem->message) : QString());
        },
        [this](const QString& message) { emit checked(QStringLiteral("key"), message); });
}

void DeviceSource::save(const measure::Device& device, bool replace) {
    request<bool>(
        Change,
        [device, files = files_, replace] {
            session::saveDevice(device, files, replace);
            return true;
        },
        [this, key = QString::fromStdString(device.key)](bool) {
            emit saved(key);
            refreshAgain();
        },
        [this](const QString& message) { emit changeFailed(message); });
}

void DeviceSource::remove(const QString& key) {
    request<bool>(
        Change,
        [name = key.toStdString(), files = files_] {
            return session::removeDevice(name, files).has_value();
        },
        [this, key](bool) {
            emit removed(key);
            refreshAgain();
        },
        [this](const QString& message) { emit changeFailed(message); });
}

void DeviceSource::test(const QStringList& keys) {
    for (const QString& key : keys)
        if (key != testing_ && !waiting_.contains(key))
            waiting_ << key;
    if (testing_.isEmpty())
        nextTest();
    else
        emit testingChanged();
}

void DeviceSource::nextTest() {
    if (testing_.isEmpty() && !waiting_.isEmpty()) {
        testing_ = waiting_.takeFirst();
        QStringList arguments{QStringLiteral("device"), QStringLiteral("test"), testing_,
                              QStringLiteral("--json")};
        if (!files_.list.empty())
            arguments << QStringLiteral("--device-list")
                      << QString::fromStdString(files_.list.string());
        child_.start(arguments);
    }
    emit testingChanged();
}

void DeviceSource::cancelTest() {
    waiting_.clear();
    child_.cancel();
}

void DeviceSource::takeTest(const QByteArray& output) {
    const QString key = testing_;
    request<session::StoredDeviceTest>(
        StoreTest,
        [text = output.toStdString(), files = files_] {
            return session::storeDeviceTest(json::parse(text), files);
        },
        [this, key](const session::StoredDeviceTest& test) {
            testing_.clear();
            emit tested(key, test.ok, QString::fromStdString(test.message));
            refreshAgain();
            nextTest();
        },
        [this, key](const QString& message) {
            testing_.clear();
            emit tested(key, false, message);
            nextTest();
        });
}

void DeviceSource::measurePeaks() {
    peaks_.start({QStringLiteral("peaks"), QStringLiteral("--seconds"), QStringLiteral("8"),
                  QStringLiteral("--json")});
}

void DeviceSource::cancelPeaks() {
    peaks_.cancel();
}

QString DeviceSource::addCommand(const measure::Device& device) {
    return QString::fromStdString(session::addDeviceCommand(device));
}

} // namespace tilewright::ui
