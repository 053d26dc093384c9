// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace tilewright::ui {

/// Numbered steps on a line: those that are done have a tick, the current one is marked.
class StepLine : public QWidget {
    Q_OBJECT

public:
    explicit StepLine(QWidget* parent = nullptr);

    void setSteps(const QStringList& names);
    /// 0 … number of steps; the number itself means that all are done.
    void setCurrent(int step);
    [[nodiscard]] int current() const { return current_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    QStringList names_;
    int current_ = 0;
};

} // namespace tilewright::ui
