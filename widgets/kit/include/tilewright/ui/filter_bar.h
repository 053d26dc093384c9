// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QCompleter;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace tilewright::ui {

/// The filter of the window: terms as chips that can be removed or edited, text for the next one,
/// "412 of 18 331" and a clear cross. Terms are separated by spaces outside of quotes.
class FilterBar : public QWidget {
    Q_OBJECT

public:
    explicit FilterBar(QWidget* parent = nullptr);

    /// Sets text without a signal.
    void setFilter(const QString& text);
    QString filter() const;
    /// Words offered while typing: "task:", "status:ok", names of tasks.
    void setCompletions(const QStringList& words);
    /// Underlines a part of filter() and says why; an empty text clears it.
    void setProblem(const QString& text, int from = 0, int length = 0);
    QString problem() const;
    /// "412 of 18 331"; negative total: nothing.
    void setCounts(qint64 shown, qint64 total);
    void setPlaceholder(const QString& text);

public slots:
    void clear();
    void removeLastTerm();
    /// Puts the cursor in (Ctrl+F, /).
    void edit();

signals:
    void filterEdited(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void commitText();
    void editTerm(int term);
    void announce();
    void markProblem();

    QStringList terms_;
    QWidget* chips_;
    QHBoxLayout* chipRow_;
    QLineEdit* text_;
    QLabel* counts_;
    QToolButton* clear_;
    QLabel* icon_;
    QString placeholder_;
    QString problem_;
    int problemFrom_ = 0;
    int problemLength_ = 0;
};

/// Splits a filter text into its terms, as the bar shows them: spaces inside double quotes and
/// parentheses do not separate.
QStringList filterTerms(const QString& text);

} // namespace tilewright::ui
