// SPDX-License-Identifier: Apache-2.0
// Buffers: their memory, their views, loads' and stores' addresses.
#include "compiler.h"
#include "scalar_type.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::interp {

using ir::as;

namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 36;

[[noreturn]] void outOfBounds(const std::string& name, std::size_t dimension, std::int64_t index,
                              std::int64_t extent) {
    throw base::UserError("out-of-bounds",
                          base::concat("index ", index, " of dimension ", dimension, " of buffer ",
                                       name, " is outside of 0 … ", extent - 1));
}

struct IndexCode {
    std::shared_ptr<IntCode> code;
    bool isVector;
};

/// Offset of an element in its memory; checks every index.
std::int64_t offsetOf(const View& view, const IndexCode* indices, std::size_t rank, Frame& frame,
                      int lane, const std::string& name) {
    std::int64_t offset = view.offset;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t index = indices[i].code->eval(frame, indices[i].isVector ? lane : 0);
        // The further lanes of a vector may run on into the next row, as they do on hardware: for
        // them the memory is the bound.
        const bool isChecked = lane == 0 || !indices[i].isVector;
        if (isChecked &&
            static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(view.shape[i]))
            outOfBounds(name, i, index, view.shape[i]);
        offset += index * view.strides[i];
    }
    if (static_cast<std::uint64_t>(offset) >= static_cast<std::uint64_t>(view.elements))
        throw base::UserError("out-of-bounds",
                              base::concat("element ", offset, " of buffer ", name,
                                           " is outside of its memory of ", view.elements));
    return offset;
}

/// Row-major strides over the view's extents; returns the number of elements they span.
std::int64_t makeCompact(View& view, std::size_t rank) {
    std::int64_t elements = 1;
    for (std::size_t i = rank; i-- > 0;) {
        view.strides[i] = elements;
        elements *= std::max<std::int64_t>(view.shape[i], 0);
        if (elements > kMaxBytes)
            throw base::UserError("interpreter-limit", "a buffer is too large");
    }
    return elements;
}

} // namespace

int Compiler::bufferSlot(const ir::BufferNode* buffer) const {
    const auto it = bufferSlots_.find(buffer);
    if (it == bufferSlots_.end())
        unsupported(base::concat("the buffer ", buffer->name, " has no memory"));
    return it->second;
}

int Compiler::defineBuffer(const ir::BufferNode* buffer) {
    if (buffer->shape.size() > kMaxRank)
        unsupported(
            base::concat("the buffer ", buffer->name, " has more than ", kMaxRank, " dimensions"));
    bytesOf(buffer->dtype.element());
    const auto [it, isNew] = bufferSlots_.try_emplace(buffer, buffers_);
    if (isNew)
        ++buffers_;
    return it->second;
}

std::function<std::uint8_t*(Frame&, int)> Compiler::address(const ir::Buffer& buffer,
                                                            const std::vector<ir::Expr>& indices) {
    const auto slot = static_cast<std::size_t>(bufferSlot(buffer.get()));
    if (indices.size() != buffer->shape.size())
        unsupported(base::concat("buffer ", buffer->name, " is accessed with ", indices.size(),
                                 " indices"));
    std::vector<IndexCode> codes;
    for (const ir::Expr& index : indices)
        codes.push_back({ints(index), !index->dtype.isScalar()});
    const std::int64_t width = bytesOf(buffer->dtype.element());
    const int lanes = std::max<int>(1, buffer->dtype.lanes);
    std::string name = buffer->name;
    if (lanes == 1)
        return [slot, codes = std::move(codes), width, name](Frame& f, int lane) {
            const View& view = f.views[slot];
            return view.data + offsetOf(view, codes.data(), codes.size(), f, lane, name) * width;
        };
    return [slot, codes = std::move(codes), width, lanes, name](Frame& f, int lane) {
        const View& view = f.views[slot];
        const std::int64_t element =
            offsetOf(view, codes.data(), codes.size(), f, lane / lanes, name);
        return view.data + (element * lanes + lane % lanes) * width;
    };
}

/// Defines a variable from a value that is known at run time, where it has none yet.
Compiler::Prepare Compiler::bindOrCheck(const ir::Expr& expr,
                                        std::function<std::int64_t(const Frame&)> value) {
    const auto* var = as<ir::VarNode>(expr);
    if (!var || isDefined(var))
        return [](Frame&) {};
    const auto slot = static_cast<std::size_t>(defineVar(var));
    return [slot, value = std::move(value)](Frame& f) { f.ints[slot] = value(f); };
}

