// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include <tilewright/ui/diff_view.h>

class QAbstractTableModel;
class QLabel;
class QToolButton;

namespace tilewright::ui {

class MessageBar;
class Panel;
class TableView;
class TraceDecisionModel;
class TraceInstructionModel;

/// One value of a decision, cut into its factors so that only the changed ones are marked.
struct DecisionPart {
    QString text;
    bool changed = false;
};

/// A decision of both sides, or of N records: `values` has one entry a record.
struct DecisionRow {
    QString name; ///< loop or what is decided: "co", "unroll"
    QString extent;
    QVector<QVector<DecisionPart>> values;
    QString effect; ///< "vector 8 → 16"
    bool changed = false;
    int instruction = -1; ///< row of the instruction list
};

struct InstructionRow {
    QVector<DecisionPart> left;
    QVector<DecisionPart> right;
    RowChange change = RowChange::Equal;
    int leftLine = -1; ///< 1-based place in the trace; -1: nothing on this side
    int rightLine = -1;
    bool postprocessing = false;
    QString tooltip;
};

/// All a trace comparison shows.
struct TraceDiff {
    QStringList sides; ///< "record 6 127", "record 8 412", …
    QVector<DecisionRow> decisions;
    QVector<InstructionRow> instructions;
    QString note;   ///< "6 of 9 changed, products check ✓"
    QString banner; ///< "Structure differs: B adds cache_read(weight)"; empty: none
    QString bannerDetail;
};

/// Decisions first, then the aligned instructions. Changed factors are bold, tinted and have ≠ in
/// the gutter; equal rows are dimmed, and gone with *Differences only*.
class TraceDiffView : public QWidget {
    Q_OBJECT

public:
    explicit TraceDiffView(QWidget* parent = nullptr);
    void setDiff(const TraceDiff& diff);
    void setDifferencesOnly(bool on);
    bool differencesOnly() const;
    void setAllInstructions(bool on);
    int differenceCount() const;
    /// The whole comparison as text.
    QString unifiedText() const;
    TableView* decisionTable() const { return decisions_; }
    TableView* instructionTable() const { return instructions_; }

public slots:
    void nextDifference();
    void previousDifference();
    void copyAsText();

signals:
    /// Row of TraceDiff::decisions, and of ::instructions.
    void decisionSelected(int decision);
    void instructionSelected(int instruction);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void step(int direction);
    void showPlace();

    TraceDiff diff_;
    Panel* decisionPanel_;
    Panel* instructionPanel_;
    TableView* decisions_;
    TableView* instructions_;
    TraceDecisionModel* decisionModel_;
    TraceInstructionModel* instructionModel_;
    MessageBar* banner_;
    QToolButton* only_;
    QToolButton* all_;
    QLabel* place_;
};

} // namespace tilewright::ui
