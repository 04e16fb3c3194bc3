// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads and stores by how the lanes' addresses lie.

#include "vector/transpose.h"
#include "vector/wide.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** Wider groups are gathered: most of what is loaded would not be used. */
static constexpr unsigned maxGroup = 8;

static unsigned elements(Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
}

/**
 * Lanes whose addresses follow each other at a distance of so many elements: the elements of all
 * lanes and what lies between are one wide access, of which a mask picks. 0: otherwise.
 */
unsigned Widener::groupSize(const LaneAccess &access, unsigned parts) const {
    Shape shape = shapes.of(*access.pointer());
    int64_t size = static_cast<int64_t>(
        layout.getTypeStoreSize(access.value()->getType()->getScalarType()).getFixedValue());
    if (shape.varies || shape.stride <= 0 || shape.stride % size)
        return 0;
    auto groups = static_cast<uint64_t>(shape.stride / size);
    if (groups < parts || groups > maxGroup)
        return 0;
    if (switches.broken("stride"))
        return parts;
    bool exact = groups == parts;
    if (parts > 1 && groups > parts + 1)
        return 0; /* members of larger structures */
    if (access.isStore && !exact && (!hasMasks || groups > 2 * parts))
        return 0;
    if (!access.isStore && !exact && (!hasMasks || groups > 4 * parts))
        return 0;
    return static_cast<unsigned>(groups);
}

Value *expandMask(IRBuilderBase &builder, Value *mask, unsigned parts, unsigned groups) {
    if (groups == 1)
        return mask;
    unsigned width = elements(mask->getType());
    SmallVector<int, 64> places;
    for (unsigned lane = 0; lane < width; lane++)
        for (unsigned element = 0; element < groups; element++)
            places.push_back(static_cast<int>(element < parts ? lane : width));
    return builder.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), places);
}

/** The first lane may be off, then only the other lanes' places say how it is aligned. */
static Align alignOfFirst(const LaneAccess &access, const Shape &shape) {
    return commonAlignment(access.align(), static_cast<uint64_t>(shape.stride));
}

Widener::Parts Widener::loadGroups(const LaneAccess &access, unsigned groups) {
    Type *type = access.value()->getType();
    unsigned parts = elements(type);
    auto *whole = FixedVectorType::get(type->getScalarType(), width * groups);
    Value *mask = expandMask(builder, wideScalar(access.mask()), parts, groups);
    Align align = alignOfFirst(access, shapes.of(*access.pointer()));
    Value *all = builder.CreateMaskedLoad(whole, access.pointer(), align, mask);
    return separate(all, parts, groups);
}

void Widener::storeGroups(const LaneAccess &access, unsigned groups) {
    Parts parts = wide(access.value());
    Value *mask = expandMask(builder, wideScalar(access.mask()), parts.size(), groups);
    Align align = alignOfFirst(access, shapes.of(*access.pointer()));
    builder.CreateMaskedStore(join(parts, groups), access.pointer(), align, mask);
}

/** Lane 0 has the highest address. */
static Value *lowest(IRBuilderBase &builder, const LaneAccess &access, unsigned width,
                     int64_t stride) {
    return builder.CreateGEP(builder.getInt8Ty(), access.pointer(),
                             builder.getInt64(static_cast<uint64_t>(stride * (width - 1))));
}

Widener::Parts Widener::loadReversed(const LaneAccess &access) {
    Type *type = access.value()->getType();
    Shape shape = shapes.of(*access.pointer());
    Value *from = lowest(builder, access, width, shape.stride);
    Value *mask = builder.CreateVectorReverse(wideScalar(access.mask()));
    return {builder.CreateVectorReverse(
        builder.CreateMaskedLoad(wideType(type), from, alignOfFirst(access, shape), mask))};
}

void Widener::storeReversed(const LaneAccess &access) {
    Shape shape = shapes.of(*access.pointer());
    Value *to = lowest(builder, access, width, shape.stride);
    Value *mask = builder.CreateVectorReverse(wideScalar(access.mask()));
    Value *value = wideScalar(access.value());
    if (!switches.broken("reverse"))
        value = builder.CreateVectorReverse(value);
    builder.CreateMaskedStore(value, to, alignOfFirst(access, shape), mask);
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

Widener::Parts Widener::gather(const LaneAccess &access) {
    Type *type = access.value()->getType();
    uint64_t bytes = layout.getTypeStoreSize(type->getScalarType());
    Value *mask = wideScalar(access.mask());
    Parts parts;
    for (unsigned part = 0; part < elements(type); part++) {
        CallInst *call =
            builder.CreateMaskedGather(wideType(type->getScalarType()), partPointers(access, part),
                                       partAlign(access, bytes, part), mask);
        expectStride(*call, shapes.of(*access.pointer()));
        parts.push_back(call);
    }
    counts.gathers += static_cast<unsigned>(parts.size());
    return parts;
}

void Widener::scatter(const LaneAccess &access) {
    uint64_t bytes = layout.getTypeStoreSize(access.value()->getType()->getScalarType());
    Value *mask = wideScalar(access.mask());
    Parts parts = wide(access.value());
    for (unsigned part = 0; part < parts.size(); part++) {
        CallInst *call = builder.CreateMaskedScatter(parts[part], partPointers(access, part),
                                                     partAlign(access, bytes, part), mask);
        expectStride(*call, shapes.of(*access.pointer()));
    }
    counts.scatters += static_cast<unsigned>(parts.size());
    counts.farStores |= !shapes.of(*access.pointer()).guess;
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

/** Where lanes that are off may read. */
static Constant *nothingAt(Module &module, Type *pointer) {
    constexpr unsigned bytes = 128; /* of the largest OpenCL vector */
    const char *name = "weft.nothing";
    GlobalVariable *nothing = module.getNamedGlobal(name);
    if (!nothing) {
        auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
        nothing = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage,
                                     Constant::getNullValue(type), name);
        nothing->setAlignment(Align(bytes));
    }
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(nothing, pointer);
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
    SmallVector<Value *, 16> pointers = safePointers(access);
    if (switches.broken("rows"))
        std::swap(pointers[0], pointers[1]);
    return RowLoads(builder, type, access.align(), registerBits).load(pointers);
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
    unsigned parts = elements(access.value()->getType());
    Shape shape = shapes.of(*access.pointer());
    unsigned groups = groupSize(access, parts);
    auto size = static_cast<int64_t>(layout.getTypeStoreSize(access.value()->getType()));
    bool isReversed = !shape.varies && parts == 1 && shape.stride == -size;
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
        replace(instruction, groups                   ? loadGroups(access, groups)
                             : isReversed             ? loadReversed(access)
                             : isPair(access, layout) ? gatherPairs(access)
                             : isLoadedWhole(access)  ? loadEach(access)
                                                      : gather(access));
    } else {
        if (groups)
            storeGroups(access, groups);
        else if (isReversed)
            storeReversed(access);
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
