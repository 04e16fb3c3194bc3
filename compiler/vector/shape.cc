// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/shape.h"
#include "norm/internals.h"
#include "norm/sub_groups.h"
#include "vector/bodies.h"
#include "vector/lanes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace weft {

namespace {

/** Of constants that are added to ids. */
constexpr unsigned maxSmallBits = 17;
/** Of constants that ids of other dimensions are multiplied by. */
constexpr unsigned maxRowBits = 14;
/** Of constants that are added to indices once these have 64 bits. */
constexpr unsigned maxOffsetBits = 30;

bool isIdOrSize(Internal internal) {
    return hasDimension(internal) || internal == Internal::LocalLinearId ||
           internal == Internal::LaneId || internal == Internal::GroupItems;
}

} // namespace

Shape Shapes::of(const Value &value) const {
    auto found = known.find(&value);
    return found == known.end() ? Shape::uniform() : found->second;
}

bool Shapes::allUniform(const Instruction &instruction) const {
    return all_of(instruction.operands(),
                  [this](const Use &use) { return of(*use.get()).isUniform(); });
}

/** Optimistic: nothing varies until something makes it, and a shape only ever falls: from uniform
 * or strided to varying with a guess, then without one. */
Shapes::Shapes(Function &kernel)
    : layout(kernel.getParent()->getDataLayout()), linear(isLinear(kernel)),
      width(widthOf(kernel)) {
    ReversePostOrderTraversal<Function *> order(&kernel);
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order)
            for (Instruction &instruction : *block) {
                Shape shape = compute(instruction);
                if (shape.varies)
                    shape.guess = guess(instruction);
                auto [entry, isNew] = known.try_emplace(&instruction, shape);
                changed |= isNew;
                Shape &old = entry->second;
                if (isNew || old == shape || (old.varies && !old.guess))
                    continue;
                old = !old.varies && shape.varies ? shape : Shape::varying();
                changed = true;
            }
    }
}

/** Operands that are not known yet do not count. */
Shape Shapes::ofPhi(const Instruction &phi) const {
    bool first = true;
    Shape shape;
    for (const Use &use : phi.operands()) {
        auto *instruction = dyn_cast<Instruction>(use.get());
        if (isa<UndefValue>(use.get()) || (instruction && !known.count(instruction)))
            continue;
        Shape one = of(*use.get());
        if (!first && !(one == shape))
            return Shape::varying();
        shape = one;
        first = false;
    }
    return shape;
}

Shape Shapes::ofCall(const Instruction &call) const {
    switch (internalOf(call)) {
    case Internal::LocalId:
        return cast<ConstantInt>(cast<CallBase>(call).getArgOperand(0))->isZero()
                   ? Shape::strided(1)
                   : Shape::uniform();
    case Internal::LocalLinearId:
    case Internal::LaneId:
        return Shape::strided(1);
    case Internal::Active:
        return Shape::varying();
    case Internal::SubGroup:
        return subGroupCall(call).isUniform() ? Shape::uniform() : Shape::varying();
    case Internal::None:
        break;
    default:
        return Shape::uniform();
    }
    if (laneWork(const_cast<Instruction &>(call)))
        return Shape::varying();
    LaneAccess access = laneAccess(const_cast<Instruction &>(call));
    if (access)
        return of(*access.pointer()).isUniform() && access.some() ? Shape::uniform()
                                                                  : Shape::varying();
    return allUniform(call) ? Shape::uniform() : Shape::varying();
}

namespace {

/** What is cut down to 32 bits and widened again, and then multiplied by 2^scale. */
struct Narrowed {
    const Value *value = nullptr; /* null: nothing is */
    uint64_t scale = 0;
};

} // namespace

/** As InstCombine writes it: `x & 0xffffffff`, `(x << 2) & 0x3fffffffc`, `(x << 32) >> 30`. */
static Narrowed narrowedBy(const Instruction &instruction) {
    using namespace PatternMatch;
    Value *value = nullptr;
    uint64_t scale = 0, last = 0;
    constexpr uint64_t bits = 0xffffffff;
    if (!instruction.getType()->isIntegerTy(64))
        return {};
    if (match(&instruction, m_And(m_Value(value), m_SpecificInt(bits))))
        return {value, 0};
    if (match(&instruction,
              m_And(m_Shl(m_Value(value), m_ConstantInt(scale)), m_ConstantInt(last))) &&
        scale <= 32 && last == bits << scale)
        return {value, scale};
    if (match(&instruction, m_Shr(m_Shl(m_Value(value), m_SpecificInt(32)), m_ConstantInt(last))) &&
        last <= 32)
        return {value, 32 - last};
    return {};
}

