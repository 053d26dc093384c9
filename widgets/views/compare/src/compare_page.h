// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/compare_source.h>
#include <tilewright/ui/store_tools.h>
#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace tilewright::ui {

class EmptyState;
class MessageBar;
class RecordCompare;
class SessionCompare;
class SideHeader;

/// See createCompareView().
class ComparePage : public Workspace {
    Q_OBJECT

public:
    ComparePage(const ViewContext& context, QWidget* parent);

    QString title() const override;
    QString iconName() const override { return QStringLiteral("compare"); }
    void opened() override;
    void closed() override { open_ = false; }
    QList<QAction*> actions() const override { return actions_; }
    QString helpPage() const override { return QStringLiteral("compare"); }

protected:
    void changeEvent(QEvent* event) override;

private:
    /// A choice of the boxes for A and B.
    struct Choice {
        QString text;
        session::CompareSide side;
        qint64 record = -1;
    };
    void build();
    void connectAll();
    void fillChoices();
    void update();
    void askSessions();
    void askRecords(const QVector<session::RecordRef>& records);
    void showSessions();
    void showRecords();
    void showEmpty(const QString& title, const QString& text);
    void swapSides();
    void pickFile();
    void retranslate();
    [[nodiscard]] double threshold() const;

    ViewContext context_;
    CompareSource* source_;
    StoreTools* stores_;
    StoreOverviewPtr overview_;
    QVector<Choice> choices_;
    QVector<session::RecordRef> shown_; ///< records compared; empty: sessions
    QComboBox* left_;
    QComboBox* right_;
    QToolButton* swap_;
    QToolButton* back_;
    QToolButton* copy_;
    QDoubleSpinBox* threshold_;
    QLabel* thresholdLabel_;
    MessageBar* bar_;
    SideHeader* header_;
    QStackedWidget* pages_;
    EmptyState* empty_;
    SessionCompare* sessions_;
    RecordCompare* records_;
    QAction* defaultsAction_;
    QAction* lastAction_;
    QAction* fileAction_;
    QList<QAction*> actions_;
    bool open_ = false;
    bool filling_ = false;
    bool wantSessions_ = false; ///< Back was pressed: sessions, although records are selected
};

} // namespace tilewright::ui
