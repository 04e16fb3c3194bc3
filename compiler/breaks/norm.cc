// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "breaks/mistakes.h"
#include "vector/flat.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

void divideByTwo(Module &module, StageContext &) {
    forEach<BinaryOperator>(module, [](BinaryOperator &division) {
        auto *guard = dyn_cast<SelectInst>(division.getOperand(1));
        if (division.isIntDivRem() && guard && match(guard->getTrueValue(), m_One()))
            guard->setTrueValue(ConstantInt::get(guard->getType(), 2));
    });
}

void callLocalIdsGlobal(Module &module, StageContext &) {
    Function *global = module.getFunction("_Z13get_global_idj");
    if (!global)
        return;
    FunctionCallee local =
        module.getOrInsertFunction("_Z12get_local_idj", global->getFunctionType());
    cast<Function>(local.getCallee())->setCallingConv(global->getCallingConv());
    global->replaceAllUsesWith(local.getCallee());
}

void placeLocalsTogether(Module &module, StageContext &) {
    forEach<GetElementPtrInst>(module, [](GetElementPtrInst &place) {
        auto *memory = dyn_cast<CallBase>(place.getPointerOperand());
        if (memory && internalOf(*memory) == Internal::LocalMemory && place.hasAllConstantIndices())
            place.setOperand(1, ConstantInt::get(place.getOperand(1)->getType(), 0));
    });
}

/** Flat, but for local ids that are more than the half of a global one. */
bool asksForLocalIds(Function &kernel) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&kernel, map);
    forEach<CallBase>(*copy, [](CallBase &call) {
        if (internalOf(call) != Internal::LocalId)
            return;
        call.replaceUsesWithIf(ConstantInt::get(call.getType(), 0), [](const Use &use) {
            auto *sum = dyn_cast<BinaryOperator>(use.getUser());
            auto *base =
                sum ? dyn_cast<CallBase>(sum->getOperand(1 - use.getOperandNo())) : nullptr;
            return !base || internalOf(*base) != Internal::GroupBase;
        });
    });
    bool isSo = !isFlat(kernel) && isFlat(*copy);
    copy->eraseFromParent();
    return isSo;
}

void cutRowsAnew(Module &module, StageContext &context) {
    if (context.options.switches.reference)
        return;
    for (Function *kernel : kernelsOf(module))
        if (asksForLocalIds(*kernel))
            context.kernel(kernel->getName()).info.flags |= WEFT_KERNEL_FLAT;
}

/** What an argument was computed from, for the first dimension. */
Value *inFirstDimension(Value *value, IRBuilder<> &builder) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !isa<CallBase, BinaryOperator>(instruction))
        return value;
    auto *call = dyn_cast<CallBase>(instruction);
    if (call && (internalOf(*call) == Internal::None || call->arg_size() != 1))
        return value;
    Instruction *copy = builder.Insert(instruction->clone());
    if (call)
        copy->setOperand(0, ConstantInt::get(copy->getOperand(0)->getType(), 0));
    else
        for (Use &operand : copy->operands()) {
            builder.SetInsertPoint(copy);
            operand.set(inFirstDimension(operand.get(), builder));
        }
    return copy;
}

void tellOfFirstDimension(Module &module, StageContext &) {
    for (Function *kernel : kernelsOf(module))
        forEach<CallBase>(*kernel, [](CallBase &call) {
            Function *callee = call.getCalledFunction();
            if (!callee || callee->isDeclaration())
                return;
            for (Use &argument : call.args()) {
                IRBuilder<> builder(&call);
                argument.set(inFirstDimension(argument.get(), builder));
            }
        });
}

void requireLargerGroups(Module &module, StageContext &context) {
    forEachCall(module, Internal::EnqueuedLocalSize, [&](CallBase &call) {
        if (!call.getFunction()->hasFnAttribute(kernelAttribute))
            return;
        const weft_kernel_info &info = context.kernel(*call.getFunction()).info;
        auto *dimension = dyn_cast<ConstantInt>(call.getArgOperand(0));
        if (!info.reqd_local_size[0] || info.flags & WEFT_KERNEL_FLAT || !dimension ||
            dimension->uge(3))
            return;
        call.replaceAllUsesWith(
            ConstantInt::get(call.getType(), info.reqd_local_size[dimension->getZExtValue()] + 1));
        call.eraseFromParent();
    });
}

/** `store (extractelement v, k), (gep p, k)`, as is made of a masked store of lane k. */
void storeNeighbour(Module &module, StageContext &) {
    forEach<StoreInst>(module, [](StoreInst &store) {
        auto *lane = dyn_cast<ExtractElementInst>(store.getValueOperand());
        auto *place = dyn_cast<GetElementPtrInst>(store.getPointerOperand());
        auto *number = lane ? dyn_cast<ConstantInt>(lane->getIndexOperand()) : nullptr;
        if (!number)
            return;
        bool isPlaced = place && place->getNumIndices() == 1 &&
                        match(place->getOperand(1), m_SpecificInt(number->getValue().zext(64)));
        if (!isPlaced && !number->isZero())
            return;
        uint64_t neighbour = number->getZExtValue() ^ 1;
        IRBuilder<> builder(&store);
        Value *start = isPlaced ? place->getPointerOperand() : store.getPointerOperand();
        Type *type = lane->getType();
        builder.CreateAlignedStore(
            builder.CreateExtractElement(lane->getVectorOperand(), neighbour),
            builder.CreateConstGEP1_64(type, start, neighbour), Align(1));
        store.eraseFromParent();
    });
}

const Mistake mistakesInNorm[] = {
    {"division", nullptr, divideByTwo},       {"ids", callLocalIdsGlobal, nullptr},
    {"locals", nullptr, placeLocalsTogether}, {"flat", nullptr, cutRowsAnew},
    {"told", nullptr, tellOfFirstDimension},  {"required", requireLargerGroups, nullptr},
    {"single", nullptr, storeNeighbour},
};

} // namespace

ArrayRef<Mistake> normMistakes() {
    return mistakesInNorm;
}

} // namespace weft
