// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QList>
#include <QString>
#include <QWidget>

namespace tilewright::ui {

/// One page of the window; every view derives from it. The shell shows it, asks for its actions
/// (for menus and the palette) and says when it comes and goes; a closed workspace does not update.
class Workspace : public QWidget {
    Q_OBJECT

public:
    explicit Workspace(QWidget* parent = nullptr);

    virtual QString title() const;
    /// A name for themedIcon().
    virtual QString iconName() const;
    /// The page has become visible: bring it up to date.
    virtual void opened() {}
    /// The page is hidden: stop updating it.
    virtual void closed() {}
    /// Commands of this page, for the menu, the palette and the shortcut sheet.
    virtual QList<QAction*> actions() const { return {}; }
    /// Page of the manual shown on F1, such as "tune".
    virtual QString helpPage() const { return objectName(); }

signals:
    /// title(), iconName() or actions() changed.
    void changed();
};

} // namespace tilewright::ui
