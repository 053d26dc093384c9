// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/filter_bar.h>

#include <tilewright/ui/chip.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>

#include <QCompleter>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStringListModel>
#include <QStyle>
#include <QToolButton>

namespace tilewright::ui {

QStringList filterTerms(const QString& text) {
    QStringList terms;
    QString term;
    bool quoted = false;
    int depth = 0;
    for (const QChar c : text) {
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (!quoted && c == QLatin1Char('('))
            ++depth;
        else if (!quoted && c == QLatin1Char(')'))
            depth = qMax(0, depth - 1);
        if (c.isSpace() && !quoted && depth == 0) {
            if (!term.isEmpty())
                terms.append(term);
            term.clear();
        } else {
            term += c;
        }
    }
    if (!term.isEmpty())
        terms.append(term);
    return terms;
}

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent), chips_(new QWidget(this)), chipRow_(new QHBoxLayout(chips_)),
      text_(new QLineEdit(this)), counts_(new QLabel(this)), clear_(new QToolButton(this)),
      icon_(new QLabel(this)) {
    setProperty("kind", "filter");
    setAttribute(Qt::WA_StyledBackground);
    setMinimumHeight(28);
    text_->setObjectName(QStringLiteral("filterText"));
    counts_->setObjectName(QStringLiteral("filterCounts"));
    clear_->setObjectName(QStringLiteral("filterClear"));
    counts_->setProperty("role", "secondary");
    clear_->setProperty("kind", "tool");
    clear_->setIconSize(QSize(14, 14));
    clear_->setIcon(themedIcon(QStringLiteral("close"), nullptr, Tone::Secondary));
    chipRow_->setContentsMargins(0, 0, 0, 0);
    chipRow_->setSpacing(4);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 4, 2);
    row->setSpacing(6);
    row->addWidget(icon_);
    row->addWidget(chips_);
    row->addWidget(text_, 1);
    row->addWidget(counts_);
    row->addWidget(clear_);
    auto* completer = new QCompleter(new QStringListModel(this), this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    text_->setCompleter(completer);
    text_->installEventFilter(this);
    setFocusProxy(text_);
    connect(text_, &QLineEdit::returnPressed, this, &FilterBar::commitText);
    connect(clear_, &QToolButton::clicked, this, &FilterBar::clear);
    rebuild();
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &FilterBar::rebuild);
}

void FilterBar::rebuild() {
    while (QLayoutItem* item = chipRow_->takeAt(0)) {
        if (QWidget* chip = item->widget()) {
            chip->hide();
            chip->deleteLater(); // this may run inside the chip's own signal
        }
        delete item;
    }
    for (int i = 0; i < terms_.size(); ++i) {
        auto* chip = new Chip(terms_[i], chips_);
        chip->setObjectName(QStringLiteral("filterChip"));
        chip->setRemovable(true);
        connect(chip, &Chip::removed, this, [this, i] {
            terms_.removeAt(i);
            announce();
        });
        connect(chip, &Chip::clicked, this, [this, i] { editTerm(i); });
        chipRow_->addWidget(chip);
    }
    chips_->setVisible(!terms_.isEmpty());
    text_->setPlaceholderText(!terms_.isEmpty()        ? tr("Add a filter")
                              : placeholder_.isEmpty() ? tr("Add a filter, e.g. lat<1ms")
                                                       : placeholder_);
    text_->setAccessibleName(tr("Filter"));
    counts_->setFont(Theme::fontOf(this, Theme::Dense));
    text_->setFont(Theme::fontOf(this, Theme::Body));
    clear_->setToolTip(tr("Clear the filter"));
    clear_->setAccessibleName(tr("Clear the filter"));
    clear_->setVisible(!terms_.isEmpty() || !text_->text().isEmpty());
    icon_->setPixmap(iconPixmap(QStringLiteral("filter"), Theme::colorsOf(this).secondary, 16,
                                devicePixelRatioF()));
    markProblem();
}

void FilterBar::markProblem() {
    int at = 0;
    for (int i = 0; i < terms_.size() && i < chipRow_->count(); ++i) {
        const int end = at + static_cast<int>(terms_[i].size());
        const bool bad = !problem_.isEmpty() && problemFrom_ < end &&
                         problemFrom_ + qMax(1, problemLength_) > at;
        auto* chip = qobject_cast<Chip*>(chipRow_->itemAt(i)->widget());
        if (chip) {
            chip->setLook(bad ? Chip::Warning : Chip::Accent);
            chip->setGlyph(bad ? QStringLiteral("⚠") : QString());
            chip->setToolTip(bad ? problem_ : tr("Click to edit"));
            QFont font = chip->font();
            font.setUnderline(bad);
            chip->setFont(font);
        }
        at = end + 1;
    }
    setToolTip(problem_);
    setAccessibleDescription(problem_);
}

void FilterBar::setFilter(const QString& text) {
    const QStringList terms = filterTerms(text);
    if (terms == terms_)
        return;
    terms_ = terms;
    problem_.clear();
    rebuild();
}

QString FilterBar::filter() const {
    return terms_.join(QLatin1Char(' '));
}

void FilterBar::setCompletions(const QStringList& words) {
    static_cast<QStringListModel*>(text_->completer()->model())->setStringList(words);
}

void FilterBar::setProblem(const QString& text, int from, int length) {
    problem_ = text;
    problemFrom_ = from;
    problemLength_ = length;
    markProblem();
}

QString FilterBar::problem() const {
    return problem_;
}

void FilterBar::setCounts(qint64 shown, qint64 total) {
    counts_->setVisible(total >= 0);
    if (total < 0)
        return;
    const auto grouped = [](qint64 number) {
        QString digits = QString::number(number);
        for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
            digits.insert(at, QChar(0x2009));
        return digits;
    };
    counts_->setText(tr("%1 of %2").arg(grouped(shown), grouped(total)));
}

void FilterBar::setPlaceholder(const QString& text) {
    placeholder_ = text;
    rebuild();
}

void FilterBar::announce() {
    problem_.clear();
    rebuild();
    emit filterEdited(filter());
}

void FilterBar::commitText() {
    const QStringList added = filterTerms(text_->text());
    if (added.isEmpty())
        return;
    terms_ += added;
    text_->clear();
    announce();
}

void FilterBar::editTerm(int term) {
    if (term < 0 || term >= terms_.size())
        return;
    text_->setText(terms_.takeAt(term));
    rebuild();
    text_->setFocus();
    text_->selectAll();
}

void FilterBar::clear() {
    text_->clear();
    if (terms_.isEmpty())
        return rebuild();
    terms_.clear();
    announce();
}

void FilterBar::removeLastTerm() {
    if (terms_.isEmpty())
        return;
    terms_.removeLast();
    announce();
}

void FilterBar::edit() {
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched != text_)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        setProperty("focused", event->type() == QEvent::FocusIn);
        style()->unpolish(this);
        style()->polish(this);
        // A term that was typed and left behind would look as if it filtered.
        if (event->type() == QEvent::FocusOut &&
            static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
            commitText();
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Backspace && text_->text().isEmpty() && !terms_.isEmpty()) {
            editTerm(static_cast<int>(terms_.size()) - 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape && !text_->text().isEmpty()) {
            text_->clear();
            return true;
        }
        if (key->key() == Qt::Key_Escape && !terms_.isEmpty()) {
            clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        rebuild();
}

} // namespace tilewright::ui
