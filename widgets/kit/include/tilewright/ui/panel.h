// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

class QAction;
class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace tilewright::ui {

/// A framed part of a page: 28 px header with title, a quiet note and tools at the right, content
/// below. A double-click on the header or Ctrl+M shows it alone in its page; it can be detached
/// into a window of its own, which puts it back when closed.
class Panel : public QFrame {
    Q_OBJECT

public:
    explicit Panel(const QString& title = {}, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    QString title() const;
    /// The secondary text after the title, such as "11 of 13 match the filter".
    void setNote(const QString& note);
    QString note() const;

    /// Replaces the content; the panel owns it.
    void setContent(QWidget* content);
    QWidget* content() const { return content_; }
    /// Content with `margin` px around it (0: tables and plots; 12: text and forms).
    void setContentMargin(int margin);

    /// A flat text or icon button at the right of the header; owned by the panel.
    QToolButton* addTool(QAction* action);
    QToolButton* addTool(const QString& text, const QString& iconName = {});
    void addTool(QWidget* widget);
    /// The *Maximise* and *Detach* buttons; shown unless switched off.
    void setMaximizable(bool on);

    bool isMaximized() const { return maximized_; }
    bool isDetached() const { return !window_.isNull(); }

public slots:
    /// Hides everything else of the page (the nearest Workspace or window) or brings it back.
    void toggleMaximized();
    /// Moves the content to a window of its own or back.
    void toggleDetached();

signals:
    void maximizedChanged(bool maximized);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildHeader();
    void setSiblingsHidden(bool hidden);
    void applyTheme();
    void retranslate();

    QWidget* header_;
    QLabel* title_;
    QLabel* note_;
    QHBoxLayout* tools_;
    QVBoxLayout* body_;
    QToolButton* maximize_;
    QAction* maximizeAction_;
    QAction* detachAction_;
    QPointer<QWidget> content_;
    QPointer<QWidget> window_;
    QList<QPointer<QWidget>> hidden_;
    bool maximized_ = false;
};

} // namespace tilewright::ui
