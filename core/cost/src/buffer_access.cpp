// SPDX-License-Identifier: Apache-2.0
#include "buffer_access.h"

#include "index_bound.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilewright::cost {

using namespace ir;

namespace {

/// Coefficient of a variable in an index by MetaSchedule's rule: operators are met children first,
/// and the first addition or constant multiplication met after the variable decides.
class CoefficientFinder final : public Visitor {
public:
    explicit CoefficientFinder(const VarNode* var) : var_(var) {}
    [[nodiscard]] std::int64_t result() const {
        if (!found_)
            return 0;
        return multiplied_ || added_ ? stride_ : 1;
    }

protected:
    void visitNode(const VarNode& node) override {
        if (&node == var_) {
            found_ = true;
            stride_ = 2; // the rule's own fallback
        }
    }
    void visitNode(const BinaryNode& node) override {
        Visitor::visitNode(node);
        if (!found_)
            return;
        if (node.kind() == NodeKind::Mul && !added_) {
            if (const auto c = immediate(node.a)) {
                multiplied_ = true;
                stride_ = *c;
            } else if (const auto d = immediate(node.b)) {
                multiplied_ = true;
                stride_ = *d;
            }
        } else if (node.kind() == NodeKind::Add && !multiplied_) {
            added_ = true;
            stride_ = 1;
        }
    }

private:
    static std::optional<std::int64_t> immediate(const Expr& e) {
        return e->kind() == NodeKind::IntImm ? constInt(e) : std::nullopt;
    }
    const VarNode* var_;
    std::int64_t stride_ = 0;
    bool found_ = false;
    bool multiplied_ = false;
    bool added_ = false;
};

/// Bytes of one element; a vector type counts whole.
int bytesOf(const BufferNode& buffer) {
    return buffer.dtype.elementBytes() * buffer.dtype.lanes;
}

BufferAccess* findAccess(std::vector<BufferAccess>& accesses, const BufferNode* buffer) {
    for (BufferAccess& access : accesses)
        if (access.buffer == buffer)
            return &access;
    return nullptr;
}

std::vector<BufferAccess> collectAccesses(const FlatStore& store) {
    std::vector<BufferAccess> accesses;
    BufferAccess& written = accesses.emplace_back();
    written.buffer = store.buffer.get();
    written.type = AccessType::Write;
    written.indexSets.push_back(&store.indices);
    walk(store.value, [&](const Node& node) {
        if (node.kind() != NodeKind::BufferLoad)
            return true;
        const auto& load = static_cast<const BufferLoadNode&>(node);
        BufferAccess* access = findAccess(accesses, load.buffer.get());
        if (!access) {
            access = &accesses.emplace_back();
            access->buffer = load.buffer.get();
        }
        if (access->type == AccessType::Read)
            access->indexSets.push_back(&load.indices);
        else
            access->type = AccessType::ReadWrite;
        return true;
    });
    return accesses;
}

/// Extents of the box around all index sets; returns its elements.
std::int64_t boxOf(BufferAccess& access, const IndexBounds& bounds) {
    const std::size_t rank = access.indexSets[0]->size();
    access.region.assign(rank, 0);
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < rank; ++d) {
        std::int64_t low = std::numeric_limits<std::int64_t>::max();
        std::int64_t high = -low;
        for (const auto* indices : access.indexSets) {
            const IndexBound bound = bounds.of((*indices)[d]);
            low = std::min(low, bound.min);
            high = std::max(high, bound.max);
        }
        // Unbounded indices wrap like 64-bit arithmetic; they do not occur in static kernels.
        access.region[d] = static_cast<std::int64_t>(static_cast<std::uint64_t>(high) -
                                                     static_cast<std::uint64_t>(low) + 1);
        elements = static_cast<std::int64_t>(static_cast<std::uint64_t>(elements) *
                                             static_cast<std::uint64_t>(access.region[d]));
    }
    return std::max<std::int64_t>(0, elements);
}

TouchedBuffer& touchedEntry(std::vector<TouchedBuffer>& buffers, const BufferNode* buffer) {
    for (TouchedBuffer& entry : buffers)
        if (entry.buffer == buffer)
            return entry;
    return buffers.emplace_back(TouchedBuffer{buffer, {}});
}