static bool isSize(Internal internal) {
    return internal == Internal::LocalSize || internal == Internal::GroupItems ||
           internal == Internal::EnqueuedLocalSize || internal == Internal::GlobalSize ||
           internal == Internal::NumGroups;
}

/** An id, or else a size, perhaps in other bits. */
static bool isPlain(const Value &value, bool size) {
    const Value *plain = &value;
    while (isa<TruncInst, ZExtInst, SExtInst, FreezeInst>(plain))
        plain = cast<Instruction>(plain)->getOperand(0);
    auto *instruction = dyn_cast<Instruction>(plain);
    if (instruction && instruction->getOpcode() == Instruction::Add) /* a global id */
        return isPlain(*instruction->getOperand(0), size) &&
               isPlain(*instruction->getOperand(1), size);
    return instruction && isIdOrSize(internalOf(*instruction)) &&
           isSize(internalOf(*instruction)) == size;
}

/** One id times a size, or a constant that a row may well be long: where a row of a picture begins.
 *  Any other product gets anywhere, in launches of few items, too. */
static bool isRowOfIds(const Instruction &product) {
    const Value &one = *product.getOperand(0), &other = *product.getOperand(1);
    if (auto *constant = dyn_cast<ConstantInt>(&other)) {
        uint64_t most = product.getOpcode() == Instruction::Shl ? maxRowBits : 1u << maxRowBits;
        return isPlain(one, false) && constant->getValue().ule(most);
    }
    return product.getOpcode() == Instruction::Mul &&
           (isPlain(one, false) ? isPlain(other, true)
                                : isPlain(one, true) && isPlain(other, false));
}

/** Made of ids, sizes and small constants: by sums, by products of what all lanes share, and by
 *  loops that go on by sizes; a constant would get anywhere if it is added often enough. */
bool Shapes::isMadeOfIds(const Value &value, Seen &seen, bool inLoop) const {
    if (auto *constant = dyn_cast<ConstantInt>(&value))
        return inLoop ? constant->isZero() : constant->getValue().isSignedIntN(maxSmallBits);
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
        return false;
    if (!seen.insert(instruction).second)
        return true; /* a loop's value: its other operands decide */
    bool isUniform = of(value).isUniform();
    switch (instruction->getOpcode()) {
    case Instruction::Call:
        return isIdOrSize(internalOf(*instruction));
    case Instruction::And:
    case Instruction::AShr: {
        const auto [narrow, scale] = narrowedBy(*instruction);
        return narrow && scale <= maxRowBits && isMadeOfIds(*narrow, seen, inLoop);
    }
    case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(instruction)->isDisjoint())
            return false;
        break;
    case Instruction::Mul:
    case Instruction::Shl:
        return isUniform && isRowOfIds(*instruction);
    case Instruction::PHI:
        if (isUniform)
            return false;
        if (!inLoop) { /* what is added in the loop may be in `seen` as something added once */
            Seen ofLoop;
            ofLoop.insert(instruction);
            return all_of(instruction->operands(),
                          [&](const Use &use) { return isMadeOfIds(*use.get(), ofLoop, true); });
        }
        break;
    case Instruction::Trunc:
        if (instruction->getType()->getIntegerBitWidth() < 32)
            return false;
        break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Freeze:
        break;
    default:
        return false;
    }
    return all_of(instruction->operands(),
                  [&](const Use &use) { return isMadeOfIds(*use.get(), seen, inLoop); });
}

/** What is assumed not to wrap around between two lanes when it is cut down to 32 bits. Any other
 *  value may: `get_local_id(0) * 0x18000001`, one half of a product, an id and an argument. */
bool Shapes::isId(const Value &value) const {
    Shape shape = of(value);
    Seen seen;
    return !shape.varies && (shape.stride == 1 || shape.stride == -1) && isMadeOfIds(value, seen);
}

/**
 * Nothing but ids, sizes and what is not negative, added up, as by `for (i = id; ...; i += size)`.
 * Where such a sum is of stride one and does not wrap around in a lane that is on, it does not in
 * the lanes in front of it either: theirs are less, and none is below zero.
 */
