// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "breaks/mistakes.h"
#include "norm/sub_groups.h"
#include "vector/bodies.h"
#include "vector/lanes.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/* ---- inline-library, choose-width ------------------------------------------------------------ */

/** The ways that arguments choose part behind the entry; a remark says that there are any. */
void takeOtherWay(Module &module, StageContext &context) {
    for (Function *kernel : kernelsOf(module)) {
        auto *branch = dyn_cast<BranchInst>(kernel->getEntryBlock().getTerminator());
        if (branch && branch->isConditional() &&
            any_of(context.kernel(*kernel).remarks, [](StringRef remark) {
                return remark.starts_with("is there once for each way");
            }))
            branch->swapSuccessors();
    }
}

void halveSubGroups(Module &module, StageContext &context) {
    unsigned width = context.options.switches.width;
    for (Function *kernel : kernelsOf(module))
        if (width > 1 && usesSubGroups(*kernel))
            fixSubGroupSize(*kernel, width / 2);
}

/** Ids x and y of linear ones: what is left of one division each. */
void swapIds(Module &module, StageContext &) {
    for (Function *kernel : kernelsOf(module)) {
        if (!isLinear(*kernel))
            continue;
        ZExtInst *x = nullptr, *y = nullptr;
        forEach<ZExtInst>(*kernel, [&](ZExtInst &id) {
            Value *from = nullptr;
            if (!match(id.getOperand(0), m_Sub(m_Value(from), m_Value())))
                return;
            (isa<FPToSIInst>(from) ? y : x) = &id;
        });
        if (!x || !y)
            continue;
        Value *rest = x->getOperand(0);
        x->setOperand(0, y->getOperand(0));
        y->setOperand(0, rest);
    }
}

/* ---- linearise ------------------------------------------------------------------------------- */

/** An i1 that says which lanes take part: made of Internal::Active. */
bool isMask(const Value *value, unsigned depth = 0) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !value->getType()->isIntegerTy(1) || depth > 8)
        return false;
    if (internalOf(*instruction) == Internal::Active)
        return true;
    if (isa<CallBase, LoadInst, CmpInst>(instruction))
        return false;
    return any_of(instruction->operands(),
                  [&](const Use &use) { return isMask(use.get(), depth + 1); });
}

/** `select(mask, not condition, false)` is a mask of those that take the other way. */
void turnNobodyAway(Module &module, StageContext &) {
    forEach<SelectInst>(module, [](SelectInst &lanes) {
        Value *mask = lanes.getCondition();
        if (isMask(mask) && match(lanes.getTrueValue(), m_Not(m_Value())) &&
            match(lanes.getFalseValue(), m_Zero()))
            lanes.replaceAllUsesWith(mask);
        else if (isMask(lanes.getFalseValue()) && match(lanes.getTrueValue(), m_Zero()))
            lanes.replaceAllUsesWith(lanes.getFalseValue());
    });
}

void blendForAll(Module &module, StageContext &) {
    forEach<SelectInst>(module, [](SelectInst &blend) {
        if (isMask(blend.getCondition()) && !blend.getType()->isIntegerTy(1) &&
            !isa<Constant>(blend.getFalseValue()))
            blend.replaceAllUsesWith(blend.getTrueValue());
    });
}

/** Branches that ask whether some lane is there: `isLatch`, to go on with a loop. */
void forEachAny(Module &module, bool isLatch, function_ref<void(BranchInst &, CallBase &)> change) {
    for (Function *kernel : kernelsOf(module)) {
        DominatorTree tree(*kernel);
        for (BasicBlock &block : *kernel) {
            auto *branch = dyn_cast<BranchInst>(block.getTerminator());
            auto *any = branch && branch->isConditional()
                            ? dyn_cast<CallBase>(branch->getCondition())
                            : nullptr;
            if (any && internalOf(*any) == Internal::Any &&
                any_of(branch->successors(), [&](const BasicBlock *next) {
                    return tree.dominates(next, &block);
                }) == isLatch)
                change(*branch, *any);
        }
    }
}

