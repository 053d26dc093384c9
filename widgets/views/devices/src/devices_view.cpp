// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/devices_view.h>

#include "device_details.h"
#include "device_form.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/device_table.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

struct DevicesView::Parts {
    explicit Parts(const ViewContext& given) : context(given) {}
    const ViewContext context;
    DeviceSource* source = nullptr;
    QLabel* heading = nullptr;
    QLabel* subheading = nullptr;
    QPushButton* testAll = nullptr;
    QPushButton* add = nullptr;
    MessageBar* message = nullptr;
    Panel* listPanel = nullptr;
    TableView* table = nullptr;
    CellTableModel* model = nullptr;
    Panel* healthPanel = nullptr;
    DeviceDetails* health = nullptr;
    Panel* peaksPanel = nullptr;
    DeviceDetails* peaks = nullptr;
    Panel* formPanel = nullptr;
    DeviceForm* form = nullptr;
    QToolButton* columns = nullptr;
    QToolButton* exportTool = nullptr;
    QToolButton* measure = nullptr;
    QToolButton* closeForm = nullptr;
    QAction* addAction = nullptr;
    QAction* testAction = nullptr;
    QAction* testAllAction = nullptr;
    QAction* editAction = nullptr;
    QAction* removeAction = nullptr;
    QString selected = QStringLiteral("local");
    QString lost; ///< device the message is about
    bool prepared = false;

    [[nodiscard]] const session::DeviceRow* row() const {
        const DeviceSnapshotPtr snapshot = source->snapshot();
        if (!snapshot)
            return nullptr;
        for (const session::DeviceRow& device : snapshot->devices)
            if (QString::fromStdString(device.device.key) == selected)
                return &device;
        return snapshot->devices.empty() ? nullptr : &snapshot->devices.front();
    }
};

