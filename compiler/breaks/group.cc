// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "breaks/mistakes.h"
#include "group/facts.h"
#include "group/plan.h"
#include "vector/lanes.h"
#include "vector/prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

namespace {

void forEachRegion(Module &module, function_ref<void(Function &)> change) {
    for (Function &function : module)
        if (isRegion(function))
            change(function);
}

Argument *parameter(Function &region, unsigned which) {
    return region.getArg(static_cast<unsigned>(region.arg_size()) - RegionParameterCount + which);
}

/* ---- regions --------------------------------------------------------------------------------- */

void dropLastBarrier(Module &module, StageContext &) {
    for (Function *kernel : kernelsOf(module)) {
        Instruction *last = nullptr;
        for (Instruction &instruction : instructions(*kernel))
            if (internalOf(instruction) == Internal::Barrier)
                last = &instruction;
        if (last)
            last->eraseFromParent();
    }
}

/** What stage regions holds for the same for all items, and what it is. */
constexpr struct {
    Internal internal;
    const char *standIn;
    RegionParameter parameter;
} ids[] = {{Internal::LocalId, "weft.break.local-id", LocalIdX},
           {Internal::LocalLinearId, "weft.break.local-linear-id", LocalLinear},
           {Internal::Lanes, "weft.break.lanes", Lanes}};

void hideIds(Module &module, StageContext &) {
    for (const auto &id : ids) {
        Function *known = findInternal(module, id.internal);
        if (!known)
            continue;
        Function *unknown =
            Function::Create(known->getFunctionType(), known->getLinkage(), id.standIn, &module);
        unknown->setAttributes(known->getAttributes());
        forEachCall(module, id.internal, [&](CallBase &call) { call.setCalledFunction(unknown); });
    }
}

void showIds(Module &module, StageContext &) {
    for (const auto &id : ids) {
        Function *unknown = module.getFunction(id.standIn);
        if (!unknown)
            continue;
        for (User *user : make_early_inc_range(unknown->users())) {
            auto *call = cast<CallBase>(user);
            unsigned dimension = 0;
            if (call->arg_size())
                dimension = static_cast<unsigned>(
                    cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
            call->replaceAllUsesWith(parameter(*call->getFunction(), id.parameter + dimension));
            call->eraseFromParent();
        }
        unknown->eraseFromParent();
    }
}

/** Places of what each item keeps: elements for each run, of arrays of bytes if it is a variable.
 */
void forEachPlace(Module &module, bool ofVariable, function_ref<void(GetElementPtrInst &)> change) {
    forEachRegion(module, [&](Function &region) {
        Argument *unit = parameter(region, Unit);
        forEach<GetElementPtrInst>(region, [&](GetElementPtrInst &place) {
            if (place.getNumIndices() == 1 && place.getOperand(1) == unit &&
                isa<ArrayType>(place.getSourceElementType()) == ofVariable)
                change(place);
        });
    });
}

void storeNoValues(Module &module, StageContext &) {
    forEachPlace(module, false, [](GetElementPtrInst &place) {
        for (User *user : make_early_inc_range(place.users()))
            if (auto *store = dyn_cast<StoreInst>(user))
                store->eraseFromParent();
    });
}

/** Each region has variables of its own, with something else in them. */
void keepNoVariables(Module &module, StageContext &) {
    forEachPlace(module, true, [](GetElementPtrInst &place) {
        Type *type = place.getSourceElementType();
        IRBuilder<> builder(&place);
        auto *variable = new AllocaInst(type, 0, nullptr, Align(WEFT_BLOCK_ALIGN), "",
                                        place.getFunction()->getEntryBlock().begin());
        builder.CreateMemSet(variable, builder.getInt8(0x55),
                             place.getDataLayout().getTypeAllocSize(type), Align(WEFT_BLOCK_ALIGN));
        place.replaceAllUsesWith(variable);
    });
}

void forgetWhoHasReturned(Module &module, StageContext &) {
    for (Function &function : module) {
        if (!isItems(function))
            continue;
        ItemsFacts facts = cantFail(itemsFacts(function));
        facts.checks = false;
        setItemsFacts(function, facts);
    }
}

void takeFirstExit(Module &module, StageContext &) {
    for (Function *kernel : kernelsOf(module))
        forEach<SwitchInst>(*kernel, [](SwitchInst &choice) {
            BasicBlock *exit = choice.case_begin()->getCaseSuccessor();
            BranchInst::Create(exit, choice.getIterator());
            choice.eraseFromParent();
        });
}

/* ---- group-loops ----------------------------------------------------------------------------- */

/** What all items of the region return; null: not all the same. */
ConstantInt *onlyResult(Function &region) {
    ConstantInt *only = nullptr;
    for (BasicBlock &block : region)
        if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
            auto *result = dyn_cast<ConstantInt>(end->getReturnValue());
            if (!result || (only && only != result))
                return nullptr;
            only = result;
        }
    return only;
}

/** Items for which `condition` holds do nothing in regions that have one way out. */
void skip(Function &region, function_ref<Value *(IRBuilder<> &)> condition) {
    ConstantInt *result = onlyResult(region);
    if (!result)
        return;
    gatherVariables(region);
    BasicBlock &entry = region.getEntryBlock();
    BasicBlock *rest = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca());
    auto *end = BasicBlock::Create(region.getContext(), "", &region);
    ReturnInst::Create(region.getContext(), result, end);
    entry.getTerminator()->eraseFromParent();
    IRBuilder<> builder(&entry);
    builder.CreateCondBr(condition(builder), end, rest);
}

