// SPDX-License-Identifier: GPL-3.0-or-later
#include "side_windows.h"

#include <tilewright/ui/app_paths.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/theme.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

QDialogButtonBox* closeRow(QDialog* dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    return buttons;
}

QString keysText(const QList<QKeySequence>& keys) {
    QStringList words;
    for (const QKeySequence& key : keys)
        words.append(key.toString(QKeySequence::NativeText));
    return words.join(QStringLiteral(", "));
}

/// Pages in reading order.
const QStringList& manualPages() {
    static const QStringList pages{
        QStringLiteral("start"),       QStringLiteral("model"),   QStringLiteral("tune"),
        QStringLiteral("bottlenecks"), QStringLiteral("records"), QStringLiteral("compare"),
        QStringLiteral("trace-diff"),  QStringLiteral("profile"), QStringLiteral("devices"),
        QStringLiteral("filters"),     QStringLiteral("metrics"), QStringLiteral("keyboard")};
    return pages;
}

QString manualText(const QString& page) {
    const QString language =
        QLocale().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
    for (const QString& folder : {language, QStringLiteral("en")}) {
        QFile file(sharedFile(QStringLiteral("manual/%1/%2.md").arg(folder, page)));
        if (!file.fileName().isEmpty() && file.open(QIODevice::ReadOnly))
            return QString::fromUtf8(file.readAll());
    }
    return {};
}

} // namespace

ShortcutSheet::ShortcutSheet(Commands* commands, QWidget* parent)
    : QDialog(parent), commands_(commands), search_(new QLineEdit(this)),
      list_(new QTreeWidget(this)) {
    setObjectName(QStringLiteral("shortcutSheet"));
    setWindowTitle(tr("Keyboard shortcuts"));
    resize(560, 640);
    search_->setPlaceholderText(tr("Search commands and keys"));
    search_->setAccessibleName(search_->placeholderText());
    search_->setClearButtonEnabled(true);
    list_->setObjectName(QStringLiteral("shortcutList"));
    list_->setAccessibleName(windowTitle());
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* note = new QLabel(tr("Single letters work while a table or plot has the focus. "
                               "Settings → Shortcuts changes them."),
                            this);
    note->setProperty("role", "secondary");
    note->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(search_);
    column->addWidget(list_, 1);
    column->addWidget(note);
    column->addWidget(closeRow(this));
    connect(search_, &QLineEdit::textChanged, this, &ShortcutSheet::fill);
    connect(commands_, &Commands::shortcutsChanged, this, &ShortcutSheet::fill);
    fill();
}

void ShortcutSheet::fill() {
    list_->clear();
    QHash<QString, QTreeWidgetItem*> groups;
    for (const QAction* action : commands_->actions()) {
        const QString id = action->objectName();
        const QString keys = keysText(commands_->shortcuts(id));
        const QString text = action->iconText();
        if (!(text + QLatin1Char(' ') + keys).contains(search_->text(), Qt::CaseInsensitive))
            continue;
        const QString group = Commands::groupOf(id);
        QTreeWidgetItem*& parent = groups[group];
        if (!parent) {
            parent = new QTreeWidgetItem(list_, {Commands::groupTitle(group)});
            parent->setFirstColumnSpanned(true);
        }
        auto* item = new QTreeWidgetItem(parent, {text, keys});
        item->setToolTip(0, action->statusTip());
    }
    list_->expandAll();
}

DiagnosticsWindow::DiagnosticsWindow(QWidget* parent)
    : QDialog(parent), text_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("diagnostics"));
    setWindowTitle(tr("Diagnostics"));
    resize(760, 560);
    text_->setReadOnly(true);
    text_->setObjectName(QStringLiteral("diagnosticsText"));
    text_->setAccessibleName(windowTitle());
    text_->setFont(Theme::fontOf(this, Theme::Code));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* buttons = closeRow(this);
    auto* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("diagnosticsCopy"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
    auto* column = new QVBoxLayout(this);
    column->addWidget(text_, 1);
    column->addWidget(buttons);
}

