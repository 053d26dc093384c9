// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/run_window.h>

#include <QApplication>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    return tilewright::ui::runWindow(application, QStringLiteral(TW_VERSION));
}
