// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/database/store_writer.h>
#include <tilewright/ui/main_window.h>

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

using namespace tilewright;

namespace {

void makeStore(const QString& dir) {
    database::StoreWriter writer(dir.toStdString());
    const database::Workload workload = writer.commitWorkload("module", "matmul");
    database::Task task;
    task.name = "matmul";
    task.workload = workload.id;
    task.target = R"({"kind":"llvm"})";
    task.id = writer.commitTask(task);
    for (int i = 0; i < 5; ++i) {
        database::TuningRecord record;
        record.workload = workload.id;
        record.task = task.id;
        record.trace = R"([[["GetSBlock",[],["C","main"],["b0"]]],[]])";
        record.target = task.target;
        record.trial = i + 1;
        if (i == 2) {
            record.status = database::RecordStatus::RunCrash;
            record.message = "a signal ended the kernel";
            record.measurement.seconds = {database::kFailedSeconds};
            record.measurement.present = true;
        } else {
            record.measurement = database::measurementOf({1e-3 / (i + 1)});
            record.measurement.present = true;
        }
        writer.commitRecord(record);
    }
}

QTableView* table(const ui::MainWindow& window, const char* name) {
    for (QTableView* view : window.findChildren<QTableView*>())
        if (view->accessibleName() == QLatin1String(name))
            return view;
    return nullptr;
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void showsTasksAndRecords() {
        QTemporaryDir dir;
        makeStore(dir.path());
        ui::MainWindow window;
        window.openWorkDir(dir.path());
        window.show();
        const QTableView* tasks = table(window, "Tasks");
        const QTableView* records = table(window, "Records");
        QVERIFY(tasks && records);
        QTRY_COMPARE(tasks->model()->rowCount(), 1);
        QTRY_COMPARE(records->model()->rowCount(), 5);
        QCOMPARE(tasks->model()->index(0, 0).data().toString(), QString("matmul"));
        QVERIFY(!window.grab().isNull());
    }

    void saysWhatIsWrong() {
        QTemporaryDir dir;
        ui::MainWindow window;
        window.openWorkDir(dir.filePath("nowhere"));
        window.show();
        const auto labels = window.findChildren<QLabel*>();
        QTRY_VERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("nowhere"));
        }));
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
