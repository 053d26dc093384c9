// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_form.h"

#include "step_line.h"

#include <tilewright/ui/live_text.h>

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

enum Kind { Ssh, Emulator, Command };

} // namespace

DeviceForm::DeviceForm(DeviceSource* source, QWidget* parent)
    : QWidget(parent), source_(source), steps_(new StepLine(this)), kind_(new QComboBox(this)),
      name_(new QLineEdit(this)), command_(new QLineEdit(this)), target_(new QLineEdit(this)),
      runners_(new QSpinBox(this)), note_(new QLineEdit(this)), problem_(new QLabel(this)),
      testTitle_(new QLabel(this)), testing_(new QProgressBar(this)), checks_(new QVBoxLayout),
      copy_(new QPushButton(this)), back_(new QPushButton(this)), next_(new QPushButton(this)) {
    setObjectName(QStringLiteral("deviceForm"));
    build();
    retranslate();
    connect(kind_, &QComboBox::activated, this, &DeviceForm::kindChosen);
    for (QLineEdit* edit : {name_, command_, target_})
        connect(edit, &QLineEdit::textEdited, this, &DeviceForm::edited);
    connect(copy_, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(DeviceSource::addCommand(device())); });
    connect(back_, &QPushButton::clicked, this, [this] {
        if (step_ == 1) {
            source_->cancelTest();
            setStep(0);
        } else {
            emit closed();
        }
    });
    connect(next_, &QPushButton::clicked, this, [this] {
        if (step_ == 0)
            save();
        else if (step_ == 1)
            source_->test({key()});
        else
            emit closed();
    });
    connect(source_, &DeviceSource::checked, this, &DeviceForm::showProblem);
    connect(source_, &DeviceSource::changeFailed, this,
            [this](const QString& message) { showProblem(QStringLiteral("key"), message); });
    connect(source_, &DeviceSource::saved, this, [this](const QString& saved) {
        if (!isVisible() || saved != key())
            return;
        editing_ = true;
        setStep(1);
        source_->test({saved});
    });
    connect(source_, &DeviceSource::tested, this, &DeviceForm::showTest);
    connect(source_, &DeviceSource::testingChanged, this, [this] {
        const bool mine = !key().isEmpty() && source_->testing() == key();
        testing_->setVisible(mine && step_ == 1);
        next_->setEnabled(step_ != 1 || !mine);
    });
    startAdding();
}

void DeviceForm::build() {
    kind_->setObjectName(QStringLiteral("deviceKind"));
    name_->setObjectName(QStringLiteral("deviceName"));
    command_->setObjectName(QStringLiteral("deviceCommand"));
    target_->setObjectName(QStringLiteral("deviceTarget"));
    runners_->setObjectName(QStringLiteral("deviceRunners"));
    note_->setObjectName(QStringLiteral("deviceNote"));
    problem_->setObjectName(QStringLiteral("deviceProblem"));
    next_->setObjectName(QStringLiteral("deviceNext"));
    back_->setObjectName(QStringLiteral("deviceBack"));
    copy_->setObjectName(QStringLiteral("deviceCopy"));
    next_->setProperty("kind", QStringLiteral("primary"));
    copy_->setProperty("kind", QStringLiteral("flat"));
    problem_->setProperty("role", QStringLiteral("error"));
    problem_->setWordWrap(true);
    runners_->setRange(1, 1000);
    runners_->setAlignment(Qt::AlignRight);
    testing_->setRange(0, 0);
    testing_->setTextVisible(false);
    testing_->hide();
    auto* form = new QGridLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    form->setColumnStretch(1, 1);
    QWidget* fields[] = {kind_, name_, command_, target_, runners_, note_};
    int row = 0;
    for (QWidget* field : fields) {
        auto* label = new QLabel(this);
        label->setProperty("role", QStringLiteral("secondary"));
        label->setBuddy(field);
        labels_.append(label);
        form->addWidget(label, row, 0);
        form->addWidget(field, row++, 1);
    }
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(copy_);
    buttons->addStretch(1);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(steps_);
    layout->addLayout(form);
    layout->addWidget(problem_);
    layout->addWidget(testTitle_);
    layout->addWidget(testing_);
    checks_->setSpacing(6);
    layout->addLayout(checks_);
    layout->addStretch(1);
    layout->addLayout(buttons);
}