static bool isSumOfIds(const Value &value, SmallPtrSetImpl<const Value *> &seen) {
    if (auto *constant = dyn_cast<ConstantInt>(&value))
        return !constant->isNegative();
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
        return false;
    if (!seen.insert(instruction).second)
        return true; /* a loop's value: its other operands decide */
    switch (instruction->getOpcode()) {
    case Instruction::Call:
        return isIdOrSize(internalOf(*instruction));
    case Instruction::Trunc:
        if (instruction->getType()->getIntegerBitWidth() < 32)
            return false;
        break;
    case Instruction::Add:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::PHI:
        break;
    default:
        return false;
    }
    return all_of(instruction->operands(),
                  [&](const Use &use) { return isSumOfIds(*use.get(), seen); });
}

/** Adds nothing but `value` and small constants; or what it makes is in the object that it begins
 * in. */
static bool staysNear(const GetElementPtrInst &gep, const Value *value, const DataLayout &layout) {
    if (gep.isInBounds())
        return true;
    for (auto type = gep_type_begin(gep), end = gep_type_end(gep); type != end; type++) {
        auto *constant = dyn_cast<ConstantInt>(type.getOperand());
        if (type.getOperand() == value || type.isStruct())
            continue;
        if (!constant || !constant->getValue().isSignedIntN(maxOffsetBits) ||
            type.getSequentialElementStride(layout) * constant->getValue().abs().getZExtValue() >>
                maxOffsetBits)
            return false;
    }
    return true;
}

/** Sums of indices become sums of addresses, one behind the other: so do what is in front of it. */
static bool comesFromNear(const GetElementPtrInst &gep, const DataLayout &layout) {
    auto *base = dyn_cast<GetElementPtrInst>(gep.getPointerOperand());
    return !base || (staysNear(*base, nullptr, layout) && comesFromNear(*base, layout));
}

/**
 * Pointers are made of the value, and nothing else: a lane at the edge of its type, 2^31 elements
 * off, is out of any buffer of less. What is added in 64 bits is small, or it could lead back: the
 * first lane, which is off, may be at the other edge than those that are on.
 */
static bool isForAddresses(const Value &value, const DataLayout &layout) {
    SmallSetVector<const Value *, 8> values;
    values.insert(&value);
    for (unsigned index = 0; index < values.size(); index++)
        for (const User *user : values[index]->users()) {
            if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
                if (!staysNear(*gep, values[index], layout) || !comesFromNear(*gep, layout))
                    return false;
                values.insert(gep);
                continue;
            }
            if (values[index]->getType()->isPointerTy())
                continue;
            auto *sum = dyn_cast<BinaryOperator>(user);
            auto *constant = sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
            if (!constant || !constant->getValue().isSignedIntN(maxOffsetBits) ||
                (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub &&
                 sum->getOpcode() != Instruction::Shl))
                return false;
            values.insert(sum);
        }
    return true;
}

/** Bits at its end that are zero in lane 0's value. A row's vectors, or the group's in linear
 * shape, begin with items whose numbers are multiples of the width. */
unsigned Shapes::zerosOf(const Value &value, unsigned depth) const {
    constexpr unsigned maxDepth = 8;
    const unsigned bits = value.getType()->getScalarSizeInBits();
    auto *instruction = dyn_cast<Instruction>(&value);
    if (of(value).isUniform())
        return computeKnownBits(&value, layout).countMinTrailingZeros();
    if (!instruction || depth > maxDepth)
        return 0;
    auto operand = [&](unsigned index) {
        return zerosOf(*instruction->getOperand(index), depth + 1);
    };
    switch (instruction->getOpcode()) {
    case Instruction::Call: {
        const Internal internal = internalOf(*instruction);
        const bool isFirst = internal == (linear ? Internal::LocalLinearId : Internal::LocalId);
        return internal == Internal::LaneId ? bits : isFirst ? Log2_32(width) : 0;
    }
    case Instruction::Add:
    case Instruction::Or:
        return std::min(operand(0), operand(1));
    case Instruction::Mul:
        return std::min(operand(0) + operand(1), bits);
    case Instruction::Shl:
        if (auto *by = dyn_cast<ConstantInt>(instruction->getOperand(1)); by && !by->uge(bits))
            return std::min<unsigned>(operand(0) + by->getZExtValue(), bits);
        return 0;
    case Instruction::And:
        return std::max(operand(0), operand(1));
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Freeze:
        return std::min(operand(0), bits);
    default:
        return 0;
    }
}

