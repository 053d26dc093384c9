// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/model_source.h>

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

/// Name and facts of the model, its input shapes, the target, and Start.
class ModelHeader : public QWidget {
    Q_OBJECT

public:
    explicit ModelHeader(QWidget* parent = nullptr);

    void setOverview(const ModelOverviewPtr& overview);
    void setTarget(const QString& target);
    void setStartEnabled(bool on);
    /// The shapes as they stand; empty vectors for what is no shape.
    [[nodiscard]] InputShapes shapes() const;
    void focusShape();

signals:
    void reextract(const tilewright::ui::InputShapes& shapes);
    void targetChosen(const QString& target);
    void start();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showFacts();
    void rebuildInputs();
    void shapeEdited();

    ModelOverviewPtr overview_;
    QLabel* title_;
    QLabel* facts_;
    QHBoxLayout* inputs_;
    QVector<QPair<QString, QLineEdit*>> edits_;
    QLabel* shapeProblem_;
    QComboBox* target_;
    QPushButton* reextract_;
    QPushButton* start_;
};

} // namespace tilewright::ui