namespace {

QWidget* scrolled(QWidget* content) {
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

} // namespace

DevicesView::DevicesView(const ViewContext& context, QWidget* parent)
    : Workspace(parent), d_(std::make_unique<Parts>(context)) {
    setObjectName(QStringLiteral("devicesView"));
    build();
    connectParts();
    retranslate();
}

DevicesView::~DevicesView() = default;

void DevicesView::setFiles(const session::DeviceFiles& files) {
    d_->source->setFiles(files);
}

QString DevicesView::title() const {
    return tr("Devices");
}

QString DevicesView::iconName() const {
    return QStringLiteral("devices");
}

QString DevicesView::helpPage() const {
    return QStringLiteral("devices");
}

QList<QAction*> DevicesView::actions() const {
    return {d_->addAction, d_->testAction, d_->testAllAction};
}

void DevicesView::build() {
    d_->source = new DeviceSource(this);
    for (QAction** action :
         {&d_->addAction, &d_->testAction, &d_->testAllAction, &d_->editAction, &d_->removeAction})
        *action = new QAction(this);
    d_->addAction->setObjectName(QStringLiteral("devices.add"));
    d_->testAction->setObjectName(QStringLiteral("devices.test"));
    d_->testAllAction->setObjectName(QStringLiteral("devices.testAll"));
    d_->heading = new QLabel(this);
    d_->subheading = new QLabel(this);
    d_->subheading->setProperty("role", QStringLiteral("secondary"));
    d_->testAll = new QPushButton(this);
    d_->testAll->setObjectName(QStringLiteral("testAll"));
    d_->add = new QPushButton(this);
    d_->add->setObjectName(QStringLiteral("addBoard"));
    d_->add->setIcon(themedIcon(QStringLiteral("add")));
    d_->message = new MessageBar(this);
    d_->model = new CellTableModel(this);
    d_->table = new TableView(this);
    d_->table->setObjectName(QStringLiteral("deviceTable"));
    d_->listPanel = new Panel({}, this);
    d_->listPanel->setContent(d_->table);
    d_->listPanel->setContentMargin(0);
    d_->health = new DeviceDetails(this);
    d_->healthPanel = new Panel({}, this);
    d_->healthPanel->setContent(scrolled(d_->health));
    d_->healthPanel->setContentMargin(12);
    d_->peaks = new DeviceDetails(this);
    d_->peaksPanel = new Panel({}, this);
    d_->peaksPanel->setContent(scrolled(d_->peaks));
    d_->peaksPanel->setContentMargin(12);
    d_->form = new DeviceForm(d_->source, this);
    d_->formPanel = new Panel({}, this);
    d_->formPanel->setContent(d_->form);
    d_->formPanel->setContentMargin(12);
    d_->formPanel->setMaximizable(false);
    d_->formPanel->setMinimumWidth(340);
    d_->formPanel->hide();

    auto* names = new QVBoxLayout;
    names->setSpacing(2);
    names->addWidget(d_->heading);
    names->addWidget(d_->subheading);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 4, 0, 0);
    head->setSpacing(8);
    head->addLayout(names, 1);
    head->addWidget(d_->testAll);
    head->addWidget(d_->add);
    auto* lower = new QSplitter(Qt::Horizontal, this);
    lower->addWidget(d_->healthPanel);
    lower->addWidget(d_->peaksPanel);
    lower->setSizes({600, 400});
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->addWidget(d_->listPanel);
    rows->addWidget(lower);
    rows->setSizes({260, 560});
    auto* left = new QWidget(this);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->setSpacing(8);
    leftLayout->addWidget(d_->message);
    leftLayout->addWidget(rows, 1);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->addWidget(left);
    columns->addWidget(d_->formPanel);
    columns->setStretchFactor(0, 1);
    columns->setSizes({720, 280});
    for (QSplitter* splitter : {lower, rows, columns}) {
        splitter->setHandleWidth(8);
        splitter->setChildrenCollapsible(false);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(columns, 1);
}

void DevicesView::connectParts() {
    d_->table->setModel(d_->model);
    d_->columns = d_->listPanel->addTool(QString());
    d_->columns->setMenu(d_->table->columnsMenu());
    d_->columns->setPopupMode(QToolButton::InstantPopup);
    d_->exportTool = d_->listPanel->addTool(QString());
    d_->exportTool->setMenu(d_->table->exportMenu());
    d_->exportTool->setPopupMode(QToolButton::InstantPopup);
    d_->healthPanel->addTool(d_->testAction);
    d_->measure = d_->peaksPanel->addTool(QString());
    d_->measure->setObjectName(QStringLiteral("measurePeaks"));
    d_->closeForm = d_->formPanel->addTool(QString(), QStringLiteral("close"));
    d_->closeForm->setObjectName(QStringLiteral("closeForm"));

    const auto leave = [this] {
        d_->formPanel->hide();
        d_->table->setFocus();
    };
    connect(d_->closeForm, &QToolButton::clicked, this, leave);
    connect(d_->form, &DeviceForm::closed, this, leave);
    connect(d_->add, &QPushButton::clicked, this, &DevicesView::addBoard);
    connect(d_->addAction, &QAction::triggered, this, &DevicesView::addBoard);
    connect(d_->editAction, &QAction::triggered, this, &DevicesView::editSelected);
    connect(d_->removeAction, &QAction::triggered, this, &DevicesView::removeSelected);
    connect(d_->testAction, &QAction::triggered, this, [this] {
        if (const session::DeviceRow* row = d_->row())
            d_->source->test({QString::fromStdString(row->device.key)});
    });
    connect(d_->testAllAction, &QAction::triggered, this, [this] {
        QStringList keys;
        if (const DeviceSnapshotPtr snapshot = d_->source->snapshot())
            for (const session::DeviceRow& row : snapshot->devices)
                keys << QString::fromStdString(row.device.key);
        d_->source->test(keys);
    });
    connect(d_->testAll, &QPushButton::clicked, d_->testAllAction, &QAction::trigger);
    connect(d_->measure, &QToolButton::clicked, this, [this] {
        if (d_->source->isMeasuringPeaks())
            d_->source->cancelPeaks();
        else
            d_->source->measurePeaks();
    });
    connect(d_->source, &DeviceSource::ready, this, &DevicesView::showSnapshot);
    connect(d_->source, &DeviceSource::failed, this, [this](const QString& message) {
        d_->message->showMessage(MessageBar::Error, message);
    });
    connect(d_->source, &DeviceSource::testingChanged, this, &DevicesView::showSnapshot);
    connect(d_->source, &DeviceSource::tested, this, &DevicesView::showTested);
    connect(d_->source, &DeviceSource::peaksChanged, this, &DevicesView::showSelected);
    connect(d_->source, &DeviceSource::peaksFailed, this, [this](const QString& message) {
        if (!message.isEmpty())
            d_->message->showMessage(MessageBar::Error, message);
    });
    connect(d_->source, &DeviceSource::removed, this, [this](const QString& key) {
        d_->message->showMessage(MessageBar::Info, tr("%1 is off the list.").arg(key));
    });
    connect(d_->message, &MessageBar::actionTriggered, this, [this] {
        if (!d_->lost.isEmpty())
            d_->source->test({d_->lost});
        d_->message->clear();
    });
    connect(d_->table, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        d_->selected = index.siblingAtColumn(DeviceTable::NameColumn).data().toString();
        showSelected();
    });
    connect(d_->table, &TableView::activated, this, [this] { editSelected(); });
    connect(d_->table, &TableView::contextMenuFor, this,
            [this](const QModelIndex& index, QMenu* menu) {
                if (!index.isValid())
                    return;
                d_->selected = index.siblingAtColumn(DeviceTable::NameColumn).data().toString();
                showSelected();
                menu->addActions({d_->testAction, d_->editAction, d_->removeAction});
            });
    connect(d_->context.state, &AppState::workDirChanged, this, [this] {
        if (isVisible())
            opened();
    });
}

void DevicesView::opened() {
    d_->source->refresh(d_->context.state->workDir());
}

void DevicesView::closed() {}

void DevicesView::addBoard() {
    d_->formPanel->setTitle(tr("Add a board"));
    d_->form->startAdding();
    d_->formPanel->show();
    d_->form->setFocus();
}