QString DeviceForm::key() const {
    return name_->text().trimmed();
}

measure::Device DeviceForm::device() const {
    measure::Device device;
    device.key = key().toStdString();
    device.command = command_->text().trimmed().toStdString();
    device.target = target_->text().trimmed().toStdString();
    device.runners = runners_->value();
    device.description = note_->text().trimmed().toStdString();
    return device;
}

void DeviceForm::fill(const measure::Device& device) {
    name_->setText(QString::fromStdString(device.key));
    command_->setText(QString::fromStdString(device.command));
    target_->setText(QString::fromStdString(device.target));
    runners_->setValue(device.runners);
    note_->setText(QString::fromStdString(device.description));
}

void DeviceForm::startAdding() {
    editing_ = false;
    fill({});
    command_->setText(QStringLiteral("ssh -T board tilewright-runner"));
    kind_->setCurrentIndex(Ssh);
    name_->setReadOnly(false);
    setStep(0);
    showProblem({}, {});
    next_->setEnabled(false);
}

void DeviceForm::startEditing(const measure::Device& device) {
    editing_ = true;
    fill(device);
    session::DeviceKind kind = session::DeviceKind::Command;
    if (const DeviceSnapshotPtr snapshot = source_->snapshot())
        for (const session::DeviceRow& row : snapshot->devices)
            if (row.device.key == device.key)
                kind = row.kind;
    kind_->setCurrentIndex(kind == session::DeviceKind::Ssh        ? Ssh
                           : kind == session::DeviceKind::Emulator ? Emulator
                                                                   : Command);
    name_->setReadOnly(true);
    setStep(0);
    edited();
}

void DeviceForm::setEmulator(const std::optional<measure::Device>& emulator) {
    emulator_ = emulator;
    kind_->setItemData(Emulator, emulator ? QVariant() : QVariant(0), Qt::UserRole - 1);
    kind_->setItemData(Emulator,
                       emulator ? QString()
                                : tr("Needs qemu-riscv64 in the path and the runner "
                                     "for RISC-V beside this program"),
                       Qt::ToolTipRole);
}

void DeviceForm::kindChosen(int index) {
    if (index == Emulator && emulator_)
        fill(*emulator_);
    else if (index == Ssh)
        command_->setText(QStringLiteral("ssh -T board tilewright-runner"));
    else if (index == Command)
        command_->setText(QStringLiteral("{runner}"));
    edited();
}

void DeviceForm::edited() {
    source_->check(device(), editing_);
}

void DeviceForm::showProblem(const QString& field, const QString& message) {
    // An empty form is not wrong yet.
    const bool untouched = field == QStringLiteral("key") && key().isEmpty();
    problem_->setVisible(!field.isEmpty() && !untouched);
    problem_->setText(message);
    if (step_ == 0)
        next_->setEnabled(field.isEmpty() && !key().isEmpty());
}

void DeviceForm::save() {
    if (!name_->text().isEmpty())
        source_->save(device(), editing_);
}

void DeviceForm::setStep(int step) {
    step_ = step;
    steps_->setCurrent(step == 2 ? 3 : step);
    for (QWidget* field : {static_cast<QWidget*>(kind_), static_cast<QWidget*>(command_),
                           static_cast<QWidget*>(target_), static_cast<QWidget*>(runners_),
                           static_cast<QWidget*>(note_)})
        field->setEnabled(step == 0);
    name_->setEnabled(step == 0);
    testTitle_->setVisible(step > 0);
    testing_->setVisible(step == 1 && source_->testing() == key());
    if (step == 0)
        clearChecks();
    retranslate();
}

