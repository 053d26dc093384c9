// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThread>

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace tilewright::ui {

/// Base of all topic classes: asks the engine's facade in a worker thread of its own and answers in
/// the window's thread, where the source itself lives.
class AsyncSource : public QObject {
    Q_OBJECT

public:
    ~AsyncSource() override;
    /// Whether an answer is still to come.
    [[nodiscard]] bool busy() const { return waiting_ > 0; }

signals:
    void busyChanged(bool busy);

protected:
    explicit AsyncSource(QObject* parent = nullptr);

    /// Runs work() in this source's worker thread, then done(outcome) in the window's thread,
    /// unless a newer request with the same tag was made meanwhile or this source is gone. What
    /// work() throws goes to failed(message) under the same conditions. Requests run one after the
    /// other; one that is outdated before its turn is never begun. work() owns what it needs: it
    /// must not touch the source or its members.
    template <class T>
    void request(int tag, std::function<T()> work, std::function<void(T)> done,
                 std::function<void(QString message)> failed = {}) {
        post(tag,
             [work = std::move(work), done = std::move(done),
              failed = std::move(failed)]() -> std::function<void()> {
                 try {
                     auto outcome = std::make_shared<T>(work());
                     return [done, outcome] { done(std::move(*outcome)); };
                 } catch (const std::exception& error) {
                     return [failed, message = QString::fromUtf8(error.what())] {
                         if (failed)
                             failed(message);
                     };
                 }
             });
    }
    /// Nobody wants the answer to this tag's requests any more.
    void forget(int tag);
    /// Forgets everything and waits for the work at hand. For destructors of classes whose work
    /// shares something with them after all.
    void shutDown();

private:
    /// Runs in the worker; returns what is to be run in the window's thread.
    using Job = std::function<std::function<void()>()>;
    void post(int tag, Job job);
    void countWaiting(int change);

    QThread thread_;
    QObject* worker_;
    std::map<int, std::shared_ptr<std::atomic<quint64>>> newest_;
    int waiting_ = 0;
};

} // namespace tilewright::ui
