// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/bottleneck_source.h>

#include <QWidget>

class QLabel;
class QSlider;

namespace tilewright::ui {

/// "What if this operator reached 60 % of its roof?": a slider and what the model would take.
class WhatIfBar : public QWidget {
    Q_OBJECT

public:
    /// `source` computes; outlives the bar.
    explicit WhatIfBar(BottleneckSource* source, QWidget* parent = nullptr);

    void setTask(qint64 task);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showAnswer();
    void retranslate();

    BottleneckSource* source_;
    qint64 task_ = -1;
    QLabel* question_;
    QSlider* slider_;
    QLabel* answer_;
};

} // namespace tilewright::ui