void setRegions(std::vector<BufferAccess>& accesses, const LoopNest& nest,
                TouchedByLoop& touchedByLoop, std::vector<std::int64_t>& bytesPerLoop) {
    const std::size_t n = nest.loops.size();
    bytesPerLoop.assign(n, 0);
    for (BufferAccess& access : accesses) {
        access.touched.assign(n, 0);
        if (n == 0)
            access.region.assign(access.buffer->shape.size(), 1);
    }
    IndexBounds bounds(nest);
    for (std::size_t i = n; i-- > 0;) {
        const ForNode* loop = nest.loops[i].node;
        bounds.runFrom(i);
        auto& touched = touchedByLoop[loop];
        for (BufferAccess& access : accesses) {
            const std::int64_t elements = boxOf(access, bounds);
            access.touched[i] = elements;
            bytesPerLoop[i] += elements * bytesOf(*access.buffer);
            touchedEntry(touched, access.buffer).elements.push_back(elements);
        }
    }
}

std::int64_t strideOf(const BufferAccess& access, const std::vector<std::int64_t>& bufferStride,
                      const VarNode* var) {
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::int64_t result = kNone;
    for (const auto* indices : access.indexSets)
        for (std::size_t d = indices->size(); d-- > 0;) {
            CoefficientFinder finder(var);
            finder.visit((*indices)[d]);
            if (const std::int64_t coefficient = finder.result(); coefficient != 0) {
                result = std::min(result, std::abs(coefficient) * bufferStride[d]);
                break;
            }
        }
    return result == kNone ? 0 : result;
}

void setStrides(BufferAccess& access, const LoopNest& nest, arith::Analyzer& analyzer) {
    const std::vector<std::int64_t> shape = shapeOf(*access.buffer, analyzer);
    std::vector<std::int64_t> stride(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        stride[d - 1] = stride[d] * shape[d];
    for (std::size_t d = shape.size(); d-- > 0;)
        if (access.region[d] == shape[d]) {
            access.continuousBytes = shape[d] * bytesOf(*access.buffer);
            break;
        }
    const std::size_t n = nest.loops.size();
    std::size_t inner = 0; // loops inside the innermost one with a stride
    for (; inner < n; ++inner) {
        access.minStride = strideOf(access, stride, nest.loops[n - 1 - inner].node->loopVar.get());
        if (access.minStride != 0)
            break;
    }
    access.innermostStride = inner == 0 && n > 0 ? access.minStride : 0;
    for (std::size_t i = 0; i < inner; ++i)
        access.nonStridedProduct *= nest.loops[n - 1 - i].extent;
}

double sumBytes(const std::vector<TouchedBuffer>& buffers) {
    double bytes = 0;
    for (const TouchedBuffer& entry : buffers)
        bytes += static_cast<double>(
            std::accumulate(entry.elements.begin(), entry.elements.end(), std::int64_t{0}) *
            bytesOf(*entry.buffer));
    return bytes;
}

void setReuse(BufferAccess& access, const LoopNest& nest, double innermostBytes,
              const TouchedByLoop& touchedByLoop) {
    const auto mentions = [&](const VarNode* var) {
        for (const auto* indices : access.indexSets)
            for (const Expr& index : *indices)
                if (usesVar(index, var))
                    return true;
        return false;
    };
    const std::size_t n = nest.loops.size();
    for (std::size_t i = n; i-- > 0;) {
        const LoopNest::Loop& loop = nest.loops[i];
        if (!mentions(loop.node->loopVar.get())) {
            access.reuse = ReuseType::LoopMultipleRead;
            access.reuseCount = static_cast<double>(loop.extent);
            access.reuseDistanceIterations = 1;
            for (std::size_t j = i + 1; j < n; ++j)
                access.reuseDistanceIterations *= static_cast<double>(nest.loops[j].extent);
            access.reuseDistanceBytes =
                i + 1 == n ? innermostBytes : sumBytes(touchedByLoop.at(nest.loops[i + 1].node));
            return;
        }
        const auto& buffers = touchedByLoop.at(loop.node);
        const auto entry = std::find_if(buffers.begin(), buffers.end(),
                                        [&](const auto& t) { return t.buffer == access.buffer; });
        if (entry != buffers.end() && entry->elements.size() >= 2) {
            const auto extent = static_cast<double>(loop.extent);
            access.reuse = ReuseType::SerialMultipleReadWrite;
            access.reuseCount = static_cast<double>(entry->elements.size() - 1);
            access.reuseDistanceIterations = static_cast<double>(*std::min_element(
                                                 entry->elements.begin(), entry->elements.end())) /
                                             extent;
            access.reuseDistanceBytes = sumBytes(buffers) / extent;
            return;
        }
    }
}

void setVolumes(BufferAccess& access, const LoopNest& nest, int cacheLineBytes) {
    const auto elementBytes = static_cast<double>(bytesOf(*access.buffer));
    const auto lineBytes = static_cast<double>(cacheLineBytes);
    access.bytes = elementBytes * static_cast<double>(nest.product);
    if (nest.loops.empty()) {
        access.uniqueBytes = access.lines = access.uniqueLines = 1;
        return;
    }
    access.uniqueBytes = static_cast<double>(access.touched[0]) * elementBytes;
    const double step = static_cast<double>(access.minStride) * elementBytes / lineBytes;
    access.lines =
        std::max(1.0, static_cast<double>(nest.product) /
                          static_cast<double>(access.nonStridedProduct) * std::min(1.0, step));
    access.uniqueLines = std::max(
        1.0, access.uniqueBytes / std::min(lineBytes, static_cast<double>(access.continuousBytes)));
}

} // namespace