/// Fresh memory, filled with a pattern that is no sensible value.
Compiler::Prepare Compiler::allocation(const ir::Buffer& buffer) {
    const auto slot = static_cast<std::size_t>(defineBuffer(buffer.get()));
    const auto memory = static_cast<std::size_t>(memorySlot());
    std::vector<Prepare> definitions;
    std::vector<std::shared_ptr<IntCode>> shape;
    std::vector<std::shared_ptr<IntCode>> strides;
    for (const ir::Expr& extent : buffer->shape)
        shape.push_back(ints(extent));
    const bool hasStrides = buffer->strides.size() == buffer->shape.size();
    if (hasStrides) {
        for (std::size_t i = 0; i < buffer->strides.size(); ++i) {
            definitions.push_back(bindOrCheck(buffer->strides[i], [slot, i](const Frame& f) {
                return f.views[slot].strides[i];
            }));
            strides.push_back(ints(buffer->strides[i]));
        }
    }
    std::shared_ptr<IntCode> offset;
    if (buffer->elemOffset) {
        definitions.push_back(bindOrCheck(buffer->elemOffset, [](const Frame&) { return 0; }));
        offset = ints(buffer->elemOffset);
    }
    const std::int64_t width =
        bytesOf(buffer->dtype.element()) * std::max<int>(1, buffer->dtype.lanes);
    return [=](Frame& f) {
        View& view = f.views[slot];
        for (std::size_t i = 0; i < shape.size(); ++i)
            view.shape[i] = shape[i]->eval(f, 0);
        std::int64_t elements = makeCompact(view, shape.size());
        for (const Prepare& define : definitions)
            define(f);
        if (hasStrides && elements > 0) {
            elements = 1;
            for (std::size_t i = 0; i < strides.size(); ++i) {
                view.strides[i] = strides[i]->eval(f, 0);
                elements += (view.shape[i] - 1) * view.strides[i];
            }
        }
        view.offset = offset ? offset->eval(f, 0) : 0;
        view.elements = elements + view.offset;
        if (view.elements < 0 || view.elements > kMaxBytes / width)
            throw base::UserError("interpreter-limit", "a buffer is too large");
        auto& words = f.memory[memory];
        words.assign(static_cast<std::size_t>(view.elements * width + 7) / 8,
                     0xfff7fff7fff7fff7ULL);
        view.data = reinterpret_cast<std::uint8_t*>(words.data());
    };
}

/// A buffer over the memory of another.
Compiler::Prepare Compiler::alias(const ir::Buffer& buffer, const ir::Expr& data) {
    if (!data)
        return allocation(buffer);
    const ir::BufferNode* owner = nullptr;
    if (const auto* call = as<ir::CallNode>(data); call && call->op == ir::Op::BufferData)
        owner = as<ir::RegionAccessNode>(call->args.at(0))->buffer.get();
    else if (const auto* var = as<ir::VarNode>(data); var && pointers_.contains(var))
        owner = pointers_.at(var);
    if (!owner)
        unsupported(base::concat("the memory of buffer ", buffer->name, " is not known"));
    const auto source = static_cast<std::size_t>(bufferSlot(owner));
    const auto slot = static_cast<std::size_t>(defineBuffer(buffer.get()));
    std::vector<std::shared_ptr<IntCode>> shape;
    std::vector<std::shared_ptr<IntCode>> strides;
    std::vector<Prepare> definitions;
    for (const ir::Expr& extent : buffer->shape)
        shape.push_back(ints(extent));
    for (std::size_t i = 0; i < buffer->strides.size(); ++i) {
        definitions.push_back(bindOrCheck(
            buffer->strides[i], [slot, i](const Frame& f) { return f.views[slot].strides[i]; }));
        strides.push_back(ints(buffer->strides[i]));
    }
    std::shared_ptr<IntCode> offset;
    if (buffer->elemOffset) {
        definitions.push_back(bindOrCheck(buffer->elemOffset, [](const Frame&) { return 0; }));
        offset = ints(buffer->elemOffset);
    }
    const std::int64_t ownerWidth =
        bytesOf(owner->dtype.element()) * std::max<int>(1, owner->dtype.lanes);
    const std::int64_t width =
        bytesOf(buffer->dtype.element()) * std::max<int>(1, buffer->dtype.lanes);
    return [=](Frame& f) {
        View& view = f.views[slot];
        view.data = f.views[source].data;
        view.elements = f.views[source].elements * ownerWidth / width;
        for (std::size_t i = 0; i < shape.size(); ++i)
            view.shape[i] = shape[i]->eval(f, 0);
        makeCompact(view, shape.size());
        for (const Prepare& define : definitions)
            define(f);
        for (std::size_t i = 0; i < strides.size() && i < shape.size(); ++i)
            view.strides[i] = strides[i]->eval(f, 0);
        view.offset = offset ? offset->eval(f, 0) : 0;
    };
}

