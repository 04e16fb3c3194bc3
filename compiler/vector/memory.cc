// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads and stores by how the lanes' addresses lie.

#include "norm/internals.h"
#include "vector/groups.h"
#include "vector/tables.h"
#include "vector/transpose.h"
#include "vector/wide.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

/** Wider groups are gathered: most of what is loaded would not be used. */
static constexpr unsigned maxGroup = 8;

/**
 * Lanes whose addresses follow each other at a distance of so many elements, upwards or downwards:
 * the elements of all lanes and what lies between are one wide access, of which a mask picks. 0:
 * otherwise.
 */
unsigned Widener::groupSize(const LaneAccess &access, int64_t stride) const {
    const unsigned parts = partCount(access.value()->getType());
    int64_t size = static_cast<int64_t>(
        layout.getTypeStoreSize(access.value()->getType()->getScalarType()).getFixedValue());
    if (stride % size)
        return 0;
    const uint64_t groups = AbsoluteValue(stride) / static_cast<uint64_t>(size);
    if (groups < parts || groups > maxGroup)
        return 0;
    bool exact = groups == parts;
    if (parts > 1 && groups > parts + 1)
        return 0; /* members of larger structures */
    if (access.isStore && !exact && (!hasMasks || groups > 2 * parts))
        return 0;
    if (!access.isStore && !exact && (!hasMasks || groups > 4 * parts))
        return 0;
    return static_cast<unsigned>(groups);
}

/** Members that lie side by side, and so do lanes, probably. */
bool Widener::isGuessedGroup(const LaneAccess &access) const {
    const Shape shape = shapes.of(*access.pointer());
    return shape.varies && shape.guess && partCount(access.value()->getType()) > 1 &&
           groupSize(access, *shape.guess);
}

/** What is accessed at once, `groups` elements from lane to lane. The first lane may be off, then
 * only the other lanes' places say how it is aligned. */
LaneGroups Widener::groupsOf(const LaneAccess &access, unsigned groups) const {
    Type *type = access.value()->getType();
    const int64_t stride = shapes.of(*access.pointer()).stride;
    return {width,
            partCount(type),
            groups,
            stride < 0,
            type->getScalarType(),
            commonAlignment(access.align(), static_cast<uint64_t>(stride)),
            hasMasks};
}

Widener::Parts Widener::loadGroups(const LaneAccess &access, unsigned groups) {
    return groupsOf(access, groups).load(builder, access.pointer(), wideScalar(access.mask()));
}

void Widener::storeGroups(const LaneAccess &access, unsigned groups) {
    const LaneGroups all = groupsOf(access, groups);
    all.store(builder, wide(access.value()), access.pointer(), wideScalar(access.mask()));
}

/** True if all lanes' elements are in the variable whoever is on: the place of lane 0's is
 * constant. */
static bool isInVariable(Value &pointer, const AllocaInst &variable, uint64_t bytes,
                         const DataLayout &layout) {
    auto isLane = [](Value &value, APInt &offset) {
        auto *product = dyn_cast<MulOperator>(&value);
        auto *id = dyn_cast<CallInst>(product ? product->getOperand(0) : &value);
        offset = 0;
        return id && internalOf(*id) == Internal::LaneId;
    };
    APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    const Value *base = pointer.stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true, /*AllowInvariantGroup=*/false, isLane);
    const uint64_t size = variable.getAllocationSize(layout)->getFixedValue();
    return base == &variable && offset.ule(size) && size - offset.getZExtValue() >= bytes;
}

/**
 * An element of a private variable that has all lanes' side by side: nobody else's memory, so that
 * there is no need of masks. A load behind a store under a mask waits until all that comes before
 * them is done, and LLVM makes a register of no variable that is stored to under a mask. Where no
 * lane is on, a place that is computed may be anywhere.
 */
bool Widener::isOwnRow(const LaneAccess &access, unsigned groups) const {
    Type *type = access.value()->getType();
    auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(access.pointer()));
    return groups == 1 && variable && variable->hasMetadata(sideBySideMetadata) &&
           !type->isVectorTy() && shapes.of(*access.pointer()).stride > 0 &&
           (access.some() || isInVariable(*access.pointer(), *variable,
                                          width * layout.getTypeStoreSize(type), layout));
}

Value *Widener::loadOwn(const LaneAccess &access) {
    return builder.CreateAlignedLoad(wideType(access.value()->getType()), access.pointer(),
                                     access.align());
}

void Widener::storeOwn(const LaneAccess &access) {
    Value *value = wideScalar(access.value()), *mask = wideScalar(access.mask());
    if (!match(mask, m_AllOnes()))
        value = builder.CreateSelect(mask, value, loadOwn(access));
    builder.CreateAlignedStore(value, access.pointer(), access.align());
}

Value *Widener::partPointers(const LaneAccess &access, unsigned part) {
    Value *pointers = wideScalar(access.pointer());
    if (!part)
        return pointers;
    Type *element = access.value()->getType()->getScalarType();
    return builder.CreateGEP(element, pointers, builder.getInt64(part));
}

