// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/async_source.h>

namespace tilewright::ui {

AsyncSource::AsyncSource(QObject* parent) : QObject(parent), worker_(new QObject) {
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    thread_.start(QThread::LowPriority);
}

AsyncSource::~AsyncSource() {
    shutDown();
}

void AsyncSource::shutDown() {
    for (const auto& [tag, newest] : newest_)
        ++*newest;
    thread_.quit();
    thread_.wait();
}

void AsyncSource::forget(int tag) {
    const auto it = newest_.find(tag);
    if (it != newest_.end())
        ++*it->second;
}

void AsyncSource::countWaiting(int change) {
    const bool before = busy();
    waiting_ += change;
    if (busy() != before)
        emit busyChanged(busy());
}

void AsyncSource::post(int tag, Job job) {
    auto& newest = newest_[tag];
    if (!newest)
        newest = std::make_shared<std::atomic<quint64>>(0);
    const quint64 number = ++*newest;
    countWaiting(1);
    QMetaObject::invokeMethod(worker_, [this, newest, number, job = std::move(job)] {
        std::function<void()> answer;
        if (newest->load() == number)
            answer = job();
        // Dropped by Qt when this source is gone; the thread has ended before that.
        QMetaObject::invokeMethod(this, [this, newest, number, answer = std::move(answer)] {
            countWaiting(-1);
            if (answer && newest->load() == number)
                answer();
        });
    });
}

} // namespace tilewright::ui
