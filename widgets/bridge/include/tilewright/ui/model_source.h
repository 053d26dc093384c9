// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/graph_layout.h>
#include <tilewright/session/model_overview.h>
#include <tilewright/ui/async_source.h>

#include <QMap>
#include <QString>
#include <QVector>

#include <memory>
#include <stop_token>
#include <vector>

namespace tilewright::ui {

using ModelOverviewPtr = std::shared_ptr<const session::ModelOverview>;
using GraphLayoutPtr = std::shared_ptr<const session::GraphLayout>;
using InputShapes = QMap<QString, QVector<qint64>>;

/// What is known of an opened input, and where its task graph's boxes stand.
class ModelSource : public AsyncSource {
    Q_OBJECT

public:
    explicit ModelSource(QObject* parent = nullptr);
    ~ModelSource() override;

    /// Opens an input for a target, with results of a work directory (may be empty). Answered by
    /// ready() or failed().
    void open(const QString& path, const QString& target, const QString& workDir,
              const InputShapes& shapes = {});
    /// Drops what is shown; a running answer does not come any more.
    void close();
    /// Null before the first answer.
    [[nodiscard]] ModelOverviewPtr overview() const { return overview_; }
    /// The tasks that were extracted with the shapes before, for comparing; null when there are
    /// none.
    [[nodiscard]] ModelOverviewPtr previous() const { return previous_; }
    [[nodiscard]] bool isOpening() const { return opening_; }
    [[nodiscard]] QString problem() const { return problem_; }

    /// Places boxes of the given sizes; answered by layoutReady(). A newer request stops it.
    void layout(const std::vector<session::LayoutNode>& nodes,
                const std::vector<session::LayoutEdge>& edges);
    void cancelLayout();

    /// The node-to-task mapping as CSV.
    [[nodiscard]] QByteArray mappingCsv() const;
    /// `1, 3, 224, 224` as extents; empty when it is no shape.
    [[nodiscard]] static QVector<qint64> parseShape(const QString& text);

signals:
    void opening();
    void ready();
    void failed(const QString& message);
    void layoutReady(const tilewright::ui::GraphLayoutPtr& layout);

private:
    ModelOverviewPtr overview_;
    ModelOverviewPtr previous_;
    std::stop_source layoutStop_;
    QString problem_;
    bool opening_ = false;
};

} // namespace tilewright::ui
