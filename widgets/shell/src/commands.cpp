// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/commands.h>

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QSettings>
#include <QWidget>

namespace tilewright::ui {

namespace {

const char* const kContext = "Commands";

QString translated(const char* source) {
    return *source ? QCoreApplication::translate(kContext, source) : QString();
}

QList<QKeySequence> parseKeys(const QString& text) {
    QList<QKeySequence> keys;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        keys.append(QKeySequence::fromString(word, QKeySequence::PortableText));
    return keys;
}

QString keysText(const QList<QKeySequence>& keys) {
    QStringList words;
    for (const QKeySequence& key : keys)
        words.append(key.toString(QKeySequence::PortableText).remove(QLatin1Char(' ')));
    return words.join(QLatin1Char(' '));
}

QString settingsKey(const QString& id) {
    return QStringLiteral("shortcuts/%1").arg(id);
}

bool isInside(const QWidget* widget, const QWidget* ancestor) {
    return widget && ancestor && (widget == ancestor || ancestor->isAncestorOf(widget));
}

} // namespace

Commands::Commands(QWidget* window, QSettings* settings)
    : QObject(window), window_(window), settings_(settings) {
    for (const CommandSpec& spec : commandTable()) {
        const QString id = QString::fromLatin1(spec.id);
        auto* action = new QAction(this);
        action->setObjectName(id);
        action->setCheckable(spec.kind == CommandKind::Toggle);
        action->setEnabled(spec.kind == CommandKind::Focus);
        action->setMenuRole(QAction::NoRole);
        actions_.insert(id, action);
        const QVariant changed = settings_ ? settings_->value(settingsKey(id)) : QVariant();
        keys_.insert(id, changed.isValid() ? parseKeys(changed.toString()) : defaultShortcuts(id));
        if (spec.kind == CommandKind::Focus)
            connect(action, &QAction::triggered, this, [this, id] { forward(id); });
        showShortcuts(id);
        window_->addAction(action);
    }
    // Menus and the palette take the focus; a forwarded command goes to the part that had it.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (isInside(now, window_) && now->window() == window_)
            lastFocus_ = now;
    });
}

QAction* Commands::action(const QString& id) const {
    return actions_.value(id);
}

QList<QAction*> Commands::actions() const {
    QList<QAction*> all;
    for (const CommandSpec& spec : commandTable())
        all.append(actions_.value(QString::fromLatin1(spec.id)));
    return all;
}

const CommandSpec* Commands::spec(const QString& id) const {
    for (const CommandSpec& spec : commandTable())
        if (id == QLatin1String(spec.id))
            return &spec;
    return nullptr;
}

QString Commands::groupOf(const QString& id) {
    const QString group = id.section(QLatin1Char('.'), 0, 0);
    return group == QLatin1String("workspace") ? QStringLiteral("view") : group;
}

QString Commands::groupTitle(const QString& group) {
    static const QHash<QString, const char*> titles = {
        {QStringLiteral("file"), QT_TRANSLATE_NOOP("Commands", "File")},
        {QStringLiteral("edit"), QT_TRANSLATE_NOOP("Commands", "Edit")},
        {QStringLiteral("view"), QT_TRANSLATE_NOOP("Commands", "View")},
        {QStringLiteral("session"), QT_TRANSLATE_NOOP("Commands", "Session")},
        {QStringLiteral("records"), QT_TRANSLATE_NOOP("Commands", "Records")},
        {QStringLiteral("tools"), QT_TRANSLATE_NOOP("Commands", "Tools")},
        {QStringLiteral("help"), QT_TRANSLATE_NOOP("Commands", "Help")}};
    return translated(titles.value(group, ""));
}

void Commands::handle(const QString& id, QObject* context, std::function<void()> handler) {
    QAction* command = action(id);
    Q_ASSERT(command);
    connect(command, &QAction::triggered, context, [run = std::move(handler)] { run(); });
    command->setEnabled(true);
}

void Commands::trigger(const QString& id) {
    if (QAction* command = action(id))
        command->trigger();
}

void Commands::setCurrentView(QWidget* view) {
    view_ = view;
}

QList<QKeySequence> Commands::shortcuts(const QString& id) const {
    return keys_.value(id);
}

