// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings_window.h"

#include <tilewright/ui/commands.h>
#include <tilewright/ui/languages.h>
#include <tilewright/ui/theme.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

/// Takes a key press in the second column.
class KeyDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&,
                          const QModelIndex& index) const override {
        if (index.column() != 1 || !index.parent().isValid())
            return nullptr;
        auto* editor = new QKeySequenceEdit(parent);
        editor->setClearButtonEnabled(true);
        return editor;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        static_cast<QKeySequenceEdit*>(editor)->setKeySequence(QKeySequence::fromString(
            index.data(Qt::EditRole).toString().section(QStringLiteral(", "), 0, 0),
            QKeySequence::NativeText));
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model,
                      const QModelIndex& index) const override {
        model->setData(index, static_cast<QKeySequenceEdit*>(editor)->keySequence().toString(
                                  QKeySequence::NativeText));
    }
};

} // namespace

SettingsWindow::SettingsWindow(Commands* commands, Theme* theme, Languages* languages,
                               QSettings* settings, QWidget* parent)
    : QDialog(parent), commands_(commands), theme_(theme), languages_(languages),
      settings_(settings), shortcuts_(new QTreeWidget(this)), conflicts_(new QLabel(this)) {
    setObjectName(QStringLiteral("settings"));
    setWindowTitle(tr("Settings"));
    resize(620, 560);
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(windowTitle());
    tabs->addTab(makeLook(), tr("General"));
    tabs->addTab(makeShortcuts(), tr("Shortcuts"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(tabs, 1);
    column->addWidget(buttons);
}

QWidget* SettingsWindow::makeLook() {
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(12, 16, 12, 12);
    form->setVerticalSpacing(12);
    auto* theme = new QComboBox(page);
    theme->setObjectName(QStringLiteral("settingsTheme"));
    theme->setAccessibleName(tr("Theme"));
    theme->addItem(tr("System"), QStringLiteral("view.themeSystem"));
    theme->addItem(tr("Light"), QStringLiteral("view.themeLight"));
    theme->addItem(tr("Dark"), QStringLiteral("view.themeDark"));
    theme->setCurrentIndex(theme_->mode() == Theme::System  ? 0
                           : theme_->mode() == Theme::Light ? 1
                                                            : 2);
    connect(theme, &QComboBox::activated, this,
            [this, theme] { commands_->trigger(theme->currentData().toString()); });
    form->addRow(tr("Theme"), theme);
    auto* language = new QComboBox(page);
    language->setObjectName(QStringLiteral("settingsLanguage"));
    language->setAccessibleName(tr("Language"));
    for (const QString& name : Languages::available())
        language->addItem(Languages::nativeName(name), name);
    language->setCurrentIndex(language->findData(languages_->current()));
    connect(language, &QComboBox::activated, this, [this, language] {
        settings_->setValue(QStringLiteral("ui/language"), language->currentData());
        languages_->set(language->currentData().toString());
    });
    form->addRow(tr("Language"), language);
    auto* zoom = new QSpinBox(page);
    zoom->setObjectName(QStringLiteral("settingsZoom"));
    zoom->setAccessibleName(tr("Text size"));
    zoom->setRange(70, 300);
    zoom->setSingleStep(10);
    zoom->setSuffix(QStringLiteral(" %"));
    zoom->setKeyboardTracking(false);
    zoom->setValue(qRound(theme_->zoom() * 100));
    connect(zoom, &QSpinBox::valueChanged, theme_, [this](int percent) {
        settings_->setValue(QStringLiteral("ui/zoom"), percent / 100.0);
        theme_->setZoom(percent / 100.0);
    });
    form->addRow(tr("Text size"), zoom);
    auto* notify = new QCheckBox(tr("Notify me when a session ends"), page);
    notify->setObjectName(QStringLiteral("settingsNotify"));
    notify->setChecked(settings_->value(QStringLiteral("ui/notify"), true).toBool());
    connect(notify, &QCheckBox::toggled, this,
            [this](bool on) { settings_->setValue(QStringLiteral("ui/notify"), on); });
    form->addRow(QString(), notify);
    auto* where = new QLabel(tr("Kept in %1").arg(settings_->fileName()), page);
    where->setProperty("role", "secondary");
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    where->setWordWrap(true);
    form->addRow(QString(), where);
    return page;
}

QWidget* SettingsWindow::makeShortcuts() {
    auto* page = new QWidget(this);
    shortcuts_->setObjectName(QStringLiteral("settingsShortcuts"));
    shortcuts_->setAccessibleName(tr("Shortcuts"));
    shortcuts_->setColumnCount(2);
    shortcuts_->setHeaderLabels({tr("Command"), tr("Keys")});
    shortcuts_->setItemDelegate(new KeyDelegate(shortcuts_));
    shortcuts_->setEditTriggers(QAbstractItemView::DoubleClicked |
                                QAbstractItemView::EditKeyPressed);
    shortcuts_->header()->setStretchLastSection(false);
    shortcuts_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    shortcuts_->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    shortcuts_->header()->resizeSection(1, 180);
    conflicts_->setObjectName(QStringLiteral("settingsConflicts"));
    conflicts_->setProperty("role", "warning");
    conflicts_->setWordWrap(true);
    auto* reset = new QPushButton(tr("Reset all shortcuts"), page);
    reset->setObjectName(QStringLiteral("settingsResetShortcuts"));
    connect(reset, &QPushButton::clicked, commands_, &Commands::resetShortcuts);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 12, 12, 12);
    column->addWidget(shortcuts_, 1);
    column->addWidget(conflicts_);
    column->addWidget(reset, 0, Qt::AlignLeft);
    fillShortcuts();
    connect(shortcuts_, &QTreeWidget::itemChanged, this, &SettingsWindow::edited);
    connect(commands_, &Commands::shortcutsChanged, this, &SettingsWindow::fillShortcuts);
    return page;
}

void SettingsWindow::fillShortcuts() {
    const QSignalBlocker quiet(shortcuts_);
    QHash<QString, QTreeWidgetItem*> groups;
    const QTreeWidgetItem* current = shortcuts_->currentItem();
    const QString currentId = current ? current->data(0, Qt::UserRole).toString() : QString();
    shortcuts_->clear();
    for (const QAction* action : commands_->actions()) {
        const QString id = action->objectName();
        const QString group = Commands::groupOf(id);
        QTreeWidgetItem*& parent = groups[group];
        if (!parent) {
            parent = new QTreeWidgetItem(shortcuts_, {Commands::groupTitle(group)});
            parent->setExpanded(true);
        }
        QStringList keys;
        for (const QKeySequence& key : commands_->shortcuts(id))
            keys.append(key.toString(QKeySequence::NativeText));
        auto* item =
            new QTreeWidgetItem(parent, {action->iconText(), keys.join(QStringLiteral(", "))});
        item->setData(0, Qt::UserRole, id);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        if (id == currentId)
            shortcuts_->setCurrentItem(item);
    }
    showConflicts();
}

void SettingsWindow::showConflicts() {
    QStringList lines;
    for (const ShortcutConflict& conflict : commands_->conflicts())
        lines.append(tr("⚠ %1 is used twice: %2 and %3")
                         .arg(conflict.keys, commands_->action(conflict.first)->iconText(),
                              commands_->action(conflict.second)->iconText()));
    conflicts_->setText(lines.join(QLatin1Char('\n')));
    conflicts_->setVisible(!lines.isEmpty());
}

void SettingsWindow::edited(QTreeWidgetItem* item) {
    const QString id = item->data(0, Qt::UserRole).toString();
    if (id.isEmpty())
        return;
    QList<QKeySequence> keys;
    for (const QString& word : item->text(1).split(QStringLiteral(", "), Qt::SkipEmptyParts))
        keys.append(QKeySequence::fromString(word, QKeySequence::NativeText));
    // The list is filled anew by this; not while the view still holds the item.
    QMetaObject::invokeMethod(
        this, [this, id, keys] { commands_->setShortcuts(id, keys); }, Qt::QueuedConnection);
}

} // namespace tilewright::ui