void skipLastItem(Module &module, StageContext &) {
    forEachRegion(module, [](Function &region) {
        skip(region, [&](IRBuilder<> &builder) {
            Value *id = parameter(region, LocalIdX);
            Value *last = builder.CreateSub(callInternal(builder, Internal::LocalSize, 0),
                                            builder.getInt64(1));
            return builder.CreateAnd(builder.CreateICmpEQ(id, last), builder.CreateIsNotNull(id));
        });
    });
}

void skipRest(Module &module, StageContext &) {
    forEachRegion(module, [](Function &region) {
        if (widthOf(region) > 1)
            skip(region, [&](IRBuilder<> &builder) {
                return builder.CreateICmpNE(parameter(region, Lanes),
                                            builder.getInt64(widthOf(region)));
            });
    });
}

void fillRest(Module &module, StageContext &) {
    forEachRegion(module, [](Function &region) {
        Argument *lanes = parameter(region, Lanes);
        if (widthOf(region) > 1)
            lanes->replaceAllUsesWith(ConstantInt::get(lanes->getType(), widthOf(region)));
    });
}

void takeEnqueuedSize(Module &module, StageContext &) {
    Function *enqueued = declareInternal(module, Internal::EnqueuedLocalSize);
    forEachCall(module, Internal::LocalSize,
                [&](CallBase &call) { call.setCalledFunction(enqueued); });
}

void stayAtFirstGroup(Module &module, StageContext &) {
    eraseCalls(module, "weft_rt_group_next");
}

/* ---- abi, reference -------------------------------------------------------------------------- */

void beginAtFirstGroup(Module &module, StageContext &context) {
    for (const KernelRecord &kernel : context.record.kernels)
        for (const std::string &symbol : kernel.entrySymbol)
            if (Function *entry = module.getFunction(symbol); entry && !symbol.empty()) {
                Argument *first = entry->getArg(2);
                first->replaceAllUsesWith(ConstantInt::get(first->getType(), 0));
            }
}

void waitForNobody(Module &module, StageContext &) {
    eraseCalls(module, "weft_rt_reference_barrier");
}

const Mistake mistakesInGroup[] = {
    {"barrier", dropLastBarrier, nullptr},
    {"uniform", hideIds, showIds},
    {"live", nullptr, storeNoValues},
    {"private", nullptr, keepNoVariables},
    {"state", nullptr, forgetWhoHasReturned},
    {"exit", nullptr, takeFirstExit},
    {"tail", skipLastItem, nullptr},
    {"edge", takeEnqueuedSize, nullptr},
    {"group", nullptr, stayAtFirstGroup},
    {"rest", fillRest, nullptr},
    {"row", skipRest, nullptr},
    {"chunk", nullptr, beginAtFirstGroup},
    {"turn", nullptr, waitForNobody},
};

} // namespace

ArrayRef<Mistake> groupMistakes() {
    return mistakesInGroup;
}

} // namespace weft
