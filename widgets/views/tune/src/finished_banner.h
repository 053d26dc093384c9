// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_snapshot.h>

#include <QFrame>

class QLabel;
class QPushButton;

namespace tilewright::ui {

/// What a finished session came to, and where to go from here.
class FinishedBanner : public QFrame {
    Q_OBJECT

public:
    explicit FinishedBanner(QWidget* parent = nullptr);
    /// Shows the sentence of a session that ended; hides for others.
    void setSnapshot(const session::LiveSnapshot* snapshot, const QString& state);
    [[nodiscard]] QString text() const;

signals:
    void bottlenecksWanted();
    void compareWanted();
    void reportWanted();
    /// The session was stopped before its budget: go on.
    void resumeWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QLabel* glyph_;
    QLabel* text_;
    QPushButton* resume_;
    QPushButton* bottlenecks_;
    QPushButton* compare_;
    QPushButton* report_;
};

} // namespace tilewright::ui
