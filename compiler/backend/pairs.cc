// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/pairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>
#include <functional>

using namespace llvm;

namespace weft {

namespace {

constexpr StringLiteral pairPrefix = "__weft_pair_";

/** Whether it is the library's, not of some program's own declaration. */
bool isLookUp(const User *user, const Function &function) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != &function || call->arg_size() != 3)
        return false;
    Type *places = call->getArgOperand(0)->getType(), *numbers = call->getType();
    return numbers->getScalarType()->isDoubleTy() && places->isIntOrIntVectorTy(64) &&
           numbers->getPrimitiveSizeInBits() == places->getPrimitiveSizeInBits() &&
           isa<GlobalVariable>(call->getArgOperand(1)) && isa<ConstantInt>(call->getArgOperand(2));
}

bool isOfSecond(const CallInst &call) {
    return cast<ConstantInt>(call.getArgOperand(2))->isOne();
}

/** What look-ups of the same places in the same table have in common. */
class Pairs {
  public:
    /** Code goes where `call` is. */
    Pairs(CallInst &call, bool hasPermutation)
        : builder(&call), at(call.getArgOperand(0)), table(call.getArgOperand(1)),
          type(call.getType()) {
        if (auto *vector = dyn_cast<FixedVectorType>(type))
            lanes = vector->getNumElements();
        auto *global = cast<GlobalVariable>(table);
        if (global->hasInitializer())
            numbers = dyn_cast<ConstantDataArray>(global->getInitializer());
        isSmall = numbers && numbers->getNumElements() == 32;
        isPermuted = isSmall && hasPermutation && lanes % 8 == 0;
        if (lanes % 4 != 0 || isPermuted)
            return;
        Value *twice = builder.CreateAdd(at, at);
        for (unsigned first = 0; first < lanes; first += 4)
            loadFour(builder.CreateShuffleVector(twice, createSequentialMask(first, 4, 0)));
    }
    Value *halves(bool second) {
        SmallVector<Value *, 4> results;
        if (isPermuted)
            for (unsigned first = 0; first < lanes; first += 8)
                results.push_back(permutation(first, second));
        else if (!loaded.empty())
            for (unsigned first = 0; first < lanes; first += 4)
                results.push_back(transposed(first, second));
        else
            return oneByOne(second);
        return results.size() == 1 ? results[0] : concatenateVectors(builder, results);
    }

  private:
    Value *permutation(unsigned first, bool second) {
        SmallVector<Constant *, 8> parts[2];
        for (unsigned pair = 0; pair < 16; pair++)
            parts[pair / 8].push_back(numbers->getElementAsConstant(pair * 2 + second));
        Value *places = builder.CreateShuffleVector(at, createSequentialMask(first, 8, 0));
        return builder.CreateIntrinsic(
            Intrinsic::x86_avx512_vpermi2var_pd_512,
            {ConstantVector::get(parts[0]), places, ConstantVector::get(parts[1])});
    }
    /** By way of memory that LLVM leaves alone: from a register each place would take two
     *  instructions of the vector units, one of them a shuffle. Four places at a time: of the
     *  upper half of 64 bytes Golden Cove passes nothing from a store to a load. */
    void loadFour(Value *four) {
        BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
        IRBuilder<> atEntry(&entry, entry.begin());
        Value *slot = atEntry.CreateAlloca(four->getType());
        builder.CreateStore(four, slot, /*isVolatile=*/true);
        auto *two = FixedVectorType::get(builder.getDoubleTy(), 2);
        for (unsigned lane = 0; lane < 4; lane++) {
            Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), slot, lane);
            Value *twice = builder.CreateAlignedLoad(builder.getInt32Ty(), place, Align(8), true);
            twice = isSmall ? builder.CreateAnd(twice, 30) : twice;
            Value *pair = builder.CreateInBoundsGEP(
                builder.getDoubleTy(), table, builder.CreateZExt(twice, builder.getInt64Ty()));
            loaded.push_back(builder.CreateAlignedLoad(two, pair, Align(16)));
        }
    }
    /** Pairs 0 and 2, and 1 and 3, side by side: a load's other half costs no shuffle. */
    Value *transposed(unsigned first, bool second) {
        Value *even = concatenateVectors(builder, {loaded[first], loaded[first + 2]});
        Value *odd = concatenateVectors(builder, {loaded[first + 1], loaded[first + 3]});
        int from = second;
        return builder.CreateShuffleVector(even, odd, {from, 4 + from, 2 + from, 6 + from});
    }
    Value *oneByOne(bool second) {
        Value *all = PoisonValue::get(type);
        Value *twice = builder.CreateShl(builder.CreateAnd(at, isSmall ? 15 : 0xffffffff), 1);
        for (unsigned lane = 0; lane < lanes; lane++) {
            Value *index = lanes > 1 ? builder.CreateExtractElement(twice, lane) : twice;
            index = builder.CreateOr(index, builder.getInt64(second));
            Value *place = builder.CreateInBoundsGEP(builder.getDoubleTy(), table, index);
            Value *one = builder.CreateLoad(builder.getDoubleTy(), place);
            all = lanes > 1 ? builder.CreateInsertElement(all, one, lane) : one;
        }
        return all;
    }

    IRBuilder<> builder;
    Value *at, *table;
    Type *type;
    unsigned lanes = 1;
    const ConstantDataArray *numbers = nullptr;
    bool isSmall, isPermuted;
    SmallVector<Value *, 16> loaded; /* each lane's pair */
};

/** Replaces the last of the calls, and those that look up the same, which are in its block. */
void lowerLast(SmallVectorImpl<CallInst *> &calls, bool hasPermutation) {
    CallInst *first = calls.back();
    auto isLike = [last = calls.back()](const CallInst *call) {
        return call->getParent() == last->getParent() &&
               call->getArgOperand(0) == last->getArgOperand(0) &&
               call->getArgOperand(1) == last->getArgOperand(1);
    };
    auto alike = std::stable_partition(calls.begin(), calls.end(), std::not_fn(isLike));
    for (CallInst *call : make_range(alike, calls.end()))
        if (call->comesBefore(first))
            first = call;
    Pairs pairs(*first, hasPermutation);
    Value *halves[] = {pairs.halves(false), pairs.halves(true)};
    for (CallInst *call : make_range(alike, calls.end())) {
        call->replaceAllUsesWith(halves[isOfSecond(*call)]);
        call->eraseFromParent();
    }
    calls.erase(alike, calls.end());
}

} // namespace

void lowerPairs(Module &module, const Target &target) {
    for (Function &function : make_early_inc_range(module)) {
        if (!function.getName().starts_with(pairPrefix) || !function.isDeclaration())
            continue;
        SmallVector<CallInst *, 8> calls;
        for (User *user : function.users())
            if (isLookUp(user, function))
                calls.push_back(cast<CallInst>(user));
        while (!calls.empty())
            lowerLast(calls, target.vectorBits() == 512);
        if (function.use_empty())
            function.eraseFromParent();
    }
}

} // namespace weft
