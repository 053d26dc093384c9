// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/languages.h>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace tilewright::ui {

Languages::Languages(QObject* parent) : QObject(parent), current_(QStringLiteral("en")) {}

Languages::~Languages() = default;

QStringList Languages::available() {
    return {QStringLiteral("en"), QStringLiteral("zh_CN")};
}

QString Languages::nativeName(const QString& language) {
    return language == QLatin1String("zh_CN") ? QStringLiteral("简体中文")
                                              : QStringLiteral("English");
}

QString Languages::ofSystem() {
    return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN")
                                                            : QStringLiteral("en");
}

void Languages::set(const QString& language) {
    const QString wanted = available().contains(language) ? language : QStringLiteral("en");
    if (wanted == current_)
        return;
    translators_.clear(); // takes them away from the application
    current_ = wanted;
    QLocale::setDefault(QLocale(wanted == QLatin1String("en") ? QStringLiteral("en_US") : wanted));
    // English comes with a catalogue too: the plurals of %n texts.
    load(QStringLiteral("tilewright_%1").arg(wanted), QStringLiteral(":/tilewright/translations"));
    if (wanted != QLatin1String("en"))
        load(QStringLiteral("qtbase_%1").arg(wanted),
             QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    emit changed(current_);
}

void Languages::load(const QString& file, const QString& folder) {
    auto translator = std::make_unique<QTranslator>();
    if (translator->load(file, folder) && QCoreApplication::installTranslator(translator.get()))
        translators_.push_back(std::move(translator));
}

} // namespace tilewright::ui
