// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMutex>
#include <QObject>
#include <QString>
#include <QStringList>

class QFile;

namespace tilewright::ui {

/// The window's log: a file in the state folder, of at most 5 MB, with four older ones beside it
/// (`window.log.1` … `.4`). While one exists, Qt's messages go into it too. Any thread may write.
class LogFile : public QObject {
    Q_OBJECT

public:
    static constexpr qint64 kMaxBytes = 5 * 1024 * 1024;
    static constexpr int kFiles = 5;

    explicit LogFile(const QString& folder, qint64 maxBytes = kMaxBytes, QObject* parent = nullptr);
    ~LogFile() override;

    void write(const QString& level, const QString& text);
    [[nodiscard]] QString path() const { return path_; }
    /// The newest lines of this run, at most 1000.
    [[nodiscard]] QStringList lastLines() const;

signals:
    /// From the thread that wrote.
    void lineAdded(const QString& line);

private:
    void rotate();

    QString path_;
    qint64 maxBytes_;
    mutable QMutex mutex_;
    QFile* file_;
    QStringList lines_;
};

} // namespace tilewright::ui
