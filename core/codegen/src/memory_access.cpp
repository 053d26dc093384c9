// SPDX-License-Identifier: Apache-2.0
#include "kernel_emitter.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace tilewright::codegen {

using namespace tilewright::ir;

namespace {

/// A number that divides the index whatever its variables are; 0 for the index 0 itself.
std::int64_t knownMultiple(const Expr& index) {
    if (const auto c = constInt(index))
        return std::abs(*c);
    if (const auto* cast = as<CastNode>(index))
        return knownMultiple(cast->value);
    if (const auto* ramp = as<RampNode>(index))
        return knownMultiple(ramp->base);
    const auto* node = as<BinaryNode>(index);
    if (!node)
        return 1;
    switch (node->kind()) {
    case NodeKind::Add:
    case NodeKind::Sub:
        return std::gcd(knownMultiple(node->a), knownMultiple(node->b));
    case NodeKind::Mul:
        return knownMultiple(node->a) * knownMultiple(node->b);
    default:
        return 1;
    }
}

/// Takes `base + constant` apart.
std::pair<Expr, std::int64_t> splitConstant(const Expr& index) {
    const auto* node = as<BinaryNode>(index);
    if (node && node->kind() == NodeKind::Add)
        if (const auto c = constInt(node->b))
            return {node->a, *c};
    if (const auto c = constInt(index))
        return {nullptr, *c};
    return {index, 0};
}

} // namespace

const BufferBinding& KernelEmitter::bindingOf(const BufferNode& buffer) const {
    const auto it = frame_.buffers.find(&buffer);
    if (it == frame_.buffers.end())
        unsupported(base::concat("buffer `", buffer.name, "` is used but nothing allocates it"));
    return it->second;
}

template <class Instruction>
Instruction* KernelEmitter::tagged(Instruction* access, const BufferBinding& buffer) {
    if (buffer.scope)
        pendingTags_.push_back({access, buffer.scope});
    return access;
}

llvm::Type* KernelEmitter::memoryType(DataType element, int lanes) const {
    llvm::Type* type = element.isBool() ? llvm::Type::getInt8Ty(context_) : typeOf(element);
    return lanes == 1 ? type : llvm::FixedVectorType::get(type, static_cast<unsigned>(lanes));
}

llvm::Value* KernelEmitter::fromMemory(Value* value, DataType type) {
    return type.isBool() ? b_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()))
                         : value;
}
llvm::Value* KernelEmitter::toMemory(Value* value, DataType type) {
    if (!type.isBool())
        return value;
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return b_.CreateZExt(value,
                         memoryType(type, vector ? static_cast<int>(vector->getNumElements()) : 1));
}

llvm::Value* KernelEmitter::addressOf(const BufferBinding& buffer, const Expr& at) {
    const auto [variable, constant] = splitConstant(at);
    llvm::Type* element = memoryType(buffer.element.element(), 1);
    Value* address = buffer.pointer;
    // The constant goes last: accesses of one tile then share all but a displacement.
    if (variable)
        address = b_.CreateInBoundsGEP(element, address, index(variable));
    if (constant != 0)
        address = b_.CreateInBoundsGEP(element, address,
                                       b_.getInt64(static_cast<std::uint64_t>(constant)));
    return address;
}

unsigned KernelEmitter::alignmentOf(const BufferBinding& buffer, const Expr& at) const {
    const std::int64_t element = std::max(1, buffer.element.elementBytes());
    const std::int64_t offset = knownMultiple(at) * element;
    if (offset == 0)
        return buffer.alignment;
    const std::int64_t lowBit = offset & -offset;
    return static_cast<unsigned>(std::min<std::int64_t>(lowBit, buffer.alignment));
}

llvm::Value* KernelEmitter::loadLinear(const BufferBinding& buffer, Value* address,
                                       unsigned alignment, int lanes, Value* mask) {
    llvm::Type* type = memoryType(buffer.element.element(), lanes);
    if (mask)
        return tagged(b_.CreateMaskedLoad(type, address, llvm::Align(alignment), mask,
                                          llvm::Constant::getNullValue(type)),
                      buffer);
    return tagged(b_.CreateAlignedLoad(type, address, llvm::Align(alignment)), buffer);
}

