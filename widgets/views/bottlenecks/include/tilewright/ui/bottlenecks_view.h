// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <memory>

namespace tilewright::ui {

/// The Bottlenecks page: Pareto, roofline, operators by headroom, advice; one selection in all.
class BottlenecksView : public Workspace {
    Q_OBJECT

public:
    BottlenecksView(const ViewContext& context, QWidget* parent);
    ~BottlenecksView() override;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    [[nodiscard]] QString helpPage() const override;
    void opened() override;
    void closed() override;
    [[nodiscard]] QList<QAction*> actions() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Parts;
    void build();
    void buildPanels();
    void connectParts();
    void retranslate();
    void read();
    void showReport();
    void showPage();
    void showPeaks();
    void followTask();
    void chooseTask(qint64 task);
    void openRecord(qint64 record);

    std::unique_ptr<Parts> d_;
};

/// Makes the page; `parent` owns it.
Workspace* createBottlenecksView(const ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