void DevicesView::editSelected() {
    const session::DeviceRow* row = d_->row();
    if (!row || row->kind == session::DeviceKind::Local)
        return;
    d_->formPanel->setTitle(tr("Edit %1").arg(QString::fromStdString(row->device.key)));
    d_->form->startEditing(row->device);
    d_->formPanel->show();
}

void DevicesView::removeSelected() {
    const session::DeviceRow* row = d_->row();
    if (row && row->kind != session::DeviceKind::Local)
        d_->source->remove(QString::fromStdString(row->device.key));
}

void DevicesView::showSnapshot() {
    const DeviceSnapshotPtr snapshot = d_->source->snapshot();
    if (!snapshot)
        return;
    d_->model->setColumns(DeviceTable::columns());
    QVector<qint64> ids;
    int lost = 0;
    for (std::size_t i = 0; i < snapshot->devices.size(); ++i) {
        ids.append(
            static_cast<qint64>(qHash(QString::fromStdString(snapshot->devices[i].device.key))));
        lost += snapshot->devices[i].test && !snapshot->devices[i].test->ok ? 1 : 0;
    }
    d_->model->setRows(
        DeviceTable::rows(snapshot->devices, d_->source->testing(), d_->source->waiting()), ids);
    if (!d_->prepared) {
        d_->prepared = true;
        d_->table->setHiddenByDefault({DeviceTable::TargetColumn});
        d_->table->setSettingsKey(QStringLiteral("devices"), d_->context.settings);
    }
    QString note = tr("%n device(s)", nullptr, static_cast<int>(snapshot->devices.size()));
    if (lost > 0)
        note += QStringLiteral(", ") + tr("%n failed its last test", nullptr, lost);
    d_->listPanel->setNote(note);
    d_->form->setEmulator(snapshot->emulator);
    showSelected();
}

void DevicesView::showSelected() {
    const DeviceSnapshotPtr snapshot = d_->source->snapshot();
    const session::DeviceRow* row = d_->row();
    d_->health->showHealth(snapshot, row);
    d_->peaks->showPeaks(snapshot, row);
    const bool local = !row || row->kind == session::DeviceKind::Local;
    d_->editAction->setEnabled(!local);
    d_->removeAction->setEnabled(!local);
    const QString key = row ? QString::fromStdString(row->device.key) : QString();
    d_->testAction->setEnabled(row && d_->source->testing() != key);
    d_->measure->setVisible(local);
    d_->measure->setText(d_->source->isMeasuringPeaks() ? tr("Measuring… Cancel")
                                                        : tr("Measure peaks (8 s)"));
    d_->healthPanel->setTitle(tr("Health of %1").arg(key));
    d_->peaksPanel->setTitle(tr("Peaks of %1").arg(key));
    d_->peaksPanel->setNote(local ? tr("of one core") : QString());
    for (int r = 0; r < d_->model->rowCount(); ++r)
        if (d_->model->index(r, DeviceTable::NameColumn).data().toString() == key)
            d_->table->selectRow(r);
}

void DevicesView::showTested(const QString& key, bool ok, const QString& message) {
    if (ok) {
        if (d_->lost == key)
            d_->message->clear();
        return;
    }
    if (message.isEmpty())
        return; // cancelled
    d_->lost = key;
    d_->message->showMessage(MessageBar::Warning,
                             tr("%1 did not pass its test: %2").arg(key, message),
                             tr("Test again"));
    if (d_->context.problem)
        d_->context.problem(1, QStringLiteral("TW-W0801"), tr("device %1: %2").arg(key, message));
}

void DevicesView::retranslate() {
    d_->heading->setFont(Theme::fontOf(this, Theme::Title));
    d_->heading->setText(tr("Devices"));
    d_->subheading->setText(
        tr("Where candidates are built and timed. The local CPU is always listed."));
    d_->testAll->setText(tr("Test all"));
    d_->add->setText(tr("Add board…"));
    d_->addAction->setText(tr("Add board…"));
    d_->testAction->setText(tr("Test"));
    d_->testAction->setToolTip(tr("Runs a known kernel, checks its result and times it"));
    d_->testAllAction->setText(tr("Test all devices"));
    d_->editAction->setText(tr("Edit…"));
    d_->removeAction->setText(tr("Remove from the list"));
    d_->listPanel->setTitle(tr("Devices"));
    d_->formPanel->setTitle(tr("Add a board"));
    d_->columns->setText(tr("Columns"));
    d_->exportTool->setText(tr("Export"));
    d_->closeForm->setAccessibleName(tr("Close"));
    d_->closeForm->setToolTip(tr("Close"));
    d_->table->setAccessibleName(tr("Devices"));
    showSnapshot();
}

void DevicesView::changeEvent(QEvent* event) {
    Workspace::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        emit changed();
    }
}

Workspace* createDevicesView(const ViewContext& context, QWidget* parent) {
    return new DevicesView(context, parent);
}

} // namespace tilewright::ui
