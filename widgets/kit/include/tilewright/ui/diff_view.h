// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include <tilewright/ui/code_view.h>

class QLabel;
class QHBoxLayout;

namespace tilewright::ui {

class DiffRuler;

/// What a row of an aligned comparison is.
enum class RowChange { Equal, Changed, Attributes, OnlyLeft, OnlyRight, Moved };

/// A changed stretch of a line, in characters.
struct TextSpan {
    int begin = 0;
    int length = 0;
};

/// Two lines beside each other; a missing one has line number -1 and is drawn hatched.
struct DiffRow {
    QString leftText;
    QString rightText;
    RowChange change = RowChange::Equal;
    QVector<TextSpan> leftSpans;
    QVector<TextSpan> rightSpans;
    int leftLine = -1; ///< 1-based
    int rightLine = -1;
};

/// Two texts line by line: they scroll in step, changed words are marked, equal regions fold, a
/// ruler shows where the differences are. Left is always the warm tint, right the cool one.
class DiffView : public QWidget {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    void setLanguage(CodeView::Language language);
    /// "A", "IR after the schedule, 46 lines".
    void setTitles(const QString& left, const QString& right);
    void setRows(const QVector<DiffRow>& rows);
    /// Long runs of equal lines become one line "▸ 10 equal lines"; on by default.
    void setFoldEqual(bool on);
    bool foldsEqual() const { return fold_; }
    int differenceCount() const;
    /// 0-based, -1 before the first.
    int currentDifference() const { return current_; }
    /// Accent bars at these rows (indexes of setRows()).
    void setMarkedRows(const QVector<int>& rows);
    void showRow(int row);
    /// A unified text of both sides.
    QString unifiedText() const;

    CodeView* left() const { return left_; }
    CodeView* right() const { return right_; }

public slots:
    void nextDifference();
    void previousDifference();
    void copyUnified();

signals:
    void currentDifferenceChanged(int index, int count);
    void rowSelected(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Line {
        int row = -1;   ///< first row it stands for
        int folded = 0; ///< number of rows folded into it; 0: a row itself
    };
    void build();
    void colour();
    void goTo(int difference);
    void unfold(int line);
    int lineOf(int row) const;

    QVector<DiffRow> rows_;
    QVector<Line> lines_;
    QVector<int> starts_; ///< first row of each difference
    QVector<int> marked_;
    QVector<int> opened_; ///< folds the person opened, by first row
    CodeView* left_;
    CodeView* right_;
    QLabel* leftTitle_;
    QLabel* rightTitle_;
    DiffRuler* ruler_;
    int current_ = -1;
    bool fold_ = true;
    bool syncing_ = false;

    friend class DiffRuler;
};

} // namespace tilewright::ui
