// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/code_view.h>

#include "code_tokens.h"

#include <tilewright/ui/theme.h>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kFoldWidth = 14;
constexpr int kMarkWidth = 3;

int indentOf(const QString& text) {
    int indent = 0;
    for (const QChar c : text) {
        if (!c.isSpace())
            return indent;
        indent += c == QLatin1Char('\t') ? 4 : 1;
    }
    return -1; // blank lines have none
}

} // namespace

/// The column left of the code: numbers, glyphs, fold marks.
class CodeMargin : public QWidget {
public:
    explicit CodeMargin(CodeView* view) : QWidget(view), view_(view) {}
    QSize sizeHint() const override { return QSize(view_->marginWidth(), 0); }

protected:
    void paintEvent(QPaintEvent* event) override { view_->paintMargin(event); }
    void mousePressEvent(QMouseEvent* event) override { view_->marginClicked(event->pos()); }

private:
    CodeView* view_;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent), margin_(new CodeMargin(this)), search_(new QFrame(this)),
      searchText_(new QLineEdit(search_)), searchCount_(new QLabel(search_)) {
    setProperty("kind", "code");
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setUndoRedoEnabled(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFrameShape(QFrame::NoFrame);
    search_->setProperty("kind", "card");
    search_->hide();
    searchText_->setObjectName(QStringLiteral("codeSearch"));
    searchText_->setPlaceholderText(tr("Find in the text"));
    searchText_->setAccessibleName(tr("Find in the text"));
    searchCount_->setProperty("role", "secondary");
    auto* row = new QHBoxLayout(search_);
    row->setContentsMargins(6, 4, 8, 4);
    row->addWidget(searchText_);
    row->addWidget(searchCount_);
    searchText_->installEventFilter(this);
    connect(searchText_, &QLineEdit::textChanged, this, [this](const QString& text) {
        moveCursor(QTextCursor::StartOfBlock);
        const int count = matchCount(text);
        searchCount_->setText(text.isEmpty() ? QString() : tr("%n found", nullptr, count));
        if (count > 0)
            findNext(text);
        placeParts();
    });
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeParts);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
        if (dy)
            margin_->scroll(0, dy);
        else
            margin_->update(0, area.y(), margin_->width(), area.height());
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &CodeView::colourVisible);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this,
            [this] { emit lineSelected(textCursor().blockNumber()); });
    applyTheme();
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &CodeView::applyTheme);
}

void CodeView::applyTheme() {
    setFont(Theme::fontOf(this, Theme::Code));
    setTabStopDistance(4 * QFontMetricsF(font()).horizontalAdvance(QLatin1Char(' ')));
    ++revision_;
    placeParts();
    colourVisible();
}

void CodeView::setLanguage(Language language) {
    language_ = language;
    ++revision_;
    colourVisible();
}

void CodeView::setCode(const QString& text) {
    numbers_.clear();
    glyphs_.clear();
    glyphColors_.clear();
    marked_.clear();
    grounds_.clear();
    marks_.clear();
    setPlainText(text);
    placeParts();
    colourVisible();
}

void CodeView::setLineNumbers(const QVector<int>& numbers) {
    numbers_ = numbers;
    placeParts();
}

void CodeView::setLineGlyphs(const QVector<QString>& glyphs, const QVector<QColor>& colors) {
    glyphs_ = glyphs;
    glyphColors_ = colors;
    placeParts();
}

void CodeView::setLineGrounds(const QVector<QBrush>& grounds,
                              const QVector<QVector<TextMark>>& marks) {
    grounds_ = grounds;
    marks_ = marks;
    viewport()->update();
}

void CodeView::setMarkedLines(const QVector<int>& lines) {
    marked_ = lines;
    std::sort(marked_.begin(), marked_.end());
    margin_->update();
}

void CodeView::setFoldingEnabled(bool on) {
    folding_ = on;
    placeParts();
}

int CodeView::marginWidth() const {
    int largest = blockCount();
    if (!numbers_.isEmpty())
        largest = qMax(9, *std::max_element(numbers_.begin(), numbers_.end()));
    const QFontMetrics metrics(font());
    const int digits = static_cast<int>(QString::number(qMax(10, largest)).size());
    int width = 8 + digits * metrics.horizontalAdvance(QLatin1Char('9')) + 6;
    if (!glyphs_.isEmpty())
        width += metrics.horizontalAdvance(QStringLiteral("≠")) + 6;
    return width + (folding_ ? kFoldWidth : 0);
}

void CodeView::placeParts() {
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect area = contentsRect();
    margin_->setGeometry(area.left(), area.top(), marginWidth(), area.height());
    margin_->update();
    search_->adjustSize();
    search_->move(area.right() - search_->width() - 14, area.top() + 4);
    search_->raise();
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeParts();
    colourVisible();
}

void CodeView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange && margin_)
        placeParts();
}

void CodeView::colourVisible() {
    if (language_ == Plain)
        return;
    const ThemeColors& colors = Theme::colorsOf(this);
    const int bottom = viewport()->height();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        if (blockBoundingGeometry(block).translated(contentOffset()).top() > bottom)
            break;
        if (block.userState() == revision_)
            continue;
        block.setUserState(revision_);
        QVector<QTextLayout::FormatRange> ranges;
        for (const CodeToken& token : codeTokens(language_, block.text())) {
            QTextLayout::FormatRange range;
            range.start = token.begin;
            range.length = token.length;
            range.format.setForeground(colors.codeColors.value(static_cast<int>(token.kind)));
            ranges.append(range);
        }
        block.layout()->setFormats(ranges);
        document()->markContentsDirty(block.position(), block.length());
    }
}

