// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QPlainTextEdit>
#include <QVector>

class QLabel;
class QLineEdit;

namespace tilewright::ui {

class CodeMargin;

/// A tinted stretch of a line, in characters.
struct TextMark {
    int begin = 0;
    int length = 0;
    QColor color;
};

/// Read-only text of IR or assembly: highlighting, line numbers, search (Ctrl+F), folding by
/// indentation (click in the margin), copy. Made for 50,000 lines.
class CodeView : public QPlainTextEdit {
    Q_OBJECT

public:
    enum Language { Plain, Tir, Llvm, Asm, Json, Python };
    Q_ENUM(Language)

    explicit CodeView(QWidget* parent = nullptr);

    void setLanguage(Language language);
    Language language() const { return language_; }
    void setCode(const QString& text);
    /// Numbers shown in place of 1, 2, 3; -1 shows none. Used by DiffView.
    void setLineNumbers(const QVector<int>& numbers);
    /// A glyph after the number of each line, with its colour.
    void setLineGlyphs(const QVector<QString>& glyphs, const QVector<QColor>& colors);
    /// Ground of each line (Qt::NoBrush: none) and tinted stretches on it; may be empty.
    void setLineGrounds(const QVector<QBrush>& grounds, const QVector<QVector<TextMark>>& marks);
    /// Marked lines (0-based): an accent bar at the left.
    void setMarkedLines(const QVector<int>& lines);
    void setFoldingEnabled(bool on);

    /// Selects and shows the next match; wraps around. False when there is none.
    bool findNext(const QString& text, bool backward = false);
    int matchCount(const QString& text) const;

    int marginWidth() const;
    void paintMargin(QPaintEvent* event);
    void marginClicked(const QPoint& position);

public slots:
    void showSearch();
    void hideSearch();

signals:
    /// The line under the cursor (0-based).
    void lineSelected(int line);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyTheme();
    void colourVisible();
    bool isFoldable(int line) const;
    void toggleFold(int line);
    void placeParts();

    Language language_ = Plain;
    CodeMargin* margin_;
    int revision_ = 1; ///< of colours; blocks of another one are coloured when they come into view
    QVector<QBrush> grounds_;
    QVector<QVector<TextMark>> marks_;
    QWidget* search_;
    QLineEdit* searchText_;
    QLabel* searchCount_;
    QVector<int> numbers_;
    QVector<QString> glyphs_;
    QVector<QColor> glyphColors_;
    QVector<int> marked_;
    bool folding_ = true;
};

} // namespace tilewright::ui