static Align partAlign(const LaneAccess &access, uint64_t bytes, unsigned part) {
    return part ? commonAlignment(access.align(), bytes * part) : access.align();
}

/** Of each part; one behind the other, as expectStride asks for. */
SmallVector<Value *, 4> Widener::pointersOfParts(const LaneAccess &access) {
    SmallVector<Value *, 4> pointers;
    for (unsigned part = 0; part < partCount(access.value()->getType()); part++)
        pointers.push_back(partPointers(access, part));
    return pointers;
}

/** `calls`: of one access's parts. */
void Widener::expect(const LaneAccess &access, ArrayRef<CallInst *> calls) {
    const Shape shape = shapes.of(*access.pointer());
    if (isGuessedGroup(access)) {
        expectStride(*calls[0], shape, static_cast<unsigned>(calls.size()));
        return;
    }
    for (CallInst *call : calls)
        expectStride(*call, shape);
}

Widener::Parts Widener::gather(const LaneAccess &access) {
    Type *type = access.value()->getType()->getScalarType();
    uint64_t bytes = layout.getTypeStoreSize(type);
    Value *mask = wideScalar(access.mask());
    SmallVector<CallInst *, 4> calls;
    for (auto [part, pointers] : enumerate(pointersOfParts(access)))
        calls.push_back(builder.CreateMaskedGather(
            wideType(type), pointers, partAlign(access, bytes, static_cast<unsigned>(part)), mask));
    expect(access, calls);
    counts.gathers += static_cast<unsigned>(calls.size());
    return Parts(calls.begin(), calls.end());
}

void Widener::scatter(const LaneAccess &access) {
    uint64_t bytes = layout.getTypeStoreSize(access.value()->getType()->getScalarType());
    Value *mask = wideScalar(access.mask());
    Parts parts = wide(access.value());
    SmallVector<CallInst *, 4> calls;
    for (auto [part, pointers] : enumerate(pointersOfParts(access)))
        calls.push_back(builder.CreateMaskedScatter(
            parts[part], pointers, partAlign(access, bytes, static_cast<unsigned>(part)), mask));
    expect(access, calls);
    counts.scatters += static_cast<unsigned>(parts.size());
    counts.farStores |= !shapes.of(*access.pointer()).guess;
}

/** Nothing: not from a constant table that fits into registers. */
std::optional<Widener::Parts> Widener::lookUp(const LaneAccess &access) {
    Type *type = access.value()->getType();
    std::optional<Table> table = Table::of(*access.pointer(), *type, kernel, registerBits);
    if (!table)
        return std::nullopt;
    SmallVector<Value *, 2> chosen;
    for (const Table::Step &step : table->steps())
        chosen.push_back(wideScalar(step.count));
    Parts parts;
    for (unsigned part = 0; part < partCount(type); part++)
        parts.push_back(table->lookUp(builder, chosen, part));
    counts.lookedUp += static_cast<unsigned>(parts.size());
    return parts;
}

/** One part's bits of all lanes are one word: half as many gathers as there are parts. */
static bool isPair(const LaneAccess &access, const DataLayout &layout) {
    auto *type = dyn_cast<FixedVectorType>(access.value()->getType());
    return type && type->getNumElements() > 1 && layout.getTypeSizeInBits(type) == 64 &&
           !type->getElementType()->isPointerTy();
}

Widener::Parts Widener::gatherPairs(const LaneAccess &access) {
    auto *type = cast<FixedVectorType>(access.value()->getType());
    CallInst *words =
        builder.CreateMaskedGather(wideType(builder.getInt64Ty()), wideScalar(access.pointer()),
                                   access.align(), wideScalar(access.mask()));
    expectStride(*words, shapes.of(*access.pointer()));
    counts.gathers++;
    unsigned parts = type->getNumElements();
    auto *all = FixedVectorType::get(type->getElementType(), width * parts);
    return separate(builder.CreateBitCast(words, all), parts, parts);
}

void Widener::scatterPairs(const LaneAccess &access) {
    Parts parts = wide(access.value());
    Value *all = join(parts, static_cast<unsigned>(parts.size()));
    Value *words = builder.CreateBitCast(all, wideType(builder.getInt64Ty()));
    CallInst *call = builder.CreateMaskedScatter(words, wideScalar(access.pointer()),
                                                 access.align(), wideScalar(access.mask()));
    expectStride(*call, shapes.of(*access.pointer()));
    counts.scatters++;
    counts.farStores |= !shapes.of(*access.pointer()).guess;
}

/** A lane that is off may point anywhere, and an aligned access faults whatever its mask is; where
 *  there are no masked accesses, it becomes a branch instead. */
static Align alignOfAny(const LaneAccess &access, bool hasMasks) {
    return hasMasks ? Align(1) : access.align();
}