void guardNothing(Module &module, StageContext &) {
    forEachAny(module, false, [](BranchInst &branch, CallBase &any) {
        branch.setCondition(ConstantInt::getTrue(any.getType()));
    });
}

void leaveWithFirstLane(Module &module, StageContext &) {
    forEachAny(module, true, [](BranchInst &branch, CallBase &any) {
        IRBuilder<> builder(&branch);
        Value *gone =
            builder.CreateCall(any.getCalledFunction(), {builder.CreateNot(any.getArgOperand(0))});
        branch.setCondition(builder.CreateNot(gone));
    });
}

void takeAllLanes(Module &module, StageContext &) {
    forEach<CallBase>(module, [](CallBase &call) {
        if (needsLanes(call))
            setLanes(call, ConstantInt::getTrue(call.getContext()));
    });
}

/* ---- widen ----------------------------------------------------------------------------------- */

/** A loop over lanes takes the lowest bit away in each turn. */
void leaveLastLaneOut(Module &module, StageContext &) {
    forEach<PHINode>(module, [](PHINode &left) {
        auto turns = m_c_And(m_Specific(&left), m_Add(m_Specific(&left), m_AllOnes()));
        auto turns2 = m_c_And(m_Specific(&left), m_Sub(m_Specific(&left), m_One()));
        for (unsigned index = 0; index < 2 && left.getNumIncomingValues() == 2; index++) {
            Value *next = left.getIncomingValue(index), *bits = left.getIncomingValue(1 - index);
            unsigned width = widthOf(*left.getFunction());
            if (width < 2 || !(match(next, turns) || match(next, turns2)) ||
                !isa<Instruction>(bits))
                continue;
            IRBuilder<> builder(cast<Instruction>(bits)->getNextNode());
            APInt most = APInt::getLowBitsSet(bits->getType()->getIntegerBitWidth(), width - 1);
            Value *fewer = builder.CreateAnd(bits, ConstantInt::get(bits->getType(), most));
            bits->replaceUsesWithIf(fewer, [&](const Use &use) { return use.getUser() != fewer; });
        }
    });
}

void addUpAllLanes(Module &module, StageContext &) {
    forEach<IntrinsicInst>(module, [](IntrinsicInst &sum) {
        auto *some = sum.arg_size() ? dyn_cast<SelectInst>(sum.getArgOperand(0)) : nullptr;
        if (some && Intrinsic::getBaseName(sum.getIntrinsicID()).starts_with("llvm.vector.reduce"))
            sum.setArgOperand(0, some->getTrueValue());
    });
}

/** Shuffles of one vector whose lanes are `places(lane)`. */
void forEachShuffle(Module &module, function_ref<int(int lane, int lanes)> place,
                    function_ref<void(ShuffleVectorInst &)> change) {
    forEach<ShuffleVectorInst>(module, [&](ShuffleVectorInst &shuffle) {
        ArrayRef<int> mask = shuffle.getShuffleMask();
        int lanes = static_cast<int>(mask.size());
        if (lanes < 4)
            return;
        for (int lane = 0; lane < lanes; lane++)
            if (mask[static_cast<size_t>(lane)] != place(lane, lanes))
                return;
        change(shuffle);
    });
}

void setPlaces(ShuffleVectorInst &shuffle, function_ref<int(int lane)> place) {
    SmallVector<int, 64> mask(shuffle.getShuffleMask());
    for (size_t lane = 0; lane < mask.size(); lane++)
        mask[lane] = place(static_cast<int>(lane));
    shuffle.setShuffleMask(mask);
}

void takeNeighbours(Module &module, StageContext &) {
    forEachShuffle(
        module, [](int lane, int) { return 2 * lane; },
        [](ShuffleVectorInst &shuffle) { setPlaces(shuffle, [](int lane) { return lane; }); });
}

void turnNothingAround(Module &module, StageContext &) {
    forEachShuffle(
        module, [](int lane, int lanes) { return lanes - 1 - lane; },
        [](ShuffleVectorInst &shuffle) { setPlaces(shuffle, [](int lane) { return lane; }); });
}

