// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <memory>

namespace tilewright::session {
struct DeviceFiles;
} // namespace tilewright::session

namespace tilewright::ui {

/// The Devices page: the local CPU and the boards, their health, tests, adding and editing.
class DevicesView : public Workspace {
    Q_OBJECT

public:
    DevicesView(const ViewContext& context, QWidget* parent);
    ~DevicesView() override;

    /// Other files than the user's own, for tests.
    void setFiles(const session::DeviceFiles& files);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    [[nodiscard]] QString helpPage() const override;
    void opened() override;
    void closed() override;
    [[nodiscard]] QList<QAction*> actions() const override;

public slots:
    /// Opens the panel that adds a board.
    void addBoard();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    void build();
    void connectParts();
    void retranslate();
    void showSnapshot();
    void showSelected();
    void editSelected();
    void removeSelected();
    void showTested(const QString& key, bool ok, const QString& message);

    std::unique_ptr<Parts> d_;
};

/// Makes the page; `parent` owns it.
Workspace* createDevicesView(const ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
