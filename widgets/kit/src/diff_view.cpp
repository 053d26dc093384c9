// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/diff_view.h>

#include <tilewright/ui/theme.h>

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kContext = 3;      // equal lines kept beside a difference
constexpr int kShortestFold = 4; // fewer lines are not worth a fold
constexpr int kRulerWidth = 14;

QString glyphOf(RowChange change, bool left) {
    switch (change) {
    case RowChange::Equal:
        return {};
    case RowChange::Changed:
        return QStringLiteral("≠");
    case RowChange::Attributes:
        return QStringLiteral("~");
    case RowChange::OnlyLeft:
        return left ? QStringLiteral("−") : QString();
    case RowChange::OnlyRight:
        return left ? QString() : QStringLiteral("+");
    case RowChange::Moved:
        return QStringLiteral("↕");
    }
    return {};
}

} // namespace

/// Where the differences are, with the part that is on screen.
class DiffRuler : public QWidget {
public:
    explicit DiffRuler(DiffView* view) : QWidget(view), view_(view) { setFixedWidth(kRulerWidth); }

protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColors& colors = Theme::colorsOf(this);
        QPainter painter(this);
        painter.fillRect(rect(), colors.raised);
        const auto count = static_cast<double>(qMax(qsizetype(1), view_->lines_.size()));
        for (qsizetype i = 0; i < view_->lines_.size(); ++i) {
            if (view_->lines_[i].folded)
                continue;
            const RowChange change = view_->rows_[view_->lines_[i].row].change;
            if (change == RowChange::Equal)
                continue;
            const double y = static_cast<double>(i) / count * height();
            const double tall = qMax(2.0, height() / count);
            if (change != RowChange::OnlyRight)
                painter.fillRect(QRectF(2, y, width() / 2.0 - 2, tall), colors.slower);
            if (change != RowChange::OnlyLeft)
                painter.fillRect(QRectF(width() / 2.0, y, width() / 2.0 - 2, tall), colors.faster);
        }
        const QScrollBar* bar = view_->right_->verticalScrollBar();
        const double whole = bar->maximum() + bar->pageStep();
        painter.setPen(QPen(colors.text, 1));
        painter.drawRect(QRectF(0.5, bar->value() / whole * height(), width() - 1.0,
                                qMin(1.0, bar->pageStep() / whole) * height() - 1));
    }

    void mousePressEvent(QMouseEvent* event) override { jump(event); }
    void mouseMoveEvent(QMouseEvent* event) override { jump(event); }

private:
    void jump(const QMouseEvent* event) {
        QScrollBar* bar = view_->right_->verticalScrollBar();
        const double whole = bar->maximum() + bar->pageStep();
        bar->setValue(qRound(event->position().y() / height() * whole - bar->pageStep() / 2.0));
    }

    DiffView* view_;
};