/** The place of each lane that is on; of others one that can be read. */
SmallVector<Value *, 16> Widener::safePointers(const LaneAccess &access) {
    Value *pointer = access.pointer(), *mask = wideScalar(access.mask());
    Constant *nothing = nothingAt(*kernel.getParent(), pointer->getType());
    Value *all = nullptr;
    if (varies(pointer))
        all =
            builder.CreateSelect(mask, wideScalar(pointer),
                                 ConstantVector::getSplat(ElementCount::getFixed(width), nothing));
    SmallVector<Value *, 16> pointers;
    for (unsigned lane = 0; lane < width; lane++) {
        Value *number = builder.getInt64(lane);
        pointers.push_back(all ? builder.CreateExtractElement(all, number)
                               : builder.CreateSelect(builder.CreateExtractElement(mask, number),
                                                      ofLane(pointer, number), nothing));
    }
    return pointers;
}

/** Vectors that lie apart: each lane's is loaded as a whole, then all are transposed. */
Widener::Parts Widener::loadEach(const LaneAccess &access) {
    auto *type = cast<FixedVectorType>(access.value()->getType());
    return RowLoads(builder, type, access.align(), registerBits).load(safePointers(access));
}

void Widener::storeEach(const LaneAccess &access) {
    auto *type = cast<FixedVectorType>(access.value()->getType());
    unsigned parts = type->getNumElements();
    Value *mask = wideScalar(access.mask());
    Value *all = join(wide(access.value()), parts);
    for (unsigned lane = 0; lane < width; lane++) {
        Value *number = builder.getInt64(lane);
        Value *on = builder.CreateVectorSplat(parts, builder.CreateExtractElement(mask, number));
        Value *row = builder.CreateShuffleVector(all, createSequentialMask(lane * parts, parts, 0));
        builder.CreateMaskedStore(row, ofLane(access.pointer(), number),
                                  alignOfAny(access, hasMasks), on);
    }
}

/** All lanes store to one place: the last of those that are on wins, as if one followed another. */
void Widener::storeUniform(const LaneAccess &access) {
    Value *value = access.value();
    if (!isUniform(value)) {
        Value *lane = builder.getInt64(width - 1);
        if (!isUniform(access.mask())) {
            Type *type = builder.getIntNTy(std::max(width, 8u));
            Value *bits = builder.CreateZExt(bitsOf(wideScalar(access.mask())), type);
            Value *zeros =
                builder.CreateIntrinsic(Intrinsic::ctlz, {type}, {bits, builder.getTrue()});
            lane = builder.CreateZExt(
                builder.CreateSub(ConstantInt::get(type, type->getIntegerBitWidth() - 1), zeros),
                builder.getInt64Ty());
        }
        value = ofLane(value, lane);
    }
    builder.CreateAlignedStore(value, access.pointer(), access.align());
}

/** A vector of about 16 bytes or more, which is one access of each lane. */
bool Widener::isRow(const LaneAccess &access) const {
    auto *type = dyn_cast<FixedVectorType>(access.value()->getType());
    return type && type->getNumElements() > 1 && layout.getTypeSizeInBits(type) >= 96;
}

/** Rows are stored under a mask for each lane: where that folds away for all but the last vector of
 *  a row of work-items. */
bool Widener::isStoredWhole(const LaneAccess &access) const {
    return isRow(access) && width <= 16 &&
           !access.call->getParent()->getTerminator()->hasMetadata(partialMetadata);
}

/** What is guessed to lie side by side is asked at run time, and gathered if it does not. */
bool Widener::isLoadedWhole(const LaneAccess &access) const {
    return isRow(access) &&
           RowLoads::isPossible(*cast<FixedVectorType>(access.value()->getType()), width) &&
           !(isPartial(*access.call) && shapes.of(*access.pointer()).guess);
}

void Widener::widenAccess(Instruction &instruction, const LaneAccess &access) {
    Shape shape = shapes.of(*access.pointer());
    if (!access.isStore && shape.varies)
        if (std::optional<Parts> found = lookUp(access))
            return replace(instruction, std::move(*found));
    unsigned groups = shape.varies || shape.isUniform() ? 0 : groupSize(access, shape.stride);
    bool isGuessed = isGuessedGroup(access) && !isPair(access, layout);
    if (shape.isUniform() && access.some()) {
        if (access.isStore) {
            storeUniform(access);
        } else {
            LoadInst *load = builder.CreateAlignedLoad(instruction.getType(), access.pointer(),
                                                       access.align(), instruction.getName());
            instruction.replaceAllUsesWith(load);
        }
        dead.push_back(&instruction);
    } else if (!access.isStore) {
        replace(instruction, isOwnRow(access, groups) ? Parts{loadOwn(access)}
                             : groups                 ? loadGroups(access, groups)
                             : isGuessed              ? gather(access)
                             : isPair(access, layout) ? gatherPairs(access)
                             : isLoadedWhole(access)  ? loadEach(access)
                                                      : gather(access));
    } else {
        if (isOwnRow(access, groups))
            storeOwn(access);
        else if (groups)
            storeGroups(access, groups);
        else if (isGuessed)
            scatter(access);
        else if (isPair(access, layout))
            scatterPairs(access);
        else if (isStoredWhole(access))
            storeEach(access);
        else
            scatter(access);
        dead.push_back(&instruction);
    }
}

} // namespace weft
