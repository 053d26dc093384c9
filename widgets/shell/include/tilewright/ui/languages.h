// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

class QTranslator;

namespace tilewright::ui {

/// The language of the application, switched at run time: own texts and Qt's, and the default
/// QLocale with it. Widgets hear of it by LanguageChange events.
class Languages : public QObject {
    Q_OBJECT

public:
    explicit Languages(QObject* parent = nullptr);
    ~Languages() override;

    /// `en`, `zh_CN`.
    static QStringList available();
    /// Its name in itself: English, 简体中文.
    static QString nativeName(const QString& language);
    /// The one of `available()` that fits the system best.
    static QString ofSystem();

    [[nodiscard]] QString current() const { return current_; }
    /// An unknown one is taken as English.
    void set(const QString& language);

signals:
    void changed(const QString& language);

private:
    void load(const QString& file, const QString& folder);

    QString current_;
    std::vector<std::unique_ptr<QTranslator>> translators_;
};

} // namespace tilewright::ui
