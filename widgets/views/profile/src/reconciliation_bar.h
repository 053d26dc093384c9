// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/profile_report.h>

#include <QWidget>

namespace tilewright::ui {

/// Two bars over each other, on one scale: operators and overhead, and the whole as it was
/// measured.
class ReconciliationBar : public QWidget {
    Q_OBJECT

public:
    explicit ReconciliationBar(QWidget* parent = nullptr);

    void setReport(const session::ProfileReport& report);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double sum_ = 0;
    double overhead_ = 0;
    double whole_ = 0;
};

} // namespace tilewright::ui
