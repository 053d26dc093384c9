// SPDX-License-Identifier: GPL-3.0-or-later
#include "breadcrumb.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/chip.h>

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace tilewright::ui {

namespace {

constexpr int kHeight = 32;
constexpr int kLeftEdge = 16;
constexpr int kMaxChips = 3;

QLabel* secondaryLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "secondary");
    return label;
}

} // namespace

Breadcrumb::Breadcrumb(AppState* state, QWidget* parent)
    : QWidget(parent), state_(state), row_(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("crumbs"));
    setAccessibleName(tr("Selection"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(kHeight);
    row_->setContentsMargins(kLeftEdge, 0, 12, 0);
    row_->setSpacing(4);
    const auto again = [this] { rebuild(); };
    connect(state_, &AppState::workDirChanged, this, again);
    connect(state_, &AppState::modelChanged, this, again);
    connect(state_, &AppState::targetChanged, this, again);
    connect(state_, &AppState::sessionChanged, this, again);
    connect(state_, &AppState::taskChanged, this, again);
    connect(state_, &AppState::recordsChanged, this, again);
    connect(state_, &AppState::baselinesChanged, this, again);
    rebuild();
}

void Breadcrumb::setTaskName(const QString& name) {
    if (taskName_ == name)
        return;
    taskName_ = name;
    rebuild();
}

void Breadcrumb::setSessionName(const QString& name) {
    if (sessionName_ == name)
        return;
    sessionName_ = name;
    rebuild();
}

void Breadcrumb::addStep(const QString& text, const QString& name, std::function<void()> goTo,
                         bool last) {
    if (!texts_.isEmpty())
        row_->addWidget(secondaryLabel(QStringLiteral("›"), this));
    texts_.append(text);
    auto* button = new QPushButton(text, this);
    button->setObjectName(QStringLiteral("crumb.%1").arg(name));
    button->setProperty("kind", "flat");
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty("role", last ? "" : "secondary");
    row_->addWidget(button);
    connect(button, &QPushButton::clicked, this, [go = std::move(goTo)] { go(); });
}

void Breadcrumb::rebuild() {
    while (QLayoutItem* item = row_->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    texts_.clear();
    const QString source = !state_->modelPath().isEmpty() ? state_->modelPath() : state_->workDir();
    if (!source.isEmpty())
        addStep(
            QFileInfo(source).fileName(), QStringLiteral("model"),
            [this] {
                state_->setRecords({});
                state_->setTask(-1);
            },
            state_->task() < 0);
    if (!state_->target().isEmpty())
        addStep(
            state_->target(), QStringLiteral("target"), [this] { state_->setTask(-1); }, false);
    if (state_->session() >= 0 || !sessionName_.isEmpty())
        addStep(
            !sessionName_.isEmpty() ? sessionName_ : tr("session %1").arg(state_->session()),
            QStringLiteral("session"), [this] { state_->setTask(-1); }, state_->task() < 0);
    if (state_->task() >= 0)
        addStep(
            taskName_.isEmpty() ? tr("task %1").arg(state_->task()) : taskName_,
            QStringLiteral("task"), [this] { state_->setRecords({}); },
            state_->records().isEmpty());
    const auto records = state_->records();
    if (records.size() == 1)
        addStep(
            tr("record %1").arg(records[0]), QStringLiteral("record"), [] {}, true);
    else if (records.size() > 1)
        addStep(
            tr("%n record(s)", nullptr, static_cast<int>(records.size())), QStringLiteral("record"),
            [] {}, true);
    row_->addStretch(1);
    const auto baselines = state_->baselines();
    if (!baselines.isEmpty())
        row_->addWidget(secondaryLabel(tr("Baseline"), this));
    for (int i = 0; i < std::min<int>(kMaxChips, static_cast<int>(baselines.size())); ++i) {
        auto* chip = new Chip(baselines[i].label, this);
        chip->setObjectName(QStringLiteral("baseline.%1").arg(i));
        chip->setRemovable(true);
        connect(chip, &Chip::removed, this, [this, i] {
            auto left = state_->baselines();
            left.removeAt(i);
            state_->setBaselines(left);
        });
        row_->addWidget(chip);
    }
    if (baselines.size() > kMaxChips)
        row_->addWidget(
            secondaryLabel(QStringLiteral("+%1").arg(baselines.size() - kMaxChips), this));
}

} // namespace tilewright::ui
