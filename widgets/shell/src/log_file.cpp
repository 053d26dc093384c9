// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/log_file.h>

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <atomic>
#include <cstdio>

namespace tilewright::ui {

namespace {

constexpr int kMaxLines = 1000;

// Qt's message handler is a plain function, so the log it writes to must be found without context.
std::atomic<LogFile*> currentLog = nullptr;

void takeMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    static constexpr const char* kLevels[] = {"debug", "warning", "error", "fatal", "note"};
    const auto level = QLatin1String(kLevels[std::min<int>(type, 4)]);
    if (LogFile* log = currentLog)
        log->write(level, text);
    if (type != QtDebugMsg && type != QtInfoMsg)
        std::fprintf(stderr, "%s\n", qPrintable(text));
}

} // namespace

LogFile::LogFile(const QString& folder, qint64 maxBytes, QObject* parent)
    : QObject(parent), path_(folder + QStringLiteral("/window.log")), maxBytes_(maxBytes),
      file_(new QFile(path_, this)) {
    QDir().mkpath(folder);
    file_->open(QIODevice::Append | QIODevice::Text);
    LogFile* none = nullptr;
    if (currentLog.compare_exchange_strong(none, this))
        qInstallMessageHandler(takeMessage);
}

LogFile::~LogFile() {
    LogFile* self = this;
    if (currentLog.compare_exchange_strong(self, nullptr))
        qInstallMessageHandler(nullptr);
}

void LogFile::write(const QString& level, const QString& text) {
    const QString line =
        QStringLiteral("%1 %2 %3")
            .arg(QDateTime::currentDateTime().toString(Qt::ISODateWithMs), level, text);
    {
        const QMutexLocker lock(&mutex_);
        if (file_->isOpen()) {
            file_->write(line.toUtf8() + '\n');
            file_->flush();
            if (file_->size() > maxBytes_)
                rotate();
        }
        lines_.append(line);
        if (lines_.size() > kMaxLines)
            lines_.removeFirst();
    }
    emit lineAdded(line);
}

void LogFile::rotate() {
    file_->close();
    const auto name = [this](int number) { return QStringLiteral("%1.%2").arg(path_).arg(number); };
    QFile::remove(name(kFiles - 1));
    for (int i = kFiles - 2; i >= 1; --i)
        QFile::rename(name(i), name(i + 1));
    QFile::rename(path_, name(1));
    file_->open(QIODevice::WriteOnly | QIODevice::Text);
}

QStringList LogFile::lastLines() const {
    const QMutexLocker lock(&mutex_);
    return lines_;
}

} // namespace tilewright::ui