std::vector<std::int64_t> shapeOf(const BufferNode& buffer, arith::Analyzer& analyzer) {
    std::vector<std::int64_t> shape;
    shape.reserve(buffer.shape.size());
    for (const Expr& extent : buffer.shape) {
        if (const auto value = constInt(extent)) {
            shape.push_back(*value);
            continue;
        }
        const std::int64_t bound = analyzer.constIntBound(extent).max;
        shape.push_back(bound >= arith::ConstIntBound::kPosInf ? 1 : bound);
    }
    return shape;
}

std::vector<BufferAccess> analyzeAccesses(const FlatStore& store, const LoopNest& nest,
                                          int cacheLineBytes, TouchedByLoop& touchedByLoop,
                                          std::vector<std::int64_t>& bytesPerLoop,
                                          arith::Analyzer& analyzer) {
    std::vector<BufferAccess> accesses = collectAccesses(store);
    setRegions(accesses, nest, touchedByLoop, bytesPerLoop);
    double innermostBytes = 0;
    for (BufferAccess& access : accesses) {
        setStrides(access, nest, analyzer);
        innermostBytes += bytesOf(*access.buffer);
    }
    for (BufferAccess& access : accesses) {
        setReuse(access, nest, innermostBytes, touchedByLoop);
        setVolumes(access, nest, cacheLineBytes);
    }
    std::sort(accesses.begin(), accesses.end(), [](const auto& a, const auto& b) {
        if (a.lines != b.lines)
            return a.lines > b.lines;
        if (a.bytes != b.bytes)
            return a.bytes > b.bytes;
        return a.buffer->name < b.buffer->name;
    });
    return accesses;
}

void BufferAccess::write(float* columns) const {
    const auto put = [&](double value) { *columns++ = static_cast<float>(value); };
    for (const AccessType kind : {AccessType::Read, AccessType::Write, AccessType::ReadWrite})
        put(type == kind ? 1 : 0);
    put(slog(bytes));
    put(slog(uniqueBytes));
    put(slog(lines));
    put(slog(uniqueLines));
    for (const ReuseType kind :
         {ReuseType::LoopMultipleRead, ReuseType::SerialMultipleReadWrite, ReuseType::NoReuse})
        put(reuse == kind ? 1 : 0);
    put(slog(reuseDistanceIterations));
    put(slog(reuseDistanceBytes));
    put(slog(reuseCount));
    const double divisor = reuseCount > 0 ? reuseCount : 0.5;
    for (const double volume : {bytes, uniqueBytes, lines, uniqueLines})
        put(slog(volume / divisor));
    put(slog(static_cast<double>(innermostStride)));
}

} // namespace tilewright::cost