/** What lanes add to lane 0's value carries into none of its bits. */
bool Shapes::isAligned(const Value &value) const {
    const Shape shape = of(value);
    constexpr int64_t mostStride = 1 << 16;
    return width > 1 && !shape.varies && shape.stride > 0 && shape.stride < mostStride &&
           static_cast<uint64_t>(shape.stride) * (width - 1) >> std::min(zerosOf(value), 63U) == 0;
}

/** `id & 15`, `id >> 4`, `(id >> 2) & 30`: some bits of a sum into which lanes do not carry. */
Shape Shapes::ofBits(const Instruction &instruction) const {
    const unsigned bits = instruction.getType()->getScalarSizeInBits();
    auto shiftOf = [&](const Value *shifted) -> const ConstantInt * {
        auto *binary = dyn_cast<BinaryOperator>(shifted);
        if (!binary ||
            (binary->getOpcode() != Instruction::LShr && binary->getOpcode() != Instruction::AShr))
            return nullptr;
        auto *by = dyn_cast<ConstantInt>(binary->getOperand(1));
        return by && !by->uge(bits) ? by : nullptr;
    };
    const Value *value = &instruction;
    APInt kept = APInt::getAllOnes(bits);
    if (instruction.getOpcode() == Instruction::And) {
        auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
        if (!constant)
            return Shape::varying();
        kept = constant->getValue();
        value = instruction.getOperand(0);
    }
    unsigned shift = 0;
    if (const ConstantInt *by = shiftOf(value)) {
        shift = static_cast<unsigned>(by->getZExtValue());
        value = cast<Instruction>(value)->getOperand(0);
    }
    if (value == &instruction || !isAligned(*value))
        return Shape::varying();
    const uint64_t stride = static_cast<uint64_t>(of(*value).stride);
    kept <<= shift;
    /* Bits in which lanes differ: those of multiples of the stride, or fewer. */
    const APInt all = APInt::getLowBitsSet(bits, std::min(bits, Log2_64(stride * (width - 1)) + 1));
    const APInt theirs = all & ~APInt::getLowBitsSet(bits, countr_zero(stride));
    if ((kept & theirs).isZero())
        return Shape::uniform();
    if (theirs.isSubsetOf(kept) && stride % (uint64_t{1} << shift) == 0)
        return Shape::strided(static_cast<int64_t>(stride >> shift));
    return Shape::varying();
}

/**
 * True if widening `value`, whose lanes are strided, keeps them so: no lane wraps around. Flags of
 * the arithmetic say so; ids cut down to 32 bits are assumed not to.
 */
bool Shapes::keepsOrder(const Value &value, Extension how, Seen &seen) const {
    bool isSigned = how != Extension::Unsigned;
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || of(value).isUniform() || isAligned(value))
        return true;
    if (!seen.insert(instruction).second)
        return true; /* a loop's value: its other operands decide */
    auto operandsDo = [&] {
        return all_of(instruction->operands(),
                      [&](const Use &use) { return keepsOrder(*use.get(), how, seen); });
    };
    switch (instruction->getOpcode()) {
    case Instruction::Trunc: /* `id - 1` is another matter where it has no sign */
        return instruction->getType()->getIntegerBitWidth() >= 32 &&
               isId(*instruction->getOperand(0)) && (isSigned || operandsDo());
    case Instruction::Call: /* an id */
        return true;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
        if (isSigned ? !instruction->hasNoSignedWrap() : !instruction->hasNoUnsignedWrap())
            return false;
        // Where the first lane may be off it may hold "0u - 1", whatever holds for the others.
        if (how != Extension::Address && isPartial(*instruction)) {
            SmallPtrSet<const Value *, 16> parts;
            if (of(value).stride != 1 || !isSumOfIds(value, parts))
                return false;
        }
        return operandsDo();
    case Instruction::Or:
        return cast<PossiblyDisjointInst>(instruction)->isDisjoint() && operandsDo();
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Freeze:
    case Instruction::PHI:
        return operandsDo();
    default:
        return false;
    }
}

Shape Shapes::ofExtension(const Instruction &instruction) const {
    const Value &value = *instruction.getOperand(0);
    Shape shape = of(value);
    if (shape.varies || shape.isUniform())
        return shape;
    bool isSigned = isa<SExtInst>(instruction);
    if (!isSigned && instruction.hasNonNeg())
        isSigned = true;
    Extension how = !isSigned                             ? Extension::Unsigned
                    : isForAddresses(instruction, layout) ? Extension::Address
                                                          : Extension::Signed;
    Seen seen;
    return keepsOrder(value, how, seen) ? shape : Shape::varying();
}

