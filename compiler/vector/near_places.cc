// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where gathers and scatters find their lanes' places. Their instructions add a base, and an index
// of 32 or 64 bits that they scale, for nothing; but code generation looks at one block alone, and
// what comes from another is 64 bits of address for each lane: two registers where indices take
// one, two gathers for one, and all of it computed even where a guess makes the gather needless.

#include "vector/near_places.h"
#include "vector/gathers.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace weft {

namespace {

/** The operand with the lanes' pointers, of what the target has an instruction for. */
Use *placesOf(Instruction &instruction, const TargetTransformInfo &target) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return nullptr;
    const bool isGather = call->getIntrinsicID() == Intrinsic::masked_gather;
    if (!isGather && call->getIntrinsicID() != Intrinsic::masked_scatter)
        return nullptr;
    auto *type = cast<VectorType>(isGather ? call->getType() : call->getOperand(0)->getType());
    const unsigned index = isGather ? 0 : 1;
    const Align align = call->getParamAlign(index).valueOrOne();
    const bool has = isGather ? hasGather(*call, target)
                              : target.isLegalMaskedScatter(type, align) &&
                                    !target.forceScalarizeMaskedScatter(type, align);
    return has ? &call->getOperandUse(index) : nullptr;
}

/** What comes from another block, once more in the user's. */
Instruction *bringNear(Use &use) {
    auto *from = cast<Instruction>(use.get());
    auto *user = cast<Instruction>(use.getUser());
    if (from->getParent() == user->getParent())
        return from;
    Instruction *near = from->clone();
    near->insertBefore(user->getIterator());
    use.set(near);
    RecursivelyDeleteTriviallyDeadInstructions(from);
    return near;
}

/** A base, and one index that the instruction scales: nothing is left to compute. */
bool isScaled(const GetElementPtrInst &gep) {
    const TypeSize size = gep.getDataLayout().getTypeAllocSize(gep.getSourceElementType());
    return !gep.getPointerOperandType()->isVectorTy() && gep.getNumIndices() == 1 &&
           size.getFixedValue() <= 8 && isPowerOf2_64(size.getFixedValue());
}

/** Indices of 32 bits have a sign. */
void bringIndexNear(Use &index) {
    auto *extended = dyn_cast<CastInst>(index);
    if (!extended ||
        !(isa<SExtInst>(extended) || (isa<ZExtInst>(extended) && extended->hasNonNeg())))
        return;
    Instruction *near = bringNear(index);
    if (!isa<ZExtInst>(near))
        return;
    auto *sign = CastInst::Create(Instruction::SExt, near->getOperand(0), near->getType(), "",
                                  near->getIterator());
    index.set(sign);
    RecursivelyDeleteTriviallyDeadInstructions(near);
}

} // namespace

void bringPlacesNear(Function &function, const TargetTransformInfo &target) {
    SmallVector<Use *, 16> all;
    for (Instruction &instruction : instructions(function))
        if (Use *places = placesOf(instruction, target))
            all.push_back(places);
    for (Use *places : all)
        if (auto *gep = dyn_cast<GetElementPtrInst>(*places); gep && isScaled(*gep))
            bringIndexNear(bringNear(*places)->getOperandUse(1));
}

} // namespace weft
