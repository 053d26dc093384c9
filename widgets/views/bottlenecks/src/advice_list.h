// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/bottleneck_source.h>

#include <QListWidget>

namespace tilewright::ui {

/// What the rules found: headline, evidence, possible gain, link to the record; two lines each.
class AdviceList : public QListWidget {
    Q_OBJECT

public:
    explicit AdviceList(QWidget* parent = nullptr);

    void setReport(const BottleneckReportPtr& report);
    /// Marks the advice of a task without a signal.
    void markTask(qint64 task);

signals:
    void taskChosen(qint64 task);
    void recordChosen(qint64 record);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    BottleneckReportPtr report_;
};

} // namespace tilewright::ui
