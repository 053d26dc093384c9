// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace tilewright::ui {

/// A large choice: a name, what it takes in big text, and a line about it. One of a row of them is
/// on.
class PresetCard : public QAbstractButton {
    Q_OBJECT

public:
    explicit PresetCard(QWidget* parent = nullptr);
    void setTexts(const QString& name, const QString& big, const QString& note);
    [[nodiscard]] QString big() const { return big_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString big_;
    QString note_;
};

} // namespace tilewright::ui
