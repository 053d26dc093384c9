// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <memory>

class QAction;

namespace tilewright::ui {

/// The Tune page: a session live or finished, or the New session page.
class TuneView : public Workspace {
    Q_OBJECT

public:
    TuneView(const ViewContext& context, QWidget* parent);
    ~TuneView() override;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    void opened() override;
    void closed() override;
    [[nodiscard]] QList<QAction*> actions() const override;

public slots:
    /// Shows the New session page for the window's model and target.
    void showNewSession();
    /// The same with the Quick preset, started as soon as the checks have passed; stays on the page
    /// when one fails.
    void quickStart();
    /// Leaves it without starting.
    void leaveNewSession();

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildActions();
    void retranslate();
    void followState();
    void startWhenReady();
    void showEmpty();
    void showMessageOf(const QString& state);

    struct Parts;
    std::unique_ptr<Parts> d_;
};

/// Makes the page; `parent` owns it.
Workspace* createTuneView(const ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
