// SPDX-License-Identifier: Apache-2.0
#include "store_nest.h"

#include <algorithm>

namespace tilewright::cost {

namespace {

/// The part of one dimension that is used: base + [reach], where the base stands still while the
/// allocation lives.
struct UsedRange {
    bool seen = false;
    bool whole = false;
    IndexForm base;
    Interval reach{0, 0};
};

class Compactor {
public:
    explicit Compactor(StoreNest& nest) : nest_(nest) {}

    void run() {
        for (std::size_t b = 0; b < nest_.buffers.size(); ++b)
            if (nest_.buffers[b].allocated && nest_.buffers[b].used)
                compact(static_cast<int>(b));
    }

private:
    void compact(int id) {
        NestBuffer& buffer = nest_.buffers[static_cast<std::size_t>(id)];
        const int depth =
            buffer.loop < 0 ? 0 : nest_.loops[static_cast<std::size_t>(buffer.loop)].depth + 1;
        inner_ = depth >= 64 ? 0 : ~std::uint64_t{0} << depth;
        used_.assign(buffer.shape.size(), {});
        for (const NestAccess& access : nest_.accesses)
            if (access.buffer == id)
                for (std::uint32_t d = 0; d < access.rank && d < used_.size(); ++d)
                    include(used_[d], nest_.indices[access.firstIndex + d]);
        bool smaller = false;
        for (std::size_t d = 0; d < used_.size(); ++d) {
            UsedRange& used = used_[d];
            const std::int64_t need = used.reach.hi - used.reach.lo + 1;
            if (!used.seen || need >= buffer.shape[d])
                used.whole = true;
            if (used.whole)
                continue;
            buffer.shape[d] = need;
            smaller = true;
        }
        if (!smaller)
            return;
        for (const NestAccess& access : nest_.accesses)
            if (access.buffer == id)
                for (std::uint32_t d = 0; d < access.rank && d < used_.size(); ++d)
                    shift(nest_.indices[access.firstIndex + d], used_[d]);
    }

    void include(UsedRange& used, const IndexForm& index) {
        if (used.whole)
            return;
        IndexForm moving = nest_.forms.filtered(
            index, [this](const IndexAtom& atom) { return (atom.loops & inner_) != 0; });
        moving.constant = index.constant;
        const IndexForm base = nest_.forms.filtered(
            index, [this](const IndexAtom& atom) { return (atom.loops & inner_) == 0; });
        const Interval reach = nest_.forms.bounds(moving);
        if (!reach.bounded() || (used.seen && !nest_.forms.equalTerms(used.base, base))) {
            used.whole = true;
            return;
        }
        if (!used.seen) {
            used = {true, false, base, reach};
            return;
        }
        used.reach.lo = std::min(used.reach.lo, reach.lo);
        used.reach.hi = std::max(used.reach.hi, reach.hi);
    }

    void shift(IndexForm& index, const UsedRange& used) {
        if (used.whole)
            return;
        index = nest_.forms.add(index, used.base, -1);
        index.constant -= used.reach.lo;
    }

    StoreNest& nest_;
    std::vector<UsedRange> used_;
    std::uint64_t inner_ = 0; ///< loops inside the allocation
};

} // namespace

void compactAllocations(StoreNest& nest) {
    Compactor(nest).run();
}

} // namespace tilewright::cost
