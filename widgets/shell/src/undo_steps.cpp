// SPDX-License-Identifier: GPL-3.0-or-later
#include "undo_steps.h"

#include <tilewright/ui/app_state.h>

#include <QElapsedTimer>
#include <QUndoCommand>
#include <QUndoStack>

namespace tilewright::ui {

namespace {

constexpr int kFilterId = 1;
constexpr int kTypingMs = 2000;

} // namespace

class FilterStep : public QUndoCommand {
public:
    FilterStep(StateUndo* owner, QString before, QString after)
        : QUndoCommand(StateUndo::tr("change of the filter")), owner_(owner),
          before_(std::move(before)), after_(std::move(after)) {
        since_.start();
    }
    void undo() override { show(before_); }
    void redo() override { show(after_); }
    int id() const override { return kFilterId; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const FilterStep*>(other);
        if (since_.elapsed() > kTypingMs)
            return false;
        after_ = next->after_;
        since_.restart();
        return true;
    }

private:
    void show(const QString& filter) {
        owner_->replaying_ = true;
        owner_->state_->setFilter(filter);
        owner_->replaying_ = false;
    }
    StateUndo* owner_;
    QString before_;
    QString after_;
    QElapsedTimer since_;
};

class BaselineStep : public QUndoCommand {
public:
    BaselineStep(StateUndo* owner, QVector<Baseline> before, QVector<Baseline> after)
        : QUndoCommand(after.size() < before.size() ? StateUndo::tr("unpinning")
                                                    : StateUndo::tr("pinning")),
          owner_(owner), before_(std::move(before)), after_(std::move(after)) {}
    void undo() override { show(before_); }
    void redo() override { show(after_); }

private:
    void show(const QVector<Baseline>& baselines) {
        owner_->replaying_ = true;
        owner_->state_->setBaselines(baselines);
        owner_->replaying_ = false;
    }
    StateUndo* owner_;
    QVector<Baseline> before_;
    QVector<Baseline> after_;
};

StateUndo::StateUndo(AppState* state, QUndoStack* stack)
    : QObject(state), state_(state), stack_(stack), filter_(state->filter()),
      baselines_(state->baselines()) {
    connect(state_, &AppState::filterChanged, this, [this] { filterEdited(); });
    connect(state_, &AppState::baselinesChanged, this, [this] { baselinesEdited(); });
}

void StateUndo::filterEdited() {
    const QString before = std::exchange(filter_, state_->filter());
    if (!replaying_)
        stack_->push(new FilterStep(this, before, filter_));
}

void StateUndo::baselinesEdited() {
    const QVector<Baseline> before = std::exchange(baselines_, state_->baselines());
    if (!replaying_)
        stack_->push(new BaselineStep(this, before, baselines_));
}

} // namespace tilewright::ui
