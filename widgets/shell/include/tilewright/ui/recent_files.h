// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QVector>

class QSettings;

namespace tilewright::ui {

/// Something that was opened before.
struct RecentFile {
    QString path;
    QString kind; ///< `model` or `results`
    QDateTime opened;
    bool missing = false; ///< as far as is known; looked up in the background
};

/// The newest twelve things that were opened, kept in the state folder.
class RecentFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int kMaxFiles = 12;

    explicit RecentFiles(QSettings* settings, QObject* parent = nullptr);

    [[nodiscard]] QVector<RecentFile> files() const { return files_; } ///< newest first
    void add(const QString& path, const QString& kind);
    /// `present`: those that were found.
    void setPresent(const QStringList& present);
    void clearMissing();
    void clear();

signals:
    void changed();

private:
    void store();

    QSettings* settings_;
    QVector<RecentFile> files_;
};

} // namespace tilewright::ui
