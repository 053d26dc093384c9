// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/compare_source.h>

#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QLabel;

namespace tilewright::ui {

class DiffView;
class MessageBar;
class Panel;
class TraceDiffView;

/// Records against each other: decisions, instructions, code.
class RecordCompare : public QWidget {
    Q_OBJECT

public:
    explicit RecordCompare(CompareSource* source, QWidget* parent = nullptr);
    /// Shows the source's records.
    void showComparison();
    void nextDifference();
    void previousDifference();
    [[nodiscard]] TraceDiffView* traces() const { return traces_; }
    [[nodiscard]] DiffView* code() const { return code_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void askCode();
    void showCode(session::RecordForm form, const SideBySidePtr& code);
    void markLoop(int decision);
    void retranslate();
    [[nodiscard]] session::RecordForm form() const;
    [[nodiscard]] session::NormalizeOptions options() const;

    CompareSource* source_;
    MessageBar* refusal_;
    TraceDiffView* traces_;
    Panel* codePanel_;
    DiffView* code_;
    QButtonGroup* forms_;
    QLabel* same_;
    QCheckBox* names_;
    QCheckBox* labels_;
    QCheckBox* addresses_;
    QCheckBox* comments_;
    QCheckBox* metadata_;
    QCheckBox* fold_;
    QLabel* place_;
};

} // namespace tilewright::ui
