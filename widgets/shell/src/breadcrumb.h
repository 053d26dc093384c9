// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include <functional>

class QHBoxLayout;

namespace tilewright::ui {

class AppState;

/// Where the selection stands: model › target › session › task › record, each a way back, and the
/// pinned baselines as chips at the right.
class Breadcrumb : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumb(AppState* state, QWidget* parent = nullptr);
    /// Name of the selected task; the state only has its number.
    void setTaskName(const QString& name);
    void setSessionName(const QString& name);
    [[nodiscard]] QStringList texts() const { return texts_; }

private:
    void rebuild();
    void addStep(const QString& text, const QString& name, std::function<void()> goTo, bool last);

    AppState* state_;
    QHBoxLayout* row_;
    QString taskName_;
    QString sessionName_;
    QStringList texts_;
};

} // namespace tilewright::ui
