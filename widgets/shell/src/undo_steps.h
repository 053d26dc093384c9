// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/app_state.h>

#include <QObject>
#include <QString>
#include <QVector>

class QUndoStack;

namespace tilewright::ui {

class AppState;

/// Watches the selection state and makes steps of what people may take back there: the filter and
/// the pinned baselines. Typing in the filter is one step.
class StateUndo : public QObject {
    Q_OBJECT

public:
    StateUndo(AppState* state, QUndoStack* stack);

private:
    void filterEdited();
    void baselinesEdited();

    AppState* state_;
    QUndoStack* stack_;
    QString filter_;
    QVector<Baseline> baselines_;
    bool replaying_ = false;

    friend class FilterStep;
    friend class BaselineStep;
};

} // namespace tilewright::ui