void CodeView::paintEvent(QPaintEvent* event) {
    if (!grounds_.isEmpty()) {
        QPainter painter(viewport());
        for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
            if (area.top() > event->rect().bottom())
                break;
            const int line = block.blockNumber();
            const QBrush ground = grounds_.value(line);
            if (ground.style() != Qt::NoBrush)
                painter.fillRect(QRectF(0, area.top(), viewport()->width(), area.height()), ground);
            const QTextLayout* layout = block.layout();
            if (layout->lineCount() == 0)
                continue;
            const QTextLine text = layout->lineAt(0);
            for (const TextMark& mark : marks_.value(line)) {
                const double from = text.cursorToX(mark.begin);
                const double to = text.cursorToX(mark.begin + mark.length);
                painter.fillRect(
                    QRectF(area.left() + from, area.top() + 1, to - from, area.height() - 2),
                    mark.color);
            }
        }
    }
    QPlainTextEdit::paintEvent(event);
}

void CodeView::paintMargin(QPaintEvent* event) {
    const ThemeColors& colors = Theme::colorsOf(this);
    QPainter painter(margin_);
    painter.fillRect(event->rect(), mixed(colors.surface, colors.window, 0.7));
    painter.setFont(font());
    const QFontMetrics metrics(font());
    const int right = margin_->width() - (folding_ ? kFoldWidth : 0) - 4;
    const int glyphWidth =
        glyphs_.isEmpty() ? 0 : metrics.horizontalAdvance(QStringLiteral("≠")) + 6;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
        if (area.top() > event->rect().bottom())
            break;
        if (!block.isVisible())
            continue;
        const int line = block.blockNumber();
        const QRectF row(0, area.top(), margin_->width(), metrics.height());
        if (grounds_.value(line).style() != Qt::NoBrush)
            painter.fillRect(QRectF(0, area.top(), margin_->width(), area.height()),
                             grounds_.value(line));
        if (std::binary_search(marked_.begin(), marked_.end(), line))
            painter.fillRect(QRectF(0, area.top(), kMarkWidth, area.height()), colors.accent);
        const int number = numbers_.isEmpty() ? line + 1 : numbers_.value(line, -1);
        painter.setPen(colors.disabled);
        if (number > 0)
            painter.drawText(QRectF(0, row.top(), right - glyphWidth, row.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
        if (!glyphs_.isEmpty()) {
            painter.setPen(glyphColors_.value(line, colors.secondary));
            painter.drawText(QRectF(right - glyphWidth + 4, row.top(), glyphWidth, row.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, glyphs_.value(line));
        }
        if (folding_ && isFoldable(line)) {
            painter.setPen(colors.secondary);
            const bool closed = block.next().isValid() && !block.next().isVisible();
            painter.drawText(
                QRectF(margin_->width() - kFoldWidth, row.top(), kFoldWidth, row.height()),
                Qt::AlignCenter, closed ? QStringLiteral("▸") : QStringLiteral("▾"));
        }
    }
}

bool CodeView::isFoldable(int line) const {
    const QTextBlock block = document()->findBlockByNumber(line);
    const int indent = indentOf(block.text());
    if (indent < 0 || !block.next().isValid())
        return false;
    return indentOf(block.next().text()) > indent;
}

void CodeView::toggleFold(int line) {
    if (!folding_ || !isFoldable(line))
        return;
    const QTextBlock head = document()->findBlockByNumber(line);
    const int indent = indentOf(head.text());
    const bool open = !head.next().isVisible();
    QTextBlock block = head.next();
    int end = head.position();
    for (; block.isValid(); block = block.next()) {
        const int own = indentOf(block.text());
        if (own >= 0 && own <= indent)
            break;
        block.setVisible(open);
        block.setLineCount(open ? 1 : 0);
        end = block.position() + block.length();
    }
    document()->markContentsDirty(head.position(), end - head.position());
    emit document()->documentLayout()->documentSizeChanged(
        document()->documentLayout()->documentSize());
    viewport()->update();
    margin_->update();
    colourVisible();
}

void CodeView::marginClicked(const QPoint& position) {
    const QTextCursor cursor = cursorForPosition(QPoint(0, position.y()));
    if (position.x() >= margin_->width() - kFoldWidth)
        toggleFold(cursor.blockNumber());
    else
        setTextCursor(cursor);
}

int CodeView::matchCount(const QString& text) const {
    return text.isEmpty() ? 0 : static_cast<int>(toPlainText().count(text, Qt::CaseInsensitive));
}

bool CodeView::findNext(const QString& text, bool backward) {
    if (text.isEmpty())
        return false;
    const QTextDocument::FindFlags flags =
        backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    QTextCursor found = document()->find(text, textCursor(), flags);
    if (found.isNull()) {
        QTextCursor start(document());
        if (backward)
            start.movePosition(QTextCursor::End);
        found = document()->find(text, start, flags);
    }
    if (found.isNull())
        return false;
    setTextCursor(found);
    ensureCursorVisible();
    return true;
}

void CodeView::showSearch() {
    search_->show();
    placeParts();
    if (textCursor().hasSelection())
        searchText_->setText(textCursor().selectedText());
    searchText_->setFocus();
    searchText_->selectAll();
}

void CodeView::hideSearch() {
    search_->hide();
    setFocus();
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find))
        return showSearch();
    if (event->key() == Qt::Key_F3)
        findNext(searchText_->text(), event->modifiers() & Qt::ShiftModifier);
    else if (event->key() == Qt::Key_Escape && search_->isVisible())
        hideSearch();
    else
        QPlainTextEdit::keyPressEvent(event);
}

bool CodeView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == searchText_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) {
            hideSearch();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_F3) {
            findNext(searchText_->text(), key->modifiers() & Qt::ShiftModifier);
            return true;
        }
    }
    return QPlainTextEdit::eventFilter(watched, event);
}

} // namespace tilewright::ui
