// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/pairs.h"

#include "norm/called.h"

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

constexpr StringLiteral pairPrefix = "__weft_pair_", numberPrefix = "__weft_number_";

/** The numbers of a look-up's table. */
const ConstantDataArray *numbersOf(const CallInst &call) {
    auto *global = dyn_cast<GlobalVariable>(call.getArgOperand(1));
    return global && global->hasInitializer()
               ? dyn_cast<ConstantDataArray>(global->getInitializer())
               : nullptr;
}

/** Whether it is the library's, not of some program's own declaration. */
bool isLookUp(const User *user, const Function &function, unsigned bits) {
    auto *call = dyn_cast<CallInst>(user);
    unsigned count = bits == 64 ? 3 : 2;
    if (!call || call->getCalledFunction() != &function || call->arg_size() != count)
        return false;
    Type *places = call->getArgOperand(0)->getType(), *result = call->getType();
    const ConstantDataArray *numbers = numbersOf(*call);
    return numbers && result->getScalarType() == numbers->getElementType() &&
           places->isIntOrIntVectorTy(bits) &&
           result->getPrimitiveSizeInBits() == places->getPrimitiveSizeInBits() &&
           (bits == 64 ? isa<ConstantInt>(call->getArgOperand(2))
                       : is_contained({8U, 16U}, numbers->getNumElements()));
}

SmallVector<CallInst *, 8> lookUps(const Function &function, unsigned bits) {
    SmallVector<CallInst *, 8> calls;
    for (const User *user : function.users())
        if (isLookUp(user, function, bits))
            calls.push_back(const_cast<CallInst *>(cast<CallInst>(user)));
    return calls;
}

bool isOfSecond(const CallInst &call) {
    return cast<ConstantInt>(call.getArgOperand(2))->isOne();
}

/** What the table has at each index, loaded one after the other. */
Value *loadEach(IRBuilderBase &builder, Value *table, Value *indices, Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    Type *element = type->getScalarType();
    Value *all = PoisonValue::get(type);
    for (unsigned lane = 0; lane < (vector ? vector->getNumElements() : 1); lane++) {
        Value *index = vector ? builder.CreateExtractElement(indices, lane) : indices;
        Value *one = builder.CreateLoad(element, builder.CreateInBoundsGEP(element, table, index));
        all = vector ? builder.CreateInsertElement(all, one, lane) : one;
    }
    return all;
}

/** What look-ups of the same places in the same table have in common. */
class Pairs {
  public:
    /** Code goes where `call` is. */
    Pairs(CallInst &call, bool hasPermutation)
        : builder(&call), at(call.getArgOperand(0)), table(call.getArgOperand(1)),
          type(call.getType()), numbers(numbersOf(call)) {
        if (auto *vector = dyn_cast<FixedVectorType>(type))
            lanes = vector->getNumElements();
        isSmall = numbers->getNumElements() == 32;
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
    Constant *numberOf(unsigned pair, bool second) const {
        return numbers->getElementAsConstant(pair * 2 + second);
    }
    /** The first or second numbers alone, as a table of their own: 16 are a permutation, 32 of
     *  which every other one counts are two, where lanes are made of one item's code later. */
    Value *halfOf(bool second) {
        SmallVector<Constant *, 16> half;
        for (unsigned pair = 0; pair < 16; pair++)
            half.push_back(numberOf(pair, second));
        Module &module = *builder.GetInsertBlock()->getModule();
        auto *type = ArrayType::get(builder.getDoubleTy(), 16);
        Constant *numbersOfHalf = ConstantArray::get(type, half);
        std::string name = (table->getName() + (second ? ".second" : ".first")).str();
        GlobalVariable *there = module.getNamedGlobal(name);
        if (there && there->isConstant() && there->hasInitializer() &&
            there->getInitializer() == numbersOfHalf)
            return there;
        return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                  numbersOfHalf, name, nullptr, GlobalValue::NotThreadLocal,
                                  table->getType()->getPointerAddressSpace());
    }
    Value *permutation(unsigned first, bool second) {
        SmallVector<Constant *, 8> parts[2];
        for (unsigned pair = 0; pair < 16; pair++)
            parts[pair / 8].push_back(numberOf(pair, second));
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
        if (isSmall)
            return loadEach(builder, halfOf(second), builder.CreateAnd(at, 15), type);
        Value *twice = builder.CreateShl(builder.CreateAnd(at, 0xffffffff), 1);
        return loadEach(builder, table, second ? builder.CreateOr(twice, 1) : twice, type);
    }

    IRBuilder<> builder;
    Value *at, *table;
    Type *type;
    const ConstantDataArray *numbers;
    unsigned lanes = 1;
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

/** A register's floats from `first` on; those of a table of eight are twice in a register of 16. */
Constant *partOf(const ConstantDataArray &numbers, unsigned first, unsigned count) {
    SmallVector<Constant *, 16> part;
    for (unsigned index = first; index < first + count; index++)
        part.push_back(numbers.getElementAsConstant(index % numbers.getNumElements()));
    return ConstantVector::get(part);
}

/** For 16 places AVX-512's permutation, for 8 one of AVX2 for each eight of the table. */
Value *permuted(IRBuilderBase &builder, Value *places, const ConstantDataArray &numbers) {
    if (cast<FixedVectorType>(places->getType())->getNumElements() == 16)
        return builder.CreateIntrinsic(Intrinsic::x86_avx512_permvar_sf_512,
                                       {partOf(numbers, 0, 16), places});
    Value *halves[2] = {};
    for (unsigned half = 0; half < numbers.getNumElements() / 8; half++)
        halves[half] = builder.CreateIntrinsic(Intrinsic::x86_avx2_permps,
                                               {partOf(numbers, half * 8, 8), places});
    if (!halves[1])
        return halves[0];
    Value *isUpper = builder.CreateICmpSLT(builder.CreateShl(places, 28),
                                           Constant::getNullValue(places->getType()));
    return builder.CreateSelect(isUpper, halves[1], halves[0]);
}

/** The floats of one look-up. */
Value *numbersAt(CallInst &call, const Target &target) {
    IRBuilder<> builder(&call);
    Value *at = call.getArgOperand(0), *table = call.getArgOperand(1);
    auto *vector = dyn_cast<FixedVectorType>(call.getType());
    unsigned lanes = vector ? vector->getNumElements() : 1;
    if (lanes >= 4 && target.level() >= 3) {
        unsigned size = lanes >= 16 && target.vectorBits() == 512 ? 16 : 8;
        return inParts(builder, lanes, size, [&](unsigned first) {
            return permuted(builder, lanesOf(builder, at, first, size), *numbersOf(call));
        });
    }
    Value *low = builder.CreateAnd(at, numbersOf(call)->getNumElements() - 1);
    return loadEach(builder, table, low, call.getType());
}

} // namespace

void lowerPairs(Module &module, const Target &target) {
    for (Function &function : make_early_inc_range(module)) {
        if (!function.isDeclaration() || !function.getName().starts_with("__weft_"))
            continue;
        if (function.getName().starts_with(pairPrefix)) {
            SmallVector<CallInst *, 8> calls = lookUps(function, 64);
            while (!calls.empty())
                lowerLast(calls, target.vectorBits() == 512);
        } else if (function.getName().starts_with(numberPrefix)) {
            for (CallInst *call : lookUps(function, 32)) {
                call->replaceAllUsesWith(numbersAt(*call, target));
                call->eraseFromParent();
            }
        } else {
            continue;
        }
        if (function.use_empty())
            function.eraseFromParent();
    }
}

} // namespace weft