/** The last step of a scan combines with lanes that are half of all away. */
void leaveLastStepOut(Module &module, StageContext &) {
    forEachShuffle(
        module, [](int lane, int lanes) { return lane < lanes / 2 ? lanes : lane - lanes / 2; },
        [](ShuffleVectorInst &shuffle) {
            const int filling = static_cast<int>(shuffle.getShuffleMask().size());
            setPlaces(shuffle, [&](int) { return filling; });
        });
}

void promiseNoWraps(Module &module, StageContext &) {
    forEach<OverflowingBinaryOperator>(module, [](OverflowingBinaryOperator &sum) {
        auto &instruction = cast<Instruction>(static_cast<Value &>(sum));
        instruction.setHasNoSignedWrap();
        instruction.setHasNoUnsignedWrap();
    });
}

/** Only stage widen is told: nothing is poison for what it was told wrongly. */
void promiseNothing(Module &module, StageContext &) {
    forEach<Instruction>(module, [](Instruction &instruction) {
        if (isa<OverflowingBinaryOperator>(instruction))
            instruction.dropPoisonGeneratingFlags();
    });
}

/** Where lanes probably lie side by side a likely branch asks whether they do. */
void trustGuesses(Module &module, StageContext &) {
    forEach<BranchInst>(module, [](BranchInst &branch) {
        if (branch.isConditional() && branch.hasMetadata(LLVMContext::MD_prof))
            branch.setCondition(ConstantInt::getTrue(branch.getContext()));
    });
}

/** Each row is loaded from where a lane points. */
void swapRows(Module &module, StageContext &) {
    forEach<ExtractElementInst>(module, [](ExtractElementInst &pointer) {
        auto *lane = dyn_cast<ConstantInt>(pointer.getIndexOperand());
        if (pointer.getType()->isPointerTy() && lane && !lane->uge(2))
            pointer.setOperand(1, ConstantInt::get(lane->getType(), 1 - lane->getZExtValue()));
    });
}

/** Registers are pieces, one behind the other, of a longer vector that was loaded. */
void swapRegisters(Module &module, StageContext &) {
    MapVector<Value *, SmallVector<ShuffleVectorInst *, 4>> pieces;
    forEach<ShuffleVectorInst>(module, [&](ShuffleVectorInst &shuffle) {
        ArrayRef<int> mask = shuffle.getShuffleMask();
        for (size_t lane = 1; lane < mask.size(); lane++)
            if (mask[lane] != mask[0] + static_cast<int>(lane))
                return;
        if (mask.size() > 1 && mask[0] % static_cast<int>(mask.size()) == 0)
            pieces[shuffle.getOperand(0)].push_back(&shuffle);
    });
    for (auto &[from, some] : pieces) {
        if (some.size() < 2 || some.front()->getType() != some.back()->getType())
            continue;
        const int first = some.front()->getMaskValue(0), last = some.back()->getMaskValue(0);
        setPlaces(*some.front(), [&](int lane) { return last + lane; });
        setPlaces(*some.back(), [&](int lane) { return first + lane; });
    }
}

/** Private variables are somebody's while stage widen gives each lane its own. */
constexpr StringLiteral sharedPrefix = "weft.break.shared.";

void sharePrivate(Module &module, StageContext &) {
    for (Function *kernel : kernelsOf(module)) {
        if (widthOf(*kernel) < 2)
            continue;
        forEach<AllocaInst>(*kernel, [&](AllocaInst &variable) {
            for (User *user : make_early_inc_range(variable.users()))
                if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
                    marker->eraseFromParent();
            Type *type = variable.getAllocatedType();
            auto *shared =
                new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                                   PoisonValue::get(type), sharedPrefix + kernel->getName());
            shared->setAlignment(variable.getAlign());
            variable.replaceAllUsesWith(shared);
            variable.eraseFromParent();
        });
    }
}

