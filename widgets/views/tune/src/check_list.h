// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/session_planner.h>

#include <QWidget>

class QVBoxLayout;
class QLabel;

namespace tilewright::ui {

/// What was looked at before a start, a line a check: glyph, what, found, and what to do about it.
class CheckList : public QWidget {
    Q_OBJECT

public:
    explicit CheckList(QWidget* parent = nullptr);
    void setChecking();
    void setChecks(const std::vector<session::EnvironmentCheck>& checks);
    /// Why nothing may start; empty when it may.
    [[nodiscard]] QString blocker() const { return blocker_; }
    [[nodiscard]] QString summary() const { return summary_; }

signals:
    /// The advice of a check was clicked: it is to be copied or shown.
    void fixWanted(const QString& name, const QString& advice);

private:
    void addRow(const session::EnvironmentCheck& check);
    void clear();

    QVBoxLayout* rows_;
    QString blocker_;
    QString summary_;
};

} // namespace tilewright::ui
