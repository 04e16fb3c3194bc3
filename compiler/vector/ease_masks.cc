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

/** Masked loads and stores of memory that lanes share a range of. */
struct Access {
    explicit Access(Instruction &instruction) {
        auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
        if (!intrinsic)
            return;
        isStore = intrinsic->getIntrinsicID() == Intrinsic::masked_store;
        if (isStore || intrinsic->getIntrinsicID() == Intrinsic::masked_load)
            call = intrinsic;
    }

    Value *pointer() const { return call->getArgOperand(isStore); }
    Value *mask() const { return call->getArgOperand(isStore + 1); }
    Type *type() const { return isStore ? call->getArgOperand(0)->getType() : call->getType(); }
    Align align() const { return call->getParamAlign(isStore).valueOrOne(); }

    IntrinsicInst *call = nullptr;
    bool isStore = false;
};

class MaskEaser {
  public:
    MaskEaser(Function &function, const TargetTransformInfo &target, const Switches &switches)
        : function(function), target(target), switches(switches), builder(function.getContext()) {}

    void run();

  private:
    bool isSlow(const Access &access) const;
    Value *allOn(Value *bits);
    void easeLoad(const Access &access);
    void easeStores(ArrayRef<IntrinsicInst *> stores);

    Function &function;
    const TargetTransformInfo &target;
    const Switches &switches;
    IRBuilder<> builder;
};

bool MaskEaser::isSlow(const Access &access) const {
    if (isa<Constant>(access.mask()))
        return false;
    unsigned space = access.pointer()->getType()->getPointerAddressSpace();
    return access.isStore || !target.isLegalMaskedLoad(access.type(), access.align(), space);
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

void MaskEaser::easeLoad(const Access &access) {
    IntrinsicInst &call = *access.call;
    builder.SetInsertPoint(&call);
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(allOn(bitsOf(builder, access.mask())), call.getIterator(), &then,
                                  &otherwise);
    BasicBlock *behind = call.getParent();
    call.moveBefore(otherwise->getIterator());
    builder.SetInsertPoint(then);
    LoadInst *whole = builder.CreateAlignedLoad(call.getType(), access.pointer(), access.align());
    whole->setDebugLoc(call.getDebugLoc());
    builder.SetInsertPoint(behind, behind->begin());
    PHINode *result = builder.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(result);
    result->addIncoming(whole, then->getParent());
    result->addIncoming(&call, otherwise->getParent());
}

/** Stores of one mask, with no other access to memory between them. */
void MaskEaser::easeStores(ArrayRef<IntrinsicInst *> stores) {
    IntrinsicInst &last = *stores.back();
    for (IntrinsicInst *store : stores.drop_back())
        store->moveBefore(last.getIterator());
    builder.SetInsertPoint(stores.front());
    Value *bits = bitsOf(builder, Access(last).mask());
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(allOn(bits), stores.front()->getIterator(), &then, &otherwise);
    builder.SetInsertPoint(otherwise);
    Instruction *some =
        SplitBlockAndInsertIfThen(builder.CreateIsNotNull(bits), otherwise->getIterator(), false);
    for (IntrinsicInst *store : stores) {
        Access access(*store);
        builder.SetInsertPoint(then);
        builder.CreateAlignedStore(store->getArgOperand(0), access.pointer(), access.align())
            ->setDebugLoc(store->getDebugLoc());
        store->moveBefore(some->getIterator());
    }
}

void MaskEaser::run() {
    SmallVector<Access, 16> loads;
    SmallVector<SmallVector<IntrinsicInst *, 4>, 16> stores;
    unsigned count = 0;
    for (BasicBlock &block : function) {
        Value *open = nullptr; /* the mask of stores that another one may follow */
        for (Instruction &instruction : block) {
            Access access(instruction);
            bool guarded = access.call && isSlow(access) && count < maxGuarded;
            count += guarded;
            if (guarded && access.isStore) {
                if (open != access.mask())
                    stores.emplace_back();
                stores.back().push_back(access.call);
                open = access.mask();
            } else if (instruction.mayReadOrWriteMemory()) {
                open = nullptr;
            }
            if (guarded && !access.isStore)
                loads.push_back(access);
        }
    }
    for (const Access &load : loads)
        easeLoad(load);
    for (ArrayRef<IntrinsicInst *> some : stores)
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
