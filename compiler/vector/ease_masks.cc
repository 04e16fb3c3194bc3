// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The last stage, for targets without AVX-512: accesses under a mask ask first whether all lanes
// are on, which they mostly are. A masked store of AVX is microcode on AMD's processors (12 to 20
// cycles, also where no lane is on); what AVX has no form for is a branch for each lane.

#include "stages.h"
#include "vector/lanes.h"
#include "vector/mask_words.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

namespace {

/** What has more in it pays with build time. */
constexpr unsigned maxGuarded = 64;

/** A masked load or store of neighbours; none: false. */
LaneAccess maskedAccess(Instruction &instruction) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic)
        return {};
    bool isStore = intrinsic->getIntrinsicID() == Intrinsic::masked_store;
    if (!isStore && intrinsic->getIntrinsicID() != Intrinsic::masked_load)
        return {};
    return {intrinsic, isStore};
}

class MaskEaser {
  public:
    MaskEaser(Function &function, const TargetTransformInfo &target, const Switches &switches)
        : function(function), target(target), switches(switches), builder(function.getContext()) {}

    void run();

  private:
    bool isSlow(const LaneAccess &access) const;
    Value *allOn(Value *bits);
    void easeLoad(const LaneAccess &access);
    void easeStores(ArrayRef<LaneAccess> stores);

    Function &function;
    const TargetTransformInfo &target;
    const Switches &switches;
    IRBuilder<> builder;
};

bool MaskEaser::isSlow(const LaneAccess &access) const {
    if (isa<Constant>(access.mask()))
        return false;
    unsigned space = access.pointer()->getType()->getPointerAddressSpace();
    return access.isStore ||
           !target.isLegalMaskedLoad(access.call->getType(), access.align(), space);
}

/** Lanes that are off may have any value in their bit of a mask, but always the same. */
Value *bitsOf(IRBuilderBase &builder, Value *mask) {
    auto *type = cast<FixedVectorType>(mask->getType());
    return builder.CreateFreeze(
        builder.CreateBitCast(mask, builder.getIntNTy(type->getNumElements())), "lanes.on");
}

Value *MaskEaser::allOn(Value *bits) {
    if (switches.broken("whole"))
        return builder.CreateIsNotNull(bits);
    return builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()));
}

void MaskEaser::easeLoad(const LaneAccess &access) {
    builder.SetInsertPoint(access.call);
    Value *whole = allOn(bitsOf(builder, access.mask()));
    insteadWhere(builder, whole, *access.call, nullptr, [&] {
        return builder.CreateAlignedLoad(access.call->getType(), access.pointer(), access.align());
    });
}

/** Stores of one mask, with no other access to memory between them. */
void MaskEaser::easeStores(ArrayRef<LaneAccess> stores) {
    CallInst &first = *stores.front().call, &last = *stores.back().call;
    for (const LaneAccess &store : stores.drop_back())
        store.call->moveBefore(last.getIterator());
    builder.SetInsertPoint(&first);
    Value *bits = bitsOf(builder, stores.back().mask());
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(allOn(bits), first.getIterator(), &then, &otherwise);
    builder.SetInsertPoint(otherwise);
    Instruction *some =
        SplitBlockAndInsertIfThen(builder.CreateIsNotNull(bits), otherwise->getIterator(), false);
    for (const LaneAccess &store : stores) {
        builder.SetInsertPoint(then);
        builder.CreateAlignedStore(store.value(), store.pointer(), store.align())
            ->setDebugLoc(store.call->getDebugLoc());
        store.call->moveBefore(some->getIterator());
    }
}

void MaskEaser::run() {
    SmallVector<LaneAccess, 16> loads;
    SmallVector<SmallVector<LaneAccess, 4>, 16> stores;
    unsigned count = 0;
    for (BasicBlock &block : function) {
        Value *open = nullptr; /* the mask of stores that another one may follow */
        for (Instruction &instruction : block) {
            LaneAccess access = maskedAccess(instruction);
            bool guarded = access && isSlow(access) && count < maxGuarded;
            count += guarded;
            if (guarded && access.isStore) {
                if (open != access.mask())
                    stores.emplace_back();
                stores.back().push_back(access);
                open = access.mask();
            } else if (instruction.mayReadOrWriteMemory()) {
                open = nullptr;
            }
            if (guarded && !access.isStore)
                loads.push_back(access);
        }
    }
    for (const LaneAccess &load : loads)
        easeLoad(load);
    for (ArrayRef<LaneAccess> some : stores)
        easeStores(some);
}

} // namespace

Error EaseMasks::run(Module &module) {
    if (context.options.vectorBits == 512 || !context.options.optimise)
        return Error::success();
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (Function &function : module)
        if (!function.isDeclaration() && widthOf(function) > 1 && !isGiant(function)) {
            MaskEaser(function, analyses.getResult<TargetIRAnalysis>(function),
                      context.options.switches)
                .run();
            makeMasksWords(function, widthOf(function));
        }
    return Error::success();
}

} // namespace weft
