// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/turned.h"

#include "norm/internals.h"
#include "vector/bodies.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** A scan of the group (norm/collectives.cc), which goes by linear ids without asking for them. */
static bool mayBeScan(const Instruction &instruction) {
    constexpr unsigned localSpace = 3;
    const Value *place = nullptr;
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        place = update->getPointerOperand();
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        place = exchange->getPointerOperand();
    return place && !instruction.use_empty() &&
           place->getType()->getPointerAddressSpace() == localSpace;
}

bool mayBeTurned(const Function &kernel) {
    return !calls(kernel, Internal::LocalLinearId) && !calls(kernel, Internal::SubGroup) &&
           none_of(instructions(kernel), mayBeScan);
}

void makeTurned(Function &body) {
    for (Instruction &instruction : instructions(body)) {
        if (!hasDimension(internalOf(instruction)))
            continue;
        auto &call = cast<CallBase>(instruction);
        auto *dimension = cast<ConstantInt>(call.getArgOperand(0));
        if (dimension->getZExtValue() < 2)
            call.setArgOperand(
                0, ConstantInt::get(dimension->getType(), 1 - dimension->getZExtValue()));
    }
    body.addFnAttr(turnedAttribute);
}

} // namespace weft
