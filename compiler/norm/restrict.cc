// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/restrict.h"
#include "norm/internals.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** True if memory may be written through the pointer, or nobody can tell. */
static bool mayWriteThrough(const Value &parameter) {
    SmallSetVector<const Value *, 16> pointers;
    pointers.insert(&parameter);
    for (unsigned index = 0; index < pointers.size(); index++)
        for (const Use &use : pointers[index]->uses()) {
            const User *user = use.getUser();
            if (isa<LoadInst, ICmpInst>(user))
                continue;
            auto *call = dyn_cast<CallBase>(user);
            if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst>(user) &&
                user->getType()->isPtrOrPtrVectorTy())
                pointers.insert(user);
            else if (!call || call->isCallee(&use) || !call->onlyReadsMemory() ||
                     call->getType()->isPtrOrPtrVectorTy())
                return true;
        }
    return false;
}

void forgetRestrict(Function &kernel) {
    if (!calls(kernel, Internal::Barrier))
        return;
    for (Argument &parameter : kernel.args())
        if (parameter.hasNoAliasAttr() && mayWriteThrough(parameter))
            parameter.removeAttr(Attribute::NoAlias);
}

} // namespace weft
