// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/store_tools.h>

#include <QTreeWidget>

namespace tilewright::ui {

class AppState;
class RecentFiles;

/// A filter kept under a name.
struct SavedFilter {
    QString name;
    QString text;
};

/// The Project dock: models, sessions with their states, baselines, devices, saved filters. Enter,
/// a click or the menu of an entry uses it.
class ProjectTree : public QTreeWidget {
    Q_OBJECT

public:
    ProjectTree(AppState* state, QWidget* parent = nullptr);

    void setOverview(StoreOverviewPtr overview);
    void setModels(const QStringList& paths);
    /// Name and state word of each.
    void setDevices(const QVector<QPair<QString, QString>>& devices);
    void setFilters(const QVector<SavedFilter>& filters);
    /// The state of the session that is followed now, which the store may not tell yet.
    void setLive(qint64 session, const QString& state, int percent);

signals:
    void modelChosen(const QString& path);
    void deviceChosen(const QString& name);
    void filterRemoved(const QString& name);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum Section { Models, Sessions, Baselines, Devices, Filters };
    void rebuild();
    void addSessions();
    void addBaselines();
    void use(QTreeWidgetItem* item);
    void pin(QTreeWidgetItem* item);
    QTreeWidgetItem* section(Section which, const QString& title, const QString& whenEmpty);
    QTreeWidgetItem* add(QTreeWidgetItem* section, const QString& icon, const QString& text,
                         const QString& note);

    AppState* state_;
    StoreOverviewPtr overview_;
    QStringList models_;
    QVector<QPair<QString, QString>> devices_;
    QVector<SavedFilter> filters_;
    qint64 liveSession_ = -1;
    QString liveState_;
    int livePercent_ = -1;
};

} // namespace tilewright::ui
