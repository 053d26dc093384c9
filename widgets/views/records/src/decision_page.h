// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/inspector_source.h>

#include <QHash>
#include <QTimer>
#include <QWidget>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

class CodeView;

/// A record's decisions as editable fields: each change says at once whether the schedule is legal
/// and shows its IR; a legal one can be measured as a record of its own.
class DecisionPage : public QWidget {
    Q_OBJECT

public:
    explicit DecisionPage(InspectorSource* source, QWidget* parent = nullptr);

    /// Shows the decisions of the source's record; edits are dropped.
    void showDetails();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Field {
        qint64 instruction = -1;
        QString before;
        QLineEdit* edit = nullptr;
        QLabel* mark = nullptr;
    };
    void edited();
    void tryEdits();
    void reset();
    void showTried(const session::EditedSchedule& edited);
    void retranslate();
    [[nodiscard]] QVector<DecisionInput> inputs() const;

    InspectorSource* source_;
    QGridLayout* grid_;
    QWidget* fieldsArea_;
    QVector<Field> fields_;
    QLabel* hint_;
    QLabel* message_;
    CodeView* code_;
    QPushButton* measure_;
    QPushButton* reset_;
    QTimer delay_;
    QString trace_; ///< of the legal edit that is shown
};

} // namespace tilewright::ui
