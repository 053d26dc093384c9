// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <memory>

namespace tilewright::ui {

/// The Profile page: where the time of the tuned model goes, whether the parts add up to the whole,
/// one run on a timeline, and where the search itself spent its time.
class ProfileView : public Workspace {
    Q_OBJECT

public:
    ProfileView(const ViewContext& context, QWidget* parent);
    ~ProfileView() override;

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
    void read();
    void showSnapshot();
    void showProfile();
    void showSearch();
    void showPage();
    void showRunning();
    void runProfile();
    void followTask();
    void chooseRow(int row);
    void openRecord(qint64 record);
    void exportTrace();

    std::unique_ptr<Parts> d_;
};

/// Makes the page; `parent` owns it.
Workspace* createProfileView(const ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