void DiagnosticsWindow::setText(const QString& text) {
    text_->setPlainText(text);
}

AboutWindow::AboutWindow(const QString& version, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("about"));
    setWindowTitle(tr("About Tilewright"));
    resize(560, 480);
    auto* text = new QTextBrowser(this);
    text->setObjectName(QStringLiteral("aboutText"));
    text->setAccessibleName(windowTitle());
    text->setOpenExternalLinks(true);
    QString body = QStringLiteral("## Tilewright %1\n\n").arg(version);
    body +=
        tr("Tunes tensor programs for CPUs and boards: an independent C++ implementation of the "
           "ideas of TVM's MetaSchedule.") +
        QStringLiteral("\n\n");
    body += tr("This window is free software under the GNU General Public License, version 3 or "
               "later. The engine, the command line and the runner are under the Apache License "
               "2.0.") +
            QStringLiteral("\n\n### ") + tr("Third-party software") + QStringLiteral("\n\n");
    // Names and licences stay as they are in every language.
    static constexpr const char* kNotices[] = {
        "Qt %1 — LGPL-3.0 / GPL-3.0, The Qt Company",
        "QCustomPlot 2.1 — GPL-3.0-or-later, Emanuel Eichhammer",
        "LLVM and LLD — Apache-2.0 WITH LLVM-exception",
        "XGBoost — Apache-2.0",
        "SQLite — public domain",
        "simdjson — Apache-2.0",
        "Protocol Buffers — BSD-3-Clause, Google",
        "ONNX — Apache-2.0",
        "CLI11 — BSD-3-Clause, Henry Schreiner"};
    for (const char* notice : kNotices)
        body += QStringLiteral("- %1\n").arg(
            QString::fromUtf8(notice).replace(QStringLiteral("%1"), QLatin1String(qVersion())));
    text->setMarkdown(body);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text, 1);
    column->addWidget(closeRow(this));
}

ManualWindow::ManualWindow(QWidget* parent)
    : QDialog(parent), pages_(new QTreeWidget(this)), text_(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("manual"));
    setWindowTitle(tr("Manual"));
    resize(900, 680);
    pages_->setObjectName(QStringLiteral("manualPages"));
    pages_->setAccessibleName(tr("Pages of the manual"));
    pages_->setHeaderHidden(true);
    pages_->setRootIsDecorated(false);
    text_->setObjectName(QStringLiteral("manualText"));
    text_->setAccessibleName(windowTitle());
    text_->setOpenLinks(false);
    text_->document()->setDocumentMargin(20);
    auto* split = new QSplitter(this);
    split->addWidget(pages_);
    split->addWidget(text_);
    split->setStretchFactor(1, 1);
    split->setSizes({200, 700});
    auto* column = new QVBoxLayout(this);
    column->addWidget(split, 1);
    column->addWidget(closeRow(this));
    connect(pages_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item)
            showPage(item->data(0, Qt::UserRole).toString());
    });
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        showPage(link.fileName().section(QLatin1Char('.'), 0, 0));
    });
    fill();
}

void ManualWindow::fill() {
    for (const QString& page : manualPages()) {
        // A page's title is its first line.
        const QString title =
            manualText(page).section(QLatin1Char('\n'), 0, 0).remove(QLatin1Char('#')).trimmed();
        if (title.isEmpty())
            continue;
        auto* item = new QTreeWidgetItem(pages_, {title});
        item->setData(0, Qt::UserRole, page);
    }
}

void ManualWindow::showPage(const QString& page) {
    QString wanted = page;
    QString text = manualText(wanted);
    if (text.isEmpty()) {
        wanted = manualPages().constFirst();
        text = manualText(wanted);
    }
    if (wanted == page_)
        return;
    page_ = wanted;
    text_->setMarkdown(text.isEmpty() ? tr("The manual is not installed.") : text);
    for (int i = 0; i < pages_->topLevelItemCount(); ++i)
        if (pages_->topLevelItem(i)->data(0, Qt::UserRole).toString() == wanted)
            pages_->setCurrentItem(pages_->topLevelItem(i));
}

} // namespace tilewright::ui
