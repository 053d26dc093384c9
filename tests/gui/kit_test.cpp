// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>

#include <QTest>

using namespace tilewright;

class KitTest : public QObject {
    Q_OBJECT

private slots:
    void iconsAreInTheLibrary() {
        QVERIFY(!ui::themedIcon(QStringLiteral("start")).isNull());
        QVERIFY(ui::themedIcon(QStringLiteral("no such icon")).isNull());
    }
};

QTEST_MAIN(KitTest)
#include "kit_test.moc"
