// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/store_tools.h>

#include <QHash>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace tilewright::ui {

class Commands;
class MachineFacts;
class Panel;
class RecentFiles;

/// The first page: four ways to begin, what was open before with its state, and the facts of this
/// machine that matter for measuring.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    WelcomePage(Commands* commands, RecentFiles* recent, MachineFacts* facts,
                const QString& version, QWidget* parent = nullptr);

    /// What is known of a recent work directory.
    void setOverview(const QString& path, const StoreOverviewPtr& overview);

signals:
    void recentChosen(const QString& path);
    /// The link at an interrupted session.
    void resumeChosen(const QString& path);

private:
    QWidget* makeChoices();
    QWidget* makeSide();
    QWidget* makeFoot(const QString& version);
    void showRecent();
    void showFacts();
    QString stateOf(const QString& path, bool& resumable) const;

    Commands* commands_;
    RecentFiles* recent_;
    MachineFacts* facts_;
    Panel* recentPanel_;
    Panel* machinePanel_;
    QHash<QString, StoreOverviewPtr> overviews_;
};

} // namespace tilewright::ui
