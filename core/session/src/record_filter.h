// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/session/record_index.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::session {

/// Evaluates a parsed filter over an index, a column at a time; a byte a record, 1 = fits.
class RecordFilter {
public:
    RecordFilter(const RecordIndex& index, const RecordIndexLoader* loader,
                 std::function<bool()> goOn);
    [[nodiscard]] std::vector<std::uint8_t> evaluate(const database::FilterNode& node) const;

private:
    using Mask = std::vector<std::uint8_t>;
    [[nodiscard]] Mask term(const database::FilterTerm& term) const;
    [[nodiscard]] Mask numbers(const database::FilterTerm& term) const;
    [[nodiscard]] Mask texts(const database::FilterTerm& term) const;
    [[nodiscard]] Mask storedTexts(const database::FilterTerm& term) const;
    [[nodiscard]] Mask tags(const database::FilterTerm& term) const;
    template <class T>
    [[nodiscard]] Mask column(std::vector<T> database::RecordColumns::*member,
                              const database::FilterTerm& term, bool negativeIsNone) const;
    template <class Test> [[nodiscard]] Mask each(Test test) const;

    const RecordIndex& index_;
    const RecordIndexLoader* loader_;
    std::function<bool()> goOn_;
};

} // namespace tilewright::session
