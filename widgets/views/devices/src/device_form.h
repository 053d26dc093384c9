// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/device_source.h>

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace tilewright::ui {

class StepLine;

/// Adding or editing a board: a short form, then checks that tick one by one.
class DeviceForm : public QWidget {
    Q_OBJECT

public:
    /// `source` outlives the form.
    explicit DeviceForm(DeviceSource* source, QWidget* parent = nullptr);

    /// Empty fields for a new board; `template` of an emulator is offered when there is one.
    void startAdding();
    void startEditing(const measure::Device& device);
    /// The emulator that can be added with one choice; nothing = none.
    void setEmulator(const std::optional<measure::Device>& emulator);
    [[nodiscard]] QString key() const;
    [[nodiscard]] bool isEditing() const { return editing_; }

signals:
    void closed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    [[nodiscard]] measure::Device device() const;
    void fill(const measure::Device& device);
    void kindChosen(int index);
    void edited();
    void showProblem(const QString& field, const QString& message);
    void save();
    void showTest(const QString& key, bool ok, const QString& message);
    void setStep(int step);
    void addCheck(const QString& glyph, const QString& name, const QString& value,
                  const QString& note = {});
    void clearChecks();

    DeviceSource* source_;
    StepLine* steps_;
    QComboBox* kind_;
    QLineEdit* name_;
    QLineEdit* command_;
    QLineEdit* target_;
    QSpinBox* runners_;
    QLineEdit* note_;
    QVector<QLabel*> labels_;
    QLabel* problem_;
    QLabel* testTitle_;
    QProgressBar* testing_;
    QVBoxLayout* checks_;
    QPushButton* copy_;
    QPushButton* back_;
    QPushButton* next_;
    std::optional<measure::Device> emulator_;
    bool editing_ = false;
    int step_ = 0; ///< 0 connect, 1 test, 2 done
};

} // namespace tilewright::ui
