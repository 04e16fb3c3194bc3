// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The last stage, for targets without AVX-512: accesses under a mask ask first whether all lanes
// are on, which they mostly are. A masked store of AVX is microcode on AMD's processors (12 to 20
// cycles, also where no lane is on); what AVX has no form for is a branch for each lane.

#include "norm/choices.h"
#include "norm/half.h"
#include "norm/late_operands.h"
#include "norm/quotients.h"
#include "stages/stages.h"
#include "vector/gathers.h"
#include "vector/halves.h"
#include "vector/lanes.h"
#include "vector/mask_words.h"
#include "vector/near_places.h"
#include "vector/packed.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
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

/** No page of x86 is smaller. */
constexpr uint64_t pageBytes = 4096;

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
    MaskEaser(Function &function, const TargetTransformInfo &target)
        : function(function), target(target), builder(function.getContext()) {}

    void run();

  private:
    bool isSlow(const LaneAccess &access) const;
    Value *allOn(Value *bits);
    Value *mayLoadWhole(const LaneAccess &access, Value *bits);
    void easeLoad(const LaneAccess &access);
    void easeStores(ArrayRef<LaneAccess> stores);

    Function &function;
    const TargetTransformInfo &target;
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
    return builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()));
}

/**
 * Whether all that lanes would load can be loaded at once: all of them are on, or some lane is and
 * the other bytes are in its page of memory, so that reading them cannot fail, whatever they are
 * part of. LLVM must not know how large the object is: a load beyond its end has no value for it.
 */
Value *MaskEaser::mayLoadWhole(const LaneAccess &access, Value *bits) {
    const uint64_t bytes = access.call->getDataLayout().getTypeStoreSize(access.call->getType());
    const Value *object = getUnderlyingObject(access.pointer());
    if (bytes > pageBytes || isa<AllocaInst, GlobalVariable>(object))
        return allOn(bits);
    Value *place =
        builder.CreateFreeze(builder.CreatePtrToInt(access.pointer(), builder.getInt64Ty()));
    Value *inPage = builder.CreateAnd(place, pageBytes - 1);
    Value *isInPage = builder.CreateICmpULE(inPage, builder.getInt64(pageBytes - bytes));
    return builder.CreateSelect(isInPage, builder.CreateIsNotNull(bits), allOn(bits));
}

void MaskEaser::easeLoad(const LaneAccess &access) {
    Value *off = access.call->getArgOperand(2); /* of lanes that are off */
    builder.SetInsertPoint(access.call);
    Value *bits = bitsOf(builder, access.mask());
    insteadWhere(builder, mayLoadWhole(access, bits), *access.call, nullptr, [&]() -> Value * {
        Value *whole =
            builder.CreateAlignedLoad(access.call->getType(), access.pointer(), access.align());
        return isa<UndefValue>(off) ? whole : builder.CreateSelect(access.mask(), whole, off);
    });
    builder.SetInsertPoint(access.call);
    insteadWhere(builder, builder.CreateIsNull(bits), *access.call, nullptr, [&] { return off; });
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
    lowerHalf(module, *context.options.target); /* words of masks are those of floats then */
    if (!context.options.optimise)
        return Error::success();
    for (Function &function : module)
        if (!isGiant(function)) {
            takeLateOperandsLast(function);
            partChoices(function);
            estimateQuotients(function, context.options.vectorBits, context.options.fma);
        }
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (Function &function : module)
        if (!function.isDeclaration() && widthOf(function) > 1 && !isGiant(function)) {
            auto &target = analyses.getResult<TargetIRAnalysis>(function);
            shiftPackedElements(function);
            if (context.options.vectorBits < 512) {
                MaskEaser(function, target).run();
                makeMasksWords(function, widthOf(function));
                loadHalves(function);
            }
            takeGathersApart(function, target, context.options.slowGathers);
            bringPlacesNear(function, target);
        }
    return Error::success();
}

} // namespace weft