/// A window into a region of another buffer; its trailing dimensions are the region's.
Compiler::Prepare Compiler::match(const ir::MatchBufferRegion& match) {
    const ir::Buffer& buffer = match.buffer;
    const auto source = static_cast<std::size_t>(bufferSlot(match.source.buffer.get()));
    const std::size_t sourceRank = match.source.region.size();
    const std::size_t rank = buffer->shape.size();
    if (rank > sourceRank)
        unsupported(base::concat("buffer ", buffer->name, " has more dimensions than its source"));
    const auto slot = static_cast<std::size_t>(defineBuffer(buffer.get()));
    std::vector<std::shared_ptr<IntCode>> starts;
    std::vector<std::shared_ptr<IntCode>> extents;
    for (const ir::Range& range : match.source.region) {
        starts.push_back(ints(range.min));
        extents.push_back(ints(range.extent));
    }
    std::vector<Prepare> definitions;
    for (std::size_t i = 0; i < rank; ++i) {
        definitions.push_back(bindOrCheck(
            buffer->shape[i], [slot, i](const Frame& f) { return f.views[slot].shape[i]; }));
        if (i < buffer->strides.size())
            definitions.push_back(bindOrCheck(buffer->strides[i], [slot, i](const Frame& f) {
                return f.views[slot].strides[i];
            }));
    }
    if (buffer->elemOffset)
        definitions.push_back(bindOrCheck(buffer->elemOffset,
                                          [slot](const Frame& f) { return f.views[slot].offset; }));
    return [=](Frame& f) {
        View view = f.views[source];
        const std::size_t skipped = sourceRank - rank;
        const View& from = f.views[source];
        for (std::size_t i = 0; i < sourceRank; ++i)
            view.offset += starts[i]->eval(f, 0) * from.strides[i];
        for (std::size_t i = 0; i < rank; ++i) {
            view.shape[i] = extents[skipped + i]->eval(f, 0);
            view.strides[i] = from.strides[skipped + i];
        }
        f.views[slot] = view;
        for (const Prepare& define : definitions)
            define(f);
    };
}

StmtPtr Compiler::store(const ir::BufferStoreNode& node) {
    const ir::DataType type = node.buffer->dtype.element();
    auto place = address(node.buffer, node.indices);
    const int lanes = std::max<int>(1, node.value->dtype.lanes);
    std::shared_ptr<IntCode> predicate;
    if (node.predicate)
        predicate = ints(node.predicate);
    if (type.isFloating()) {
        RealPtr value = reals(node.value);
        if (lanes == 1 && !predicate)
            return stmtCode([place = std::move(place), value = std::move(value), type](Frame& f) {
                const double result = value->eval(f, 0);
                storeReal(type, place(f, 0), result);
                return Flow::Next;
            });
        return stmtCode(
            [place = std::move(place), value = std::move(value), type, lanes, predicate](Frame& f) {
                std::vector<double> results(static_cast<std::size_t>(lanes));
                for (int lane = 0; lane < lanes; ++lane)
                    results[static_cast<std::size_t>(lane)] = value->eval(f, lane);
                for (int lane = 0; lane < lanes; ++lane) {
                    if (!predicate || predicate->eval(f, lane) != 0)
                        storeReal(type, place(f, lane), results[static_cast<std::size_t>(lane)]);
                }
                return Flow::Next;
            });
    }
    IntPtr value = ints(node.value);
    if (lanes == 1 && !predicate)
        return stmtCode([place = std::move(place), value = std::move(value), type](Frame& f) {
            const std::int64_t result = value->eval(f, 0);
            storeInt(type, place(f, 0), result);
            return Flow::Next;
        });
    return stmtCode(
        [place = std::move(place), value = std::move(value), type, lanes, predicate](Frame& f) {
            std::vector<std::int64_t> results(static_cast<std::size_t>(lanes));
            for (int lane = 0; lane < lanes; ++lane)
                results[static_cast<std::size_t>(lane)] = value->eval(f, lane);
            for (int lane = 0; lane < lanes; ++lane) {
                if (!predicate || predicate->eval(f, lane) != 0)
                    storeInt(type, place(f, lane), results[static_cast<std::size_t>(lane)]);
            }
            return Flow::Next;
        });
}

} // namespace tilewright::interp
