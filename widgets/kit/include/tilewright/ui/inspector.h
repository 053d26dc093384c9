// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include <tilewright/ui/table_roles.h>

class QGridLayout;
class QLabel;
class QStackedWidget;
class QTabBar;

namespace tilewright::ui {

class Chip;

/// The frame of the inspector: title with a chip, a secondary line, tabs with pages. Tabs keep
/// their place while the shown thing changes.
class Inspector : public QWidget {
    Q_OBJECT

public:
    explicit Inspector(QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& subtitle = {});
    /// A chip at the right of the title, such as "best"; empty hides it.
    void setBadge(const QString& text);
    /// `id` names the tab in settings and for showPage(); the page is owned.
    int addPage(const QString& id, const QString& title, QWidget* page);
    void setPageTitle(const QString& id, const QString& title);
    void setPageEnabled(const QString& id, bool enabled, const QString& reason = {});
    void showPage(const QString& id);
    QString currentPage() const;
    /// What is shown in place of the tabs while nothing is selected; owned.
    void setEmptyWidget(QWidget* widget);
    void setEmpty(bool empty);

signals:
    void pageChanged(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void applyTheme();

    QLabel* title_;
    QLabel* subtitle_;
    Chip* badge_;
    QTabBar* tabs_;
    QStackedWidget* pages_;
    QStackedWidget* whole_;
    QStringList ids_;
};

/// A line of a FactList.
struct Fact {
    QString name;
    QString value;
    Tone tone = Tone::Normal;
    QString tooltip;
    bool heading = false; ///< a section's title: name only, value at the right as its note
    QString from;         ///< "7·2·2·1": shown before the value with an arrow
};

/// Names at the left in the secondary colour, values right-aligned; sections with a hairline.
/// Text can be selected and copied.
class FactList : public QWidget {
    Q_OBJECT

public:
    explicit FactList(QWidget* parent = nullptr);
    void setFacts(const QVector<Fact>& facts);

private:
    QGridLayout* grid_;
};

} // namespace tilewright::ui