/// Strides 2 and -1 from whole vectors, other strides element by element.
llvm::Value* KernelEmitter::loadStrided(const BufferBinding& buffer, const RampNode& ramp,
                                        int lanes) {
    const std::int64_t stride = *constInt(ramp.stride);
    Value* first = addressOf(buffer, ramp.base);
    llvm::Type* element = memoryType(buffer.element.element(), 1);
    const auto elementAlign = static_cast<unsigned>(std::max(1, buffer.element.elementBytes()));
    const auto at = [&](std::int64_t offset) {
        return b_.CreateInBoundsGEP(element, first,
                                    b_.getInt64(static_cast<std::uint64_t>(offset)));
    };
    llvm::SmallVector<int, 16> pick;
    if (stride == -1) {
        Value* whole = loadLinear(buffer, at(1 - lanes), elementAlign, lanes, nullptr);
        for (int lane = 0; lane < lanes; ++lane)
            pick.push_back(lanes - 1 - lane);
        return b_.CreateShuffleVector(whole, pick);
    }
    if (stride == 2 && lanes >= 4) {
        // Elements 0, 2, …, 2 lanes - 2. The second vector ends at the last of them, so that
        // nothing beyond the buffer is read; its even elements sit at odd places.
        Value* low = loadLinear(buffer, first, alignmentOf(buffer, ramp.base), lanes, nullptr);
        Value* high = loadLinear(buffer, at(lanes - 1), elementAlign, lanes, nullptr);
        for (int lane = 0; lane < lanes; ++lane)
            pick.push_back(2 * lane < lanes ? 2 * lane : 2 * lane + 1);
        return b_.CreateShuffleVector(low, high, pick);
    }
    Value* result = llvm::PoisonValue::get(memoryType(buffer.element.element(), lanes));
    for (int lane = 0; lane < lanes; ++lane) {
        Value* one = loadLinear(buffer, at(lane * stride), elementAlign, 1, nullptr);
        result = b_.CreateInsertElement(result, one, static_cast<std::uint64_t>(lane));
    }
    return result;
}

llvm::Value* KernelEmitter::loadGathered(const BufferBinding& buffer, Value* at, int lanes,
                                         Value* mask) {
    llvm::Type* element = memoryType(buffer.element.element(), 1);
    llvm::Type* type = memoryType(buffer.element.element(), lanes);
    const auto alignment = static_cast<unsigned>(std::max(1, buffer.element.elementBytes()));
    if (mask) {
        Value* pointers = b_.CreateInBoundsGEP(element, buffer.pointer, at);
        return tagged(b_.CreateMaskedGather(type, pointers, llvm::Align(alignment), mask,
                                            llvm::Constant::getNullValue(type)),
                      buffer);
    }
    Value* result = llvm::PoisonValue::get(type);
    for (int lane = 0; lane < lanes; ++lane) {
        const auto number = static_cast<std::uint64_t>(lane);
        Value* address =
            b_.CreateInBoundsGEP(element, buffer.pointer, b_.CreateExtractElement(at, number));
        result = b_.CreateInsertElement(result, loadLinear(buffer, address, alignment, 1, nullptr),
                                        number);
    }
    return result;
}

llvm::Value* KernelEmitter::load(const BufferLoadNode& node) {
    const BufferBinding& buffer = bindingOf(*node.buffer);
    if (buffer.isRegister)
        return fromMemory(b_.CreateLoad(memoryType(buffer.element.element(), buffer.element.lanes),
                                        buffer.pointer),
                          buffer.element);
    TW_CHECK(node.indices.size() == 1) << "buffers are one-dimensional here";
    const Expr& at = node.indices[0];
    const int lanes = at->dtype.lanes;
    Value* mask = node.predicate ? value(node.predicate) : nullptr;
    Value* result = nullptr;
    const auto* ramp = as<RampNode>(at);
    const auto stride = ramp ? constInt(ramp->stride) : std::nullopt;
    if (lanes == 1)
        result = loadLinear(buffer, addressOf(buffer, at), alignmentOf(buffer, at), 1, nullptr);
    else if (stride == 1)
        result =
            loadLinear(buffer, addressOf(buffer, ramp->base), alignmentOf(buffer, at), lanes, mask);
    else if (stride && !mask)
        result = loadStrided(buffer, *ramp, lanes);
    else
        result = loadGathered(buffer, index(at), lanes, mask);
    return fromMemory(result, buffer.element);
}