void givePrivateBack(Module &module, StageContext &) {
    for (GlobalVariable &shared : make_early_inc_range(module.globals())) {
        if (!shared.getName().starts_with(sharedPrefix))
            continue;
        convertUsersOfConstantsToInstructions({&shared});
        DenseMap<Function *, AllocaInst *> variables;
        for (Use &use : make_early_inc_range(shared.uses())) {
            Function *user = cast<Instruction>(use.getUser())->getFunction();
            AllocaInst *&variable = variables[user];
            if (!variable)
                variable = new AllocaInst(shared.getValueType(), 0, nullptr, *shared.getAlign(), "",
                                          user->getEntryBlock().begin());
            use.set(variable);
        }
        shared.removeDeadConstantUsers();
        shared.eraseFromParent();
    }
}

/* ---- whole-turns ----------------------------------------------------------------------------- */

/** A loop goes on while a mask's bits are all ones. */
void goOnWithSome(Module &module, StageContext &) {
    for (Function *kernel : kernelsOf(module)) {
        DominatorTree tree(*kernel);
        forEach<BranchInst>(*kernel, [&](BranchInst &branch) {
            auto *all =
                branch.isConditional() ? dyn_cast<ICmpInst>(branch.getCondition()) : nullptr;
            if (all &&
                match(all, m_SpecificICmp(CmpInst::ICMP_EQ, m_BitCast(m_Value()), m_AllOnes())) &&
                tree.dominates(branch.getSuccessor(0), branch.getParent())) {
                all->setPredicate(CmpInst::ICMP_NE);
                all->setOperand(1, ConstantInt::get(all->getOperand(1)->getType(), 0));
            }
        });
    }
}

/* ---- ease-masks ------------------------------------------------------------------------------ */

/** `freeze(all bits of a mask) == all ones` */
void takeOneForAll(Module &module, StageContext &) {
    forEach<ICmpInst>(module, [](ICmpInst &allOn) {
        Value *mask = nullptr;
        if (allOn.getPredicate() == CmpInst::ICMP_EQ && match(allOn.getOperand(1), m_AllOnes()) &&
            match(allOn.getOperand(0), m_Freeze(m_BitCast(m_Value(mask)))) &&
            mask->getType()->isVectorTy()) {
            allOn.setPredicate(CmpInst::ICMP_NE);
            allOn.setOperand(1, ConstantInt::get(allOn.getOperand(1)->getType(), 0));
        }
    });
}

/** `(address & 4095) <= last place that is all in its page` */
void forgetPages(Module &module, StageContext &) {
    forEach<SelectInst>(module, [](SelectInst &mayLoad) {
        CmpPredicate how;
        if (match(mayLoad.getCondition(),
                  m_ICmp(how, m_And(m_Freeze(m_PtrToInt(m_Value())), m_SpecificInt(4095)),
                         m_ConstantInt())))
            mayLoad.setCondition(ConstantInt::getTrue(mayLoad.getContext()));
    });
}

const Mistake mistakesInVector[] = {
    {"choice", nullptr, takeOtherWay},
    {"sub-group-size", halveSubGroups, nullptr},
    {"linear", nullptr, swapIds},
    {"mask", nullptr, turnNobodyAway},
    {"blend", nullptr, blendForAll},
    {"guard", nullptr, guardNothing},
    {"loop", nullptr, leaveWithFirstLane},
    {"sub-group", nullptr, takeAllLanes},
    {"lane", nullptr, leaveLastLaneOut},
    {"sum", nullptr, addUpAllLanes},
    {"stride", nullptr, takeNeighbours},
    {"wraps", promiseNoWraps, promiseNothing},
    {"guess", nullptr, trustGuesses},
    {"reverse", nullptr, turnNothingAround},
    {"rows", nullptr, swapRows},
    {"registers", nullptr, swapRegisters},
    {"copies", sharePrivate, givePrivateBack},
    {"scan", nullptr, leaveLastStepOut},
    {"parting", nullptr, goOnWithSome},
    {"page", nullptr, forgetPages},
    {"whole", nullptr, takeOneForAll},
};

} // namespace

ArrayRef<Mistake> vectorMistakes() {
    return mistakesInVector;
}

} // namespace weft