void DeviceForm::clearChecks() {
    while (QLayoutItem* item = checks_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void DeviceForm::addCheck(const QString& glyph, const QString& name, const QString& value,
                          const QString& note) {
    auto* line = new QWidget(this);
    auto* layout = new QGridLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(2);
    auto* mark = new QLabel(glyph, line);
    mark->setFixedWidth(16);
    if (glyph == QStringLiteral("⚠"))
        mark->setProperty("role", QStringLiteral("warning"));
    auto* title = new QLabel(name, line);
    auto* right = new QLabel(value, line);
    right->setProperty("role", QStringLiteral("secondary"));
    layout->addWidget(mark, 0, 0);
    layout->addWidget(title, 0, 1);
    layout->addWidget(right, 0, 2, Qt::AlignRight);
    layout->setColumnStretch(1, 1);
    if (!note.isEmpty()) {
        auto* text = new QLabel(note, line);
        text->setProperty("role", QStringLiteral("secondary"));
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(text, 1, 1, 1, 2);
    }
    line->setAccessibleName(QStringLiteral("%1 %2 %3 %4").arg(glyph, name, value, note));
    checks_->addWidget(line);
}

void DeviceForm::showTest(const QString& tested, bool ok, const QString& message) {
    if (tested != key() || step_ != 1)
        return;
    clearChecks();
    testing_->hide();
    const QString good = QStringLiteral("✓");
    addCheck(good, tr("Fields"), tr("valid"));
    if (!ok) {
        addCheck(QStringLiteral("⚠"), tr("Known kernel"), tr("failed"),
                 message.isEmpty() ? tr("cancelled") : message);
        next_->setEnabled(true);
        return;
    }
    addCheck(good, tr("Command starts"), tr("runner answers"));
    addCheck(good, tr("Known kernel"), tr("runs"));
    addCheck(good, tr("Result"), tr("same as this machine's"));
    setStep(2);
    next_->setEnabled(true);
}

void DeviceForm::retranslate() {
    steps_->setSteps({tr("Connect"), tr("Test"), tr("Done")});
    const QSignalBlocker quiet(kind_);
    const int chosen = std::max(0, kind_->currentIndex());
    const QStringList kinds{tr("Board over SSH"), tr("QEMU, RISC-V"), tr("Command")};
    while (kind_->count() < kinds.size())
        kind_->addItem(QString());
    for (int i = 0; i < kinds.size(); ++i)
        kind_->setItemText(i, kinds.at(i));
    kind_->setCurrentIndex(chosen);
    const QStringList names{tr("Kind"),   tr("Name"),    tr("Command"),
                            tr("Target"), tr("Runners"), tr("Note")};
    for (int i = 0; i < names.size(); ++i) {
        labels_[i]->setText(names.at(i));
        labels_[i]->buddy()->setAccessibleName(names.at(i));
    }
    command_->setToolTip(tr("A shell command that starts a runner there and passes standard input "
                            "and output through; {runner} and {runner-riscv64} are this "
                            "installation's"));
    target_->setPlaceholderText(tr("such as riscv64-rvv256 -num-cores=4"));
    runners_->setToolTip(tr("Runners that may work at the same time"));
    copy_->setText(tr("Copy command"));
    back_->setText(step_ == 1 ? tr("Back") : tr("Close"));
    back_->setVisible(step_ != 2);
    next_->setText(step_ == 0   ? (editing_ ? tr("Save and test") : tr("Add and test"))
                   : step_ == 1 ? tr("Test again")
                                : tr("Done"));
    testTitle_->setText(step_ == 2 ? tr("Tested: this device can be chosen for sessions.")
                                   : tr("Test"));
}

void DeviceForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace tilewright::ui