Shape Shapes::ofPointer(const Instruction &instruction) const {
    auto &gep = cast<GetElementPtrInst>(instruction);
    Shape shape = of(*gep.getPointerOperand());
    if (shape.varies || gep.getType()->isVectorTy())
        return allUniform(gep) ? Shape::uniform() : Shape::varying();
    for (auto type = gep_type_begin(gep), end = gep_type_end(gep); type != end; type++) {
        const Value &index = *type.getOperand();
        Shape one = of(index);
        if (one.varies)
            return Shape::varying();
        if (one.isUniform())
            continue;
        // A narrow index is extended, with its sign.
        Seen seen;
        if (index.getType()->getIntegerBitWidth() < 64 &&
            !keepsOrder(index, Extension::Address, seen))
            return Shape::varying();
        shape.stride += one.stride * static_cast<int64_t>(type.getSequentialElementStride(layout));
    }
    return shape;
}

/** An id cut down to 32 bits and widened again, perhaps scaled as well. */
Shape Shapes::ofNarrowed(const Instruction &instruction) const {
    const auto [narrow, scale] = narrowedBy(instruction);
    if (!narrow || !isId(*narrow))
        return Shape::varying();
    bool isSigned = instruction.getOpcode() == Instruction::AShr;
    Seen seen;
    if (!isSigned && !keepsOrder(*narrow, Extension::Unsigned, seen))
        return Shape::varying();
    return Shape::strided(of(*narrow).stride * (int64_t{1} << scale));
}

Shape Shapes::ofArithmetic(const Instruction &instruction) const {
    Shape a = of(*instruction.getOperand(0)), b = of(*instruction.getOperand(1));
    if (a.isUniform() && b.isUniform())
        return Shape::uniform();
    if (!instruction.getType()->isIntegerTy())
        return Shape::varying();
    if (Shape bits = ofBits(instruction); !bits.varies)
        return bits;
    if (a.varies || b.varies)
        return Shape::varying();
    auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
    Shape narrow = ofNarrowed(instruction);
    if (!narrow.varies)
        return narrow;
    switch (instruction.getOpcode()) {
    case Instruction::Add:
        return Shape::strided(a.stride + b.stride);
    case Instruction::Sub:
        return Shape::strided(a.stride - b.stride);
    case Instruction::Or:
        if (cast<PossiblyDisjointInst>(instruction).isDisjoint())
            return Shape::strided(a.stride + b.stride);
        return Shape::varying();
    case Instruction::Xor: /* ~x is -x - 1 */
        return constant && constant->isMinusOne() ? Shape::strided(-a.stride) : Shape::varying();
    case Instruction::Mul:
        if (constant && constant->getBitWidth() <= 64 && isInt<32>(constant->getSExtValue()) &&
            isInt<31>(a.stride))
            return Shape::strided(a.stride * constant->getSExtValue());
        return Shape::varying();
    case Instruction::Shl:
        if (constant && constant->getValue().ule(32) && isInt<28>(a.stride))
            return Shape::strided(a.stride * (int64_t{1} << constant->getZExtValue()));
        return Shape::varying();
    default:
        return Shape::varying();
    }
}

Shape Shapes::compute(const Instruction &instruction) const {
    switch (instruction.getOpcode()) {
    case Instruction::PHI:
        return ofPhi(instruction);
    case Instruction::Call:
        return ofCall(instruction);
    case Instruction::GetElementPtr:
        return ofPointer(instruction);
    case Instruction::ZExt:
    case Instruction::SExt:
        return ofExtension(instruction);
    case Instruction::Trunc:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze:
        return of(*instruction.getOperand(0));
    case Instruction::Select: {
        Shape yes = of(*instruction.getOperand(1)), no = of(*instruction.getOperand(2));
        return of(*instruction.getOperand(0)).isUniform() && yes == no ? yes : Shape::varying();
    }
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg:
        return Shape::varying();
    default:
        if (isa<BinaryOperator>(instruction))
            return ofArithmetic(instruction);
        if (isOrdered(instruction))
            return Shape::varying();
        return allUniform(instruction) ? Shape::uniform() : Shape::varying();
    }
}

} // namespace weft
