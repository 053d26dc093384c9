// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <memory>

namespace tilewright::ui {

/// The Model page: what was imported, its tasks with their estimated shares, its task graph.
class ModelView : public Workspace {
    Q_OBJECT

public:
    ModelView(const ViewContext& context, QWidget* parent);
    ~ModelView() override;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    [[nodiscard]] QString helpPage() const override;
    void opened() override;
    void closed() override;
    [[nodiscard]] QList<QAction*> actions() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    void build();
    void buildPanels();
    void connectParts();
    void retranslate();
    /// Opens what the window's state names, when it is something else than what is shown.
    void openModel(bool again);
    void showOverview();
    void showTables();
    void showPage();
    void chooseTask(int task);
    void followTask();

    std::unique_ptr<Parts> d_;
};

/// Makes the page; `parent` owns it.
Workspace* createModelView(const ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
