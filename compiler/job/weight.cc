// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "job/weight.h"

#include "norm/internals.h"
#include "stages/stages.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

/*
 * Fitted to 40 kernels (tests/perf's programs, instructions counted by callgrind): half of them are
 * within a fifth. The number of instructions alone was off by a factor of two for most, because
 * variables in memory, of which most code consists so early, cost nothing, and masks and calls of
 * the library a lot.
 */
constexpr uint64_t perKernel = 40, perBranch = 14, perAccess = 3, perBarrier = 36, perLibrary = 18;

/** A variable that becomes a value. */
bool isPrivate(const Value &place) {
    return isa<AllocaInst>(getUnderlyingObject(&place));
}

bool isFree(const Instruction &instruction) {
    return isa<AllocaInst, CastInst, GetElementPtrInst, PHINode>(instruction) ||
           instruction.isTerminator() || instruction.isLifetimeStartOrEnd() ||
           instruction.isDebugOrPseudoInst();
}

} // namespace

uint64_t BuildWeight::own(const Instruction &instruction) {
    if (const Value *place = getLoadStorePointerOperand(&instruction))
        return isPrivate(*place) ? 0 : perAccess;
    if (auto *branch = dyn_cast<BranchInst>(&instruction))
        return branch->isConditional() ? perBranch : 0;
    if (auto *choice = dyn_cast<SwitchInst>(&instruction))
        return perBranch * choice->getNumCases();
    if (isFree(instruction))
        return 0;
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isIntrinsic())
        return 1;
    if (Internal internal = internalOf(callee); internal != Internal::None)
        return internal == Internal::Barrier ? perBarrier : 1;
    return callee->isDeclaration() ? perLibrary : of(*callee);
}

uint64_t BuildWeight::of(const Function &function) {
    auto [row, isNew] = known.try_emplace(&function, 0); /* recursion is refused later */
    if (!isNew)
        return row->second;
    uint64_t weight = function.hasFnAttribute(kernelAttribute) ? perKernel : 0;
    for (const Instruction &instruction : instructions(function))
        weight += own(instruction);
    return known[&function] = weight;
}

} // namespace weft