/// `if_then_else(inside, X[i], 0)`, the form of padding: loads from X or from a constant, by
/// address, so that the loop around it keeps its shape. Null for other forms.
llvm::Value* KernelEmitter::loadOrConstant(const CallNode& node, Value* condition) {
    const auto* inside = as<BufferLoadNode>(node.args[1]);
    if (!inside || inside->predicate || inside->indices.size() != 1)
        return nullptr;
    const Expr& at = inside->indices[0];
    const auto* ramp = as<RampNode>(at);
    const auto* splat = as<BroadcastNode>(node.args[2]);
    const Expr other = splat ? splat->value : node.args[2];
    const bool isConstant = as<FloatImmNode>(other) || as<IntImmNode>(other);
    const BufferBinding& buffer = bindingOf(*inside->buffer);
    if (!isConstant || buffer.isRegister || (at->dtype.lanes > 1 && !(ramp && isOne(ramp->stride))))
        return nullptr;
    bool plain = true; // an index that loads must not be computed outside the condition
    walk(at, [&](const Node& n) {
        plain = plain && n.kind() != NodeKind::BufferLoad && n.kind() != NodeKind::Call;
        return plain;
    });
    if (!plain)
        return nullptr;
    const int lanes = at->dtype.lanes;
    llvm::Type* type = memoryType(buffer.element.element(), lanes);
    auto* filler = llvm::dyn_cast<llvm::Constant>(toMemory(value(node.args[2]), buffer.element));
    if (!filler)
        return nullptr;
    auto* global = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                            filler, "filler");
    global->setAlignment(llvm::Align(64));
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    // Plain arithmetic: outside the condition the address is not one of the buffer's.
    llvm::Type* element = memoryType(buffer.element.element(), 1);
    Value* address = b_.CreateGEP(element, buffer.pointer, index(ramp ? ramp->base : at));
    address = b_.CreateSelect(condition, address, global);
    // Not tagged: it may be the constant's address.
    Value* result = b_.CreateAlignedLoad(type, address, llvm::Align(alignmentOf(buffer, at)));
    return fromMemory(result, buffer.element);
}

void KernelEmitter::storeLinear(const BufferBinding& buffer, Value* value, Value* address,
                                unsigned alignment, int lanes, Value* mask) {
    (void)lanes;
    if (mask)
        tagged(b_.CreateMaskedStore(value, address, llvm::Align(alignment), mask), buffer);
    else
        tagged(b_.CreateAlignedStore(value, address, llvm::Align(alignment)), buffer);
}

void KernelEmitter::storeScattered(const BufferBinding& buffer, Value* value, Value* at, int lanes,
                                   Value* mask) {
    llvm::Type* element = memoryType(buffer.element.element(), 1);
    const auto alignment = static_cast<unsigned>(std::max(1, buffer.element.elementBytes()));
    if (mask) {
        Value* pointers = b_.CreateInBoundsGEP(element, buffer.pointer, at);
        tagged(b_.CreateMaskedScatter(value, pointers, llvm::Align(alignment), mask), buffer);
        return;
    }
    for (int lane = 0; lane < lanes; ++lane) {
        const auto number = static_cast<std::uint64_t>(lane);
        Value* address =
            b_.CreateInBoundsGEP(element, buffer.pointer, b_.CreateExtractElement(at, number));
        storeLinear(buffer, b_.CreateExtractElement(value, number), address, alignment, 1, nullptr);
    }
}

void KernelEmitter::store(const BufferStoreNode& node) {
    Value* stored = value(node.value);
    const BufferBinding& buffer = bindingOf(*node.buffer);
    stored = toMemory(stored, buffer.element);
    if (buffer.isRegister) {
        b_.CreateStore(stored, buffer.pointer);
        return;
    }
    TW_CHECK(node.indices.size() == 1) << "buffers are one-dimensional here";
    const Expr& at = node.indices[0];
    const int lanes = at->dtype.lanes;
    Value* mask = node.predicate ? value(node.predicate) : nullptr;
    const auto* ramp = as<RampNode>(at);
    if (lanes == 1 || (ramp && isOne(ramp->stride)))
        storeLinear(buffer, stored, addressOf(buffer, ramp ? ramp->base : at),
                    alignmentOf(buffer, at), lanes, mask);
    else
        storeScattered(buffer, stored, index(at), lanes, mask);
}

} // namespace tilewright::codegen
