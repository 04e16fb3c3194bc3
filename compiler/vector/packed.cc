// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pixels of four bytes are loaded for all lanes at once, and picked apart by shuffles into a vector
// of bytes for each colour, which are then extended to the lanes of what is computed. Registers of
// 32 bytes take five instructions for each colour in this way, since bytes cross between their
// halves, of 64 bytes more. A shift and a mask of the pixels as integers leave the extended colour
// at its place. The same for what is computed and becomes bytes of a pixel: it is shifted to its
// place and put together by `or`.

#include "vector/packed.h"
#include "vector/shuffles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace weft {

namespace {

/** `count` elements of `bits` in an integer of a lane. */
struct Packing {
    unsigned lanes, count, bits;

    unsigned laneBits() const { return count * bits; }
    bool operator==(const Packing &other) const {
        return lanes == other.lanes && count == other.count && bits == other.bits;
    }
    bool fills() const { return laneBits() == 16 || laneBits() == 32; }
    FixedVectorType *type(LLVMContext &context) const {
        return FixedVectorType::get(IntegerType::get(context, laneBits()), lanes);
    }
};

/** Elements of one place of all lanes' integers. */
struct Part {
    Value *all;
    Packing packing;
    unsigned place;
};

std::optional<Part> partOf(Value *value) {
    auto *shuffle = dyn_cast<ShuffleVectorInst>(value);
    if (!shuffle || !shuffle->getType()->isIntOrIntVectorTy())
        return std::nullopt;
    const auto lanes = static_cast<unsigned>(shuffle->getShuffleMask().size());
    size_t count = 0;
    const std::optional<size_t> place = pickedPart(*shuffle, lanes, count);
    const Packing packing = {lanes, static_cast<unsigned>(count),
                             shuffle->getType()->getScalarSizeInBits()};
    if (!place || !packing.fills())
        return std::nullopt;
    return Part{shuffle->getOperand(0), packing, static_cast<unsigned>(*place)};
}

/** The elements at the low end of integers that are as long as those of all places together. */
Value *extended(IRBuilderBase &builder, const Part &part, bool isSigned) {
    const Packing &packing = part.packing;
    Value *all = builder.CreateBitCast(part.all, packing.type(builder.getContext()));
    const unsigned above = packing.laneBits() - (part.place + 1) * packing.bits;
    if (isSigned)
        return builder.CreateAShr(builder.CreateShl(all, above), packing.laneBits() - packing.bits);
    Value *low = builder.CreateLShr(all, part.place * packing.bits);
    return above ? builder.CreateAnd(low, APInt::getLowBitsSet(packing.laneBits(), packing.bits))
                 : low;
}

/** An extension or a conversion to numbers that are as long as the integers. Whether it is not used
 * any more. */
bool shiftOut(CastInst &cast) {
    const bool isSigned = isa<SExtInst, SIToFPInst>(cast);
    if (!isSigned && !isa<ZExtInst, UIToFPInst>(cast))
        return false;
    const std::optional<Part> part = partOf(cast.getOperand(0));
    if (!part || cast.getType()->getScalarSizeInBits() < part->packing.laneBits())
        return false;
    IRBuilder<> builder(&cast);
    Value *integers = extended(builder, *part, isSigned);
    /* Also what was not signed is positive now, and that conversion is every level's. */
    cast.replaceAllUsesWith(isa<SIToFPInst, UIToFPInst>(cast)
                                ? builder.CreateSIToFP(integers, cast.getType())
                                : builder.CreateIntCast(integers, cast.getType(), isSigned));
    return true;
}

/** What is as long as the integers before it becomes short elements; longer integers are better
 *  made short in one step. What does not fit is undefined if it is a conversion of numbers, and
 *  must not reach the elements beside it. */
bool isComputedLong(const Value *element, const Packing &packing) {
    auto *cast = dyn_cast<CastInst>(element);
    const unsigned bits = cast ? cast->getSrcTy()->getScalarSizeInBits() : 0;
    return (cast && isa<TruncInst>(cast) && bits == packing.laneBits()) ||
           (cast && isa<FPToUIInst, FPToSIInst>(cast) && packing.laneBits() == 32 &&
            bits >= packing.laneBits());
}

/** Elements of all lanes in integers of all places, with anything above them. */
Value *inIntegers(IRBuilderBase &builder, Value *element, const Packing &packing) {
    FixedVectorType *type = packing.type(builder.getContext());
    if (!isComputedLong(element, packing)) {
        const std::optional<Part> part = partOf(element);
        return part && part->packing == packing ? extended(builder, *part, false)
                                                : builder.CreateZExt(element, type);
    }
    Value *from = cast<CastInst>(element)->getOperand(0);
    return isa<TruncInst>(element) ? from : builder.CreateFPToSI(from, type);
}

/** How an OpenCL vector of all lanes is put together, of two elements or four. */
SmallVector<Value *, 8> elementsOf(ShuffleVectorInst &all, Packing &packing) {
    const auto size = static_cast<unsigned>(all.getShuffleMask().size());
    if (!all.getType()->isIntOrIntVectorTy())
        return {};
    for (const unsigned count : {2U, 4U, 8U}) {
        packing = {size / count, count, all.getType()->getScalarSizeInBits()};
        if (size % count || packing.lanes < 2 || !packing.fills())
            continue;
        if (SmallVector<Value *, 8> vectors = vectorsOf(all, packing.lanes); !vectors.empty())
            return vectors;
    }
    return {};
}

/** Whether the shuffle is not used any more. */
bool shiftTogether(ShuffleVectorInst &all) {
    Packing packing;
    const SmallVector<Value *, 8> vectors = elementsOf(all, packing);
    const auto computed = static_cast<size_t>(
        count_if(vectors, [&](const Value *element) { return isComputedLong(element, packing); }));
    if (vectors.empty() || computed * 2 < vectors.size())
        return false;
    IRBuilder<> builder(&all);
    Value *together = nullptr;
    for (unsigned place = 0; place < packing.count; place++) {
        Value *element = inIntegers(builder, vectors[place], packing);
        if (place + 1 < packing.count)
            element =
                builder.CreateAnd(element, APInt::getLowBitsSet(packing.laneBits(), packing.bits));
        together =
            place ? builder.CreateOr(together, builder.CreateShl(element, place * packing.bits))
                  : element;
    }
    all.replaceAllUsesWith(builder.CreateBitCast(together, all.getType()));
    return true;
}

} // namespace

void shiftPackedElements(Function &function) {
    SmallVector<WeakTrackingVH, 32> replaced;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
            shuffle && shiftTogether(*shuffle))
            replaced.push_back(shuffle);
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *cast = dyn_cast<CastInst>(&instruction); cast && shiftOut(*cast))
            replaced.push_back(cast);
    RecursivelyDeleteTriviallyDeadInstructions(replaced);
}

} // namespace weft
