// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_snapshot.h>

#include <QWidget>

class QAction;

namespace tilewright::ui {

class EmptyState;

/// In place of a curve when every trial failed: where they failed, the first message in full, and
/// the way to a failing record.
class FailureView : public QWidget {
    Q_OBJECT

public:
    explicit FailureView(QWidget* parent = nullptr);
    void setSnapshot(const session::LiveSnapshot& snapshot);

signals:
    void recordWanted(qint64 record);

private:
    EmptyState* state_;
    QAction* open_;
    qint64 record_ = 0;
};

} // namespace tilewright::ui
