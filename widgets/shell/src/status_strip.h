// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_snapshot.h>

#include <QWidget>

class QLabel;
class QProgressBar;

namespace tilewright::ui {

class PhaseBar;

/// The line at the bottom: state, progress, time left, where the time goes, devices, database.
class StatusStrip : public QWidget {
    Q_OBJECT

public:
    explicit StatusStrip(QWidget* parent = nullptr);
    /// Null shows that nothing is open. `state` is the LiveSession's.
    void setSession(const QString& state, session::LiveSnapshotPtr snapshot);
    /// A short note in place of the state while nothing runs, such as "Reading…".
    void setNote(const QString& note);
    void setDatabaseText(const QString& text);

private:
    void show(const QString& state, const session::LiveSnapshot* snapshot);

    QLabel* state_;
    QProgressBar* progress_;
    QLabel* count_;
    QLabel* left_;
    PhaseBar* phases_;
    QLabel* phaseText_;
    QLabel* devices_;
    QLabel* database_;
    QString note_;
};

/// `running` → "▶ running", in the current language: a glyph and a word.
QString sessionStateText(const QString& state);
/// The glyph alone.
QString sessionStateGlyph(const QString& state);

} // namespace tilewright::ui
