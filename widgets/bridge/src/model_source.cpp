// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/model_source.h>

#include <stdexcept>

namespace tilewright::ui {

namespace {

enum Tag { Open = 1, Layout };

} // namespace

ModelSource::ModelSource(QObject* parent) : AsyncSource(parent) {
    qRegisterMetaType<GraphLayoutPtr>();
}

ModelSource::~ModelSource() {
    layoutStop_.request_stop();
    shutDown();
}

void ModelSource::open(const QString& path, const QString& target, const QString& workDir,
                       const InputShapes& shapes) {
    session::OverviewOptions options;
    if (!target.isEmpty())
        options.target = target.toStdString();
    options.workDir = workDir.toStdString();
    for (auto it = shapes.begin(); it != shapes.end(); ++it)
        options.input.shapes[it.key().toStdString()] =
            std::vector<std::int64_t>(it.value().begin(), it.value().end());
    opening_ = true;
    problem_.clear();
    emit opening();
    request<ModelOverviewPtr>(
        Open, [path = path.toStdString(), options] { return session::openOverview(path, options); },
        [this](const ModelOverviewPtr& overview) {
            opening_ = false;
            // The same model under other shapes is kept beside, so that both can be compared.
            const bool same = overview_ && overview_->path == overview->path;
            if (!same)
                previous_.reset();
            else if (!overview_->needsShapes && overview_->flop != overview->flop)
                previous_ = overview_;
            overview_ = overview;
            emit ready();
        },
        [this](const QString& message) {
            opening_ = false;
            problem_ = message;
            emit failed(message);
        });
}

void ModelSource::close() {
    forget(Open);
    cancelLayout();
    opening_ = false;
    overview_.reset();
    previous_.reset();
    problem_.clear();
}

void ModelSource::layout(const std::vector<session::LayoutNode>& nodes,
                         const std::vector<session::LayoutEdge>& edges) {
    cancelLayout();
    layoutStop_ = std::stop_source();
    request<GraphLayoutPtr>(
        Layout,
        [nodes, edges, stop = layoutStop_.get_token()]() -> GraphLayoutPtr {
            auto layout = session::layoutGraph(nodes, edges, {}, stop);
            if (!layout)
                throw std::runtime_error("stopped");
            return std::make_shared<const session::GraphLayout>(std::move(*layout));
        },
        [this](const GraphLayoutPtr& layout) { emit layoutReady(layout); });
}

void ModelSource::cancelLayout() {
    layoutStop_.request_stop();
    forget(Layout);
}

QByteArray ModelSource::mappingCsv() const {
    return overview_ ? QByteArray::fromStdString(session::mappingCsv(*overview_)) : QByteArray();
}

QVector<qint64> ModelSource::parseShape(const QString& text) {
    const auto extents = session::parseExtents(text.toStdString());
    return extents ? QVector<qint64>(extents->begin(), extents->end()) : QVector<qint64>();
}

} // namespace tilewright::ui
