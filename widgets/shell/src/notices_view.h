// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_snapshot.h>

#include <QDateTime>
#include <QTabWidget>

class QPlainTextEdit;
class QTreeWidget;

namespace tilewright::ui {

/// One line of the Problems tab.
struct Problem {
    int level = 0; ///< 0 note, 1 warning, 2 error
    QString code;
    QString text;
    QDateTime time;
    QString action; ///< id of a command that mends it; may be empty
    QString actionText;
};

/// The dock at the bottom: problems, the log, and what happened in the session.
class NoticesView : public QTabWidget {
    Q_OBJECT

public:
    explicit NoticesView(QWidget* parent = nullptr);

    void addProblem(const Problem& problem);
    /// Says the same as a problem that is there already? Then only its time is renewed.
    [[nodiscard]] int problemCount() const { return static_cast<int>(problems_.size()); }
    [[nodiscard]] const QVector<Problem>& problems() const { return problems_; }
    void setProblems(const QVector<Problem>& problems);
    void clearProblems();
    void addLogLine(const QString& line);
    void setEvents(const session::LiveSnapshotPtr& snapshot);

signals:
    void actionTriggered(const QString& commandId);
    void recordChosen(qint64 record);

private:
    void showProblems();
    void showCounts();
    QTreeWidget* makeList(const QString& name, const QString& title, int columns);

    QTreeWidget* problemList_;
    QPlainTextEdit* log_;
    QTreeWidget* eventList_;
    QVector<Problem> problems_;
    std::size_t shownEvents_ = 0;
    std::int64_t shownSession_ = -1;
};

} // namespace tilewright::ui
