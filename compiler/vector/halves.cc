// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/halves.h"
#include "vector/lanes.h"
#include "vector/transpose.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

/** Whether each half of the shuffle's result is 16 bytes of its first operand, the two not side by
 *  side there; `from`: the elements that they begin with. */
bool isOfHalves(const ShuffleVectorInst &shuffle, unsigned piece, int (&from)[2]) {
    auto *type = cast<FixedVectorType>(shuffle.getOperand(0)->getType());
    const auto end = static_cast<int>(type->getNumElements());
    ArrayRef<int> mask = shuffle.getShuffleMask();
    if (mask.size() != 2 * static_cast<size_t>(piece))
        return false;
    for (unsigned half = 0; half < 2; half++) {
        from[half] = mask[half * piece];
        if (from[half] < 0 || from[half] >= end || from[half] % static_cast<int>(piece) ||
            !equal(mask.slice(half * piece, piece),
                   createSequentialMask(static_cast<unsigned>(from[half]), piece, 0)))
            return false;
    }
    return from[1] != from[0] + static_cast<int>(piece);
}

/** A load of several registers, also one under a mask that is full. */
struct LongLoad {
    Instruction *load;
    Value *place;
    Align align;
};

std::optional<LongLoad> longLoad(Instruction &instruction) {
    auto *type = dyn_cast<FixedVectorType>(instruction.getType());
    if (!type || type->getPrimitiveSizeInBits() <= 2 * pieceBits)
        return std::nullopt;
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
        return LongLoad{load, load->getPointerOperand(), load->getAlign()};
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != Intrinsic::masked_load)
        return std::nullopt;
    const LaneAccess access{call};
    auto *mask = dyn_cast<Constant>(access.mask());
    if (!mask || !mask->isAllOnesValue())
        return std::nullopt;
    return LongLoad{call, access.pointer(), access.align()};
}

void loadApart(const LongLoad &from, ShuffleVectorInst &shuffle, const int (&places)[2]) {
    IRBuilder<> builder(from.load);
    Type *element = shuffle.getType()->getElementType();
    const unsigned bits = element->getPrimitiveSizeInBits();
    SmallVector<Value *, 2> halves;
    for (int first : places) {
        const uint64_t offset = static_cast<uint64_t>(first) * bits / 8;
        Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from.place, offset);
        halves.push_back(builder.CreateAlignedLoad(FixedVectorType::get(element, pieceBits / bits),
                                                   place, commonAlignment(from.align, offset)));
    }
    shuffle.replaceAllUsesWith(concatenateVectors(builder, halves));
    shuffle.eraseFromParent();
}

} // namespace

void loadHalves(Function &function) {
    SmallVector<LongLoad, 16> loads;
    for (Instruction &instruction : instructions(function))
        if (std::optional<LongLoad> load = longLoad(instruction))
            loads.push_back(*load);
    for (const LongLoad &from : loads) {
        const unsigned piece = pieceBits / from.load->getType()->getScalarSizeInBits();
        for (User *user : make_early_inc_range(from.load->users())) {
            auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
            int places[2];
            if (shuffle && shuffle->getOperand(0) == from.load &&
                isOfHalves(*shuffle, piece, places))
                loadApart(from, *shuffle, places);
        }
        if (from.load->use_empty())
            from.load->eraseFromParent();
    }
}

} // namespace weft
