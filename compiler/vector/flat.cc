// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/flat.h"
#include "norm/internals.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** All that is done with the call is to add it to the other half of a global id. */
static bool isHalfOfId(const Instruction &half, Internal other) {
    const Value *dimension = cast<CallBase>(half).getArgOperand(0);
    return all_of(half.users(), [&](const User *user) {
        auto *sum = dyn_cast<BinaryOperator>(user);
        if (!sum || sum->getOpcode() != Instruction::Add)
            return false;
        auto *rest = dyn_cast<CallBase>(sum->getOperand(sum->getOperand(0) == &half));
        return rest && internalOf(*rest) == other && rest->getArgOperand(0) == dimension;
    });
}

bool isFlat(Function &kernel) {
    for (const Argument &argument : kernel.args())
        if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == 3)
            return false;
    for (const Instruction &instruction : instructions(kernel)) {
        switch (internalOf(instruction)) {
        case Internal::LocalId:
            if (!isHalfOfId(instruction, Internal::GroupBase))
                return false;
            break;
        case Internal::GroupBase:
            if (!isHalfOfId(instruction, Internal::LocalId))
                return false;
            break;
        case Internal::None:
        case Internal::GlobalSize:
        case Internal::GlobalOffset:
        case Internal::WorkDim:
        case Internal::Apart:
        case Internal::ProgramData:
        case Internal::Fault:
            break;
        default: /* printf and the like: output comes group by group */
            return false;
        }
    }
    return true;
}

} // namespace weft
