// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/inspector.h>

#include <tilewright/ui/chip.h>
#include <tilewright/ui/theme.h>

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace tilewright::ui {

Inspector::Inspector(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), subtitle_(new QLabel(this)),
      badge_(new Chip(QString(), this)), tabs_(new QTabBar(this)), pages_(new QStackedWidget(this)),
      whole_(new QStackedWidget(this)) {
    auto* filled = new QWidget(this);
    // A label moved to another parent later would lose its font to the style sheet.
    for (QWidget* part : std::initializer_list<QWidget*>{title_, subtitle_, badge_, tabs_, pages_})
        part->setParent(filled);
    title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    title_->setObjectName(QStringLiteral("inspectorTitle"));
    subtitle_->setObjectName(QStringLiteral("inspectorSubtitle"));
    subtitle_->setProperty("role", "secondary");
    subtitle_->setWordWrap(true);
    badge_->hide();
    tabs_->setObjectName(QStringLiteral("inspectorTabs"));
    tabs_->setAccessibleName(tr("Parts of the inspector"));
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setElideMode(Qt::ElideNone);
    auto* titleRow = new QHBoxLayout;
    titleRow->addWidget(title_, 1);
    titleRow->addWidget(badge_);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    head->setSpacing(2);
    head->addLayout(titleRow);
    head->addWidget(subtitle_);
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tabs_);
    column->addLayout(head);
    column->addWidget(pages_, 1);
    whole_->addWidget(filled);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(whole_);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
        if (page < 0)
            return;
        pages_->setCurrentIndex(page);
        emit pageChanged(ids_.value(page));
    });
    applyTheme();
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &Inspector::applyTheme);
}

void Inspector::applyTheme() {
    title_->setFont(Theme::fontOf(this, Theme::Title));
    subtitle_->setFont(Theme::fontOf(this, Theme::Dense));
    tabs_->setFont(Theme::fontOf(this, Theme::Dense));
}

void Inspector::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        applyTheme();
}

void Inspector::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    applyTheme(); // a style sheet that came with a new parent takes the fonts away
}

void Inspector::setTitle(const QString& title, const QString& subtitle) {
    title_->setText(title);
    subtitle_->setText(subtitle);
    subtitle_->setVisible(!subtitle.isEmpty());
    setAccessibleName(title);
}

void Inspector::setBadge(const QString& text) {
    badge_->setText(text);
    badge_->setVisible(!text.isEmpty());
}

int Inspector::addPage(const QString& id, const QString& title, QWidget* page) {
    ids_.append(id);
    pages_->addWidget(page);
    if (page->accessibleName().isEmpty())
        page->setAccessibleName(title);
    return tabs_->addTab(title);
}

void Inspector::setPageTitle(const QString& id, const QString& title) {
    tabs_->setTabText(static_cast<int>(ids_.indexOf(id)), title);
}

void Inspector::setPageEnabled(const QString& id, bool enabled, const QString& reason) {
    const int page = static_cast<int>(ids_.indexOf(id));
    tabs_->setTabEnabled(page, enabled);
    tabs_->setTabToolTip(page, enabled ? QString() : reason);
}

void Inspector::showPage(const QString& id) {
    tabs_->setCurrentIndex(static_cast<int>(ids_.indexOf(id)));
}

QString Inspector::currentPage() const {
    return ids_.value(tabs_->currentIndex());
}

void Inspector::setEmptyWidget(QWidget* widget) {
    if (whole_->count() > 1)
        delete whole_->widget(1);
    whole_->addWidget(widget);
}

void Inspector::setEmpty(bool empty) {
    whole_->setCurrentIndex(empty && whole_->count() > 1 ? 1 : 0);
}

FactList::FactList(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(12, 4, 12, 4);
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(4);
    grid_->setColumnStretch(1, 1);
}

void FactList::setFacts(const QVector<Fact>& facts) {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto label = [this](const QString& text, const char* role) {
        auto* made = new QLabel(text, this);
        made->setTextFormat(Qt::PlainText);
        made->setFont(Theme::fontOf(this, Theme::Dense));
        made->setProperty("role", role);
        made->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return made;
    };
    static const char* const roles[] = {"",        "secondary", "secondary", "accent",
                                        "warning", "error",     "faster",    "slower"};
    int row = 0;
    for (const Fact& fact : facts) {
        if (fact.heading && row > 0) {
            auto* line = new QFrame(this);
            line->setProperty("kind", "hline");
            line->setFixedHeight(1);
            grid_->addWidget(line, row++, 0, 1, 2);
        }
        QLabel* name = label(fact.name, fact.heading ? "" : "secondary");
        if (fact.heading)
            name->setFont(Theme::fontOf(this, Theme::Body));
        const QString text =
            fact.from.isEmpty() ? fact.value : fact.from + QStringLiteral(" → ") + fact.value;
        QLabel* value =
            label(text, fact.heading ? "secondary" : roles[static_cast<int>(fact.tone)]);
        value->setAlignment(Qt::AlignRight | Qt::AlignTop);
        value->setWordWrap(true);
        value->setToolTip(fact.tooltip);
        name->setToolTip(fact.tooltip);
        value->setAccessibleName(fact.name + QStringLiteral(": ") + text);
        grid_->addWidget(name, row, 0, Qt::AlignLeft | Qt::AlignTop);
        grid_->addWidget(value, row, 1);
        ++row;
    }
    grid_->setRowStretch(row, 1);
}

} // namespace tilewright::ui
