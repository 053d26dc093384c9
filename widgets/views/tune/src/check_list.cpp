// SPDX-License-Identifier: GPL-3.0-or-later
#include "check_list.h"

#include <tilewright/ui/theme.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

QString titleOf(const std::string& name) {
    static const std::pair<const char*, const char*> titles[] = {
        {"target", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Target")},
        {"owner", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Work directory")},
        {"records", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Stored trials")},
        {"cpu", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Processor")},
        {"vectors", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Vector units")},
        {"caches", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Caches")},
        {"governor", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Governor")},
        {"load", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Load")},
        {"perf", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Counters")},
        {"builder", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Compiler")},
        {"runner", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Runner")},
        {"workers", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Workers")},
        {"database", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Database")},
        {"disk", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Disk")},
        {"emulator", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Emulator")},
        {"peaks", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "Peaks")},
        {"tasks", QT_TRANSLATE_NOOP("tilewright::ui::CheckList", "One build and run a task")},
    };
    for (const auto& [key, title] : titles)
        if (name == key)
            return CheckList::tr(title);
    return QString::fromStdString(name);
}

struct Look {
    const char* glyph;
    const char* role;
};

Look lookOf(session::CheckState state) {
    switch (state) {
    case session::CheckState::Ok:
        return {"✓", ""};
    case session::CheckState::Note:
        return {"·", "secondary"};
    case session::CheckState::Warn:
        return {"⚠", "warning"};
    case session::CheckState::Fail:
        return {"✕", "error"};
    }
    return {"", ""};
}

} // namespace

CheckList::CheckList(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("preflight"));
    setAccessibleName(tr("Checks before the start"));
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(4);
}

void CheckList::clear() {
    while (QLayoutItem* item = rows_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

void CheckList::setChecking() {
    clear();
    blocker_.clear();
    summary_ = tr("checking…");
    auto* line = new QLabel(tr("Checking this machine, about a second…"), this);
    line->setProperty("role", "secondary");
    rows_->addWidget(line);
}

void CheckList::setChecks(const std::vector<session::EnvironmentCheck>& checks) {
    clear();
    blocker_.clear();
    int passed = 0;
    int warnings = 0;
    int failed = 0;
    for (const session::EnvironmentCheck& check : checks) {
        switch (check.state) {
        case session::CheckState::Ok:
            ++passed;
            break;
        case session::CheckState::Note:
            continue; // of no matter for a start
        case session::CheckState::Warn:
            ++warnings;
            break;
        case session::CheckState::Fail:
            ++failed;
            if (blocker_.isEmpty())
                blocker_ = QStringLiteral("%1: %2").arg(titleOf(check.name),
                                                        QString::fromStdString(check.found));
            break;
        }
        addRow(check);
    }
    summary_ = tr("%n passed", nullptr, passed);
    if (warnings > 0)
        summary_ += QStringLiteral(", ") + tr("%n warning(s)", nullptr, warnings);
    if (failed > 0)
        summary_ += QStringLiteral(", ") + tr("%n failed", nullptr, failed);
}

void CheckList::addRow(const session::EnvironmentCheck& check) {
    const Look look = lookOf(check.state);
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("check.%1").arg(QString::fromStdString(check.name)));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* glyph = new QLabel(QString::fromUtf8(look.glyph), row);
    glyph->setProperty("role", look.role);
    glyph->setFixedWidth(16);
    auto* name = new QLabel(titleOf(check.name), row);
    const QString found = QString::fromStdString(check.found);
    auto* value = new QLabel(row);
    value->setProperty("role", check.state == session::CheckState::Fail ? "error" : "secondary");
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setFont(Theme::fontOf(this, Theme::Dense));
    value->setToolTip(found);
    value->setMinimumWidth(40);
    value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    value->setText(QFontMetrics(value->font()).elidedText(found, Qt::ElideRight, 190));
    layout->addWidget(glyph);
    layout->addWidget(name);
    layout->addWidget(value, 1);
    row->setAccessibleName(
        QStringLiteral("%1: %2, %3")
            .arg(name->text(), QString::fromUtf8(session::toString(check.state).data()), found));
    rows_->addWidget(row);
    const QString advice = QString::fromStdString(check.advice);
    if (advice.isEmpty() || check.state == session::CheckState::Ok)
        return;
    auto* fix = new QPushButton(tr("Fix…"), row);
    fix->setProperty("kind", "link");
    fix->setToolTip(advice);
    fix->setAccessibleName(tr("Fix %1").arg(name->text()));
    layout->addWidget(fix);
    connect(fix, &QPushButton::clicked, this,
            [this, title = name->text(), advice] { emit fixWanted(title, advice); });
    auto* note = new QLabel(advice, this);
    note->setProperty("role", "secondary");
    note->setFont(Theme::fontOf(this, Theme::Dense));
    note->setWordWrap(true);
    note->setContentsMargins(22, 0, 0, 0);
    rows_->addWidget(note);
}

} // namespace tilewright::ui
