// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/quiet.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

/** All that is done with the variable is to load and store it as a whole; some of it volatile. */
static bool isCandidate(const AllocaInst &variable) {
    bool isVolatile = false;
    for (const Use &use : variable.uses()) {
        const auto *user = cast<Instruction>(use.getUser());
        if (isa<LifetimeIntrinsic>(user))
            continue;
        auto *store = dyn_cast<StoreInst>(user);
        if (!(store ? use.getOperandNo() == 1 : isa<LoadInst>(user)) || user->isAtomic() ||
            getLoadStoreType(user) != variable.getAllocatedType())
            return false;
        isVolatile |= user->isVolatile();
    }
    return isVolatile && variable.getAllocatedType()->isIntegerTy();
}

void forgetPrivateVolatile(Function &function) {
    SmallVector<AllocaInst *, 4> variables;
    for (Instruction &instruction : instructions(function))
        if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && isCandidate(*variable))
            variables.push_back(variable);
    if (variables.empty())
        return;
    const DominatorTree tree(function);
    const LoopInfo loops(tree);
    for (AllocaInst *variable : variables) {
        if (any_of(variable->users(), [&](const User *user) {
                return isa<StoreInst>(user) &&
                       loops.getLoopFor(cast<Instruction>(user)->getParent());
            }))
            continue;
        for (User *user : variable->users()) {
            if (auto *load = dyn_cast<LoadInst>(user))
                load->setVolatile(false);
            else if (auto *store = dyn_cast<StoreInst>(user))
                store->setVolatile(false);
        }
    }
}

} // namespace weft