QList<QKeySequence> Commands::defaultShortcuts(const QString& id) const {
    const CommandSpec* found = spec(id);
    return found ? parseKeys(QString::fromLatin1(found->keys)) : QList<QKeySequence>();
}

void Commands::setShortcuts(const QString& id, const QList<QKeySequence>& keys) {
    if (!actions_.contains(id) || keys_.value(id) == keys)
        return;
    keys_[id] = keys;
    if (keys == defaultShortcuts(id))
        settings_->remove(settingsKey(id));
    else
        settings_->setValue(settingsKey(id), keysText(keys));
    showShortcuts(id);
    emit shortcutsChanged();
}

void Commands::resetShortcuts() {
    settings_->remove(QStringLiteral("shortcuts"));
    for (auto it = keys_.begin(); it != keys_.end(); ++it) {
        it.value() = defaultShortcuts(it.key());
        showShortcuts(it.key());
    }
    emit shortcutsChanged();
}

QList<ShortcutConflict> Commands::conflicts() const {
    QHash<QString, QString> owner;
    QList<ShortcutConflict> found;
    for (const CommandSpec& spec : commandTable()) {
        const QString id = QString::fromLatin1(spec.id);
        for (const QKeySequence& key : keys_.value(id)) {
            const QString text = key.toString(QKeySequence::PortableText);
            if (owner.contains(text))
                found.append({text, owner.value(text), id});
            else
                owner.insert(text, id);
        }
    }
    return found;
}

void Commands::showShortcuts(const QString& id) {
    QAction* command = action(id);
    const bool focus = spec(id)->kind == CommandKind::Focus;
    // The part with the focus handles its own keys. Only a changed key is the window's, which then
    // hands it on.
    if (focus && keys_.value(id) == defaultShortcuts(id))
        command->setShortcuts(QList<QKeySequence>());
    else
        command->setShortcuts(keys_.value(id));
    showTexts(id);
}

void Commands::forward(const QString& id) {
    const QList<QKeySequence> keys = defaultShortcuts(id);
    QWidget* target = lastFocus_ ? lastFocus_.data() : view_.data();
    if (!target)
        return;
    // An action of the view by this name, then any action from the focus outwards by its key.
    for (QWidget* at = target; at && at != window_; at = at->parentWidget())
        for (QAction* own : at->actions())
            if (own->isEnabled() && (own->objectName() == id ||
                                     (!keys.isEmpty() && own->shortcuts().contains(keys[0])))) {
                own->trigger();
                return;
            }
    if (view_)
        for (QAction* own : view_->findChildren<QAction*>(id))
            if (own->isEnabled()) {
                own->trigger();
                return;
            }
    if (keys.isEmpty())
        return;
    const QKeyCombination combination = keys[0][0];
    const QString text = combination.keyboardModifiers() == Qt::NoModifier
                             ? keys[0].toString(QKeySequence::PortableText).toLower()
                             : QString();
    QKeyEvent press(QEvent::KeyPress, combination.key(), combination.keyboardModifiers(),
                    text.size() == 1 ? text : QString());
    QApplication::sendEvent(target, &press);
    QKeyEvent release(QEvent::KeyRelease, combination.key(), combination.keyboardModifiers());
    QApplication::sendEvent(target, &release);
}

void Commands::showTexts(const QString& id) {
    QAction* command = action(id);
    const CommandSpec* found = spec(id);
    const QString text = translated(found->text);
    const QString hint = *found->hint ? translated(found->hint) : text;
    const QList<QKeySequence> keys = keys_.value(id);
    const QString key = keys.isEmpty() ? QString() : keys[0].toString(QKeySequence::NativeText);
    // A tab before the key shows it at the right of a menu without making it a shortcut.
    const bool shownOnly = command->shortcuts().isEmpty() && !key.isEmpty();
    command->setText(shownOnly ? text + QLatin1Char('\t') + key : text);
    command->setIconText(text);
    command->setToolTip(key.isEmpty() ? hint : QStringLiteral("%1 (%2)").arg(hint, key));
    command->setStatusTip(hint);
    command->setWhatsThis(hint);
}

void Commands::retranslate() {
    for (auto it = actions_.cbegin(); it != actions_.cend(); ++it)
        showTexts(it.key());
}

} // namespace tilewright::ui