DiffView::DiffView(QWidget* parent)
    : QWidget(parent), left_(new CodeView(this)), right_(new CodeView(this)),
      leftTitle_(new QLabel(this)), rightTitle_(new QLabel(this)), ruler_(new DiffRuler(this)) {
    left_->setObjectName(QStringLiteral("diffLeft"));
    right_->setObjectName(QStringLiteral("diffRight"));
    left_->setAccessibleName(tr("Text of side A"));
    right_->setAccessibleName(tr("Text of side B"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(2, 1);
    auto* line = new QFrame(this);
    line->setProperty("kind", "vline");
    line->setFixedWidth(1);
    for (QLabel* title : {leftTitle_, rightTitle_}) {
        title->setProperty("role", "secondary");
        title->setContentsMargins(12, 2, 12, 2);
        title->setTextFormat(Qt::PlainText);
        title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
    grid->addWidget(leftTitle_, 0, 0);
    grid->addWidget(rightTitle_, 0, 2);
    grid->addWidget(left_, 1, 0);
    grid->addWidget(line, 0, 1, 2, 1);
    grid->addWidget(right_, 1, 2);
    grid->addWidget(ruler_, 0, 3, 2, 1);
    left_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (CodeView* view : {left_, right_}) {
        CodeView* other = view == left_ ? right_ : left_;
        view->setFoldingEnabled(false);
        view->viewport()->installEventFilter(this);
        connect(view->verticalScrollBar(), &QScrollBar::valueChanged, other->verticalScrollBar(),
                &QScrollBar::setValue);
        connect(view->horizontalScrollBar(), &QScrollBar::valueChanged,
                other->horizontalScrollBar(), &QScrollBar::setValue);
        connect(view, &CodeView::lineSelected, this, [this](int at) {
            if (!syncing_ && at >= 0 && at < lines_.size())
                emit rowSelected(lines_[at].row);
        });
    }
    connect(right_->verticalScrollBar(), &QScrollBar::valueChanged, ruler_,
            qOverload<>(&QWidget::update));
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &DiffView::colour);
    setFocusProxy(right_);
}

void DiffView::setLanguage(CodeView::Language language) {
    left_->setLanguage(language);
    right_->setLanguage(language);
}

void DiffView::setTitles(const QString& left, const QString& right) {
    leftTitle_->setText(QStringLiteral("A   ") + left);
    rightTitle_->setText(QStringLiteral("B   ") + right);
}

void DiffView::setRows(const QVector<DiffRow>& rows) {
    rows_ = rows;
    opened_.clear();
    starts_.clear();
    marked_.clear();
    for (int i = 0; i < rows_.size(); ++i)
        if (rows_[i].change != RowChange::Equal &&
            (i == 0 || rows_[i - 1].change == RowChange::Equal))
            starts_.append(i);
    current_ = -1;
    build();
    emit currentDifferenceChanged(current_, differenceCount());
}

void DiffView::setFoldEqual(bool on) {
    fold_ = on;
    build();
}

int DiffView::differenceCount() const {
    return static_cast<int>(starts_.size());
}

void DiffView::build() {
    syncing_ = true;
    lines_.clear();
    for (int i = 0; i < rows_.size();) {
        if (rows_[i].change != RowChange::Equal) {
            lines_.append({i++, 0});
            continue;
        }
        int end = i;
        while (end < rows_.size() && rows_[end].change == RowChange::Equal)
            ++end;
        const int from = i == 0 ? 0 : i + kContext;
        const int to = end == rows_.size() ? end : end - kContext;
        const bool folds = fold_ && to - from >= kShortestFold && !opened_.contains(from);
        for (; i < end; ++i) {
            if (folds && i == from) {
                lines_.append({i, to - from});
                i = to - 1;
            } else {
                lines_.append({i, 0});
            }
        }
    }
    QStringList leftText;
    QStringList rightText;
    QVector<int> leftNumbers;
    QVector<int> rightNumbers;
    for (const Line& line : std::as_const(lines_)) {
        const DiffRow& row = rows_[line.row];
        const QString fold = tr("▸ %n equal line(s)", nullptr, line.folded);
        leftText.append(line.folded ? fold : row.leftText);
        rightText.append(line.folded ? fold : row.rightText);
        leftNumbers.append(line.folded ? -1 : row.leftLine);
        rightNumbers.append(line.folded ? -1 : row.rightLine);
    }
    const int scrolled = right_->verticalScrollBar()->value();
    left_->setCode(leftText.join(QLatin1Char('\n')));
    right_->setCode(rightText.join(QLatin1Char('\n')));
    left_->setLineNumbers(leftNumbers);
    right_->setLineNumbers(rightNumbers);
    colour();
    right_->verticalScrollBar()->setValue(scrolled);
    syncing_ = false;
}

void DiffView::colour() {
    const ThemeColors& colors = Theme::colorsOf(this);
    for (const bool left : {true, false}) {
        const QColor tone = left ? colors.slower : colors.faster;
        const QBrush tint = mixed(colors.surface, tone, 0.08);
        const QColor strong = mixed(colors.surface, tone, 0.3);
        QVector<QBrush> grounds;
        QVector<QVector<TextMark>> marks;
        QVector<QString> glyphs;
        QVector<QColor> glyphColors;
        QVector<int> bars;
        for (int i = 0; i < lines_.size(); ++i) {
            const DiffRow& row = rows_[lines_[i].row];
            const bool missing = (left ? row.leftLine : row.rightLine) < 0;
            QBrush ground(Qt::NoBrush);
            if (lines_[i].folded)
                ground = colors.window;
            else if (row.change != RowChange::Equal)
                ground = missing ? QBrush(colors.line, Qt::BDiagPattern) : tint;
            grounds.append(ground);
            QVector<TextMark> words;
            for (const TextSpan& span : left ? row.leftSpans : row.rightSpans)
                words.append({span.begin, span.length, strong});
            marks.append(lines_[i].folded ? QVector<TextMark>() : words);
            glyphs.append(lines_[i].folded ? QString() : glyphOf(row.change, left));
            glyphColors.append(tone);
            if (marked_.contains(lines_[i].row))
                bars.append(i);
        }
        CodeView* view = left ? left_ : right_;
        view->setLineGrounds(grounds, marks);
        view->setLineGlyphs(glyphs, glyphColors);
        view->setMarkedLines(bars);
    }
    leftTitle_->setFont(Theme::fontOf(this, Theme::Dense));
    rightTitle_->setFont(Theme::fontOf(this, Theme::Dense));
    ruler_->update();
}

int DiffView::lineOf(int row) const {
    for (int i = 0; i < lines_.size(); ++i)
        if (row >= lines_[i].row && row <= lines_[i].row + qMax(0, lines_[i].folded - 1))
            return i;
    return -1;
}

void DiffView::setMarkedRows(const QVector<int>& rows) {
    marked_ = rows;
    colour();
}

void DiffView::showRow(int row) {
    const int line = lineOf(row);
    if (line < 0)
        return;
    if (lines_[line].folded) {
        unfold(line);
        return showRow(row);
    }
    syncing_ = true;
    for (CodeView* view : {left_, right_}) {
        view->setTextCursor(QTextCursor(view->document()->findBlockByNumber(line)));
        view->centerCursor();
    }
    syncing_ = false;
}

void DiffView::unfold(int line) {
    opened_.append(lines_[line].row);
    build();
}

void DiffView::goTo(int difference) {
    if (difference < 0 || difference >= starts_.size())
        return;
    current_ = difference;
    showRow(starts_[difference]);
    emit currentDifferenceChanged(current_, differenceCount());
}

void DiffView::nextDifference() {
    goTo(qMin(current_ + 1, differenceCount() - 1));
}

void DiffView::previousDifference() {
    goTo(qMax(current_ - 1, 0));
}

QString DiffView::unifiedText() const {
    QStringList out;
    for (const DiffRow& row : rows_) {
        if (row.change == RowChange::Equal) {
            out.append(QStringLiteral("  ") + row.leftText);
            continue;
        }
        if (row.leftLine >= 0)
            out.append(QStringLiteral("- ") + row.leftText);
        if (row.rightLine >= 0)
            out.append(QStringLiteral("+ ") + row.rightText);
    }
    return out.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void DiffView::copyUnified() {
    QApplication::clipboard()->setText(unifiedText());
}

void DiffView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Down)
        nextDifference();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Up)
        previousDifference();
    else
        QWidget::keyPressEvent(event);
}

bool DiffView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonRelease) {
        CodeView* view = watched == left_->viewport() ? left_ : right_;
        const int line =
            view->cursorForPosition(static_cast<QMouseEvent*>(event)->pos()).blockNumber();
        if (line >= 0 && line < lines_.size() && lines_[line].folded)
            unfold(line);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace tilewright::ui
