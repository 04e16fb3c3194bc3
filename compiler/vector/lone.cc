// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/lone.h"

#include "norm/internals.h"
#include "vector/bodies.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

bool asksItems(const Function &kernel) {
    return calls(kernel, Internal::LocalId) || calls(kernel, Internal::LocalLinearId);
}

/** What a query says in a group of one item. */
static std::optional<uint64_t> answerOf(Internal internal) {
    switch (internal) {
    case Internal::LocalId:
    case Internal::LocalLinearId:
        return 0;
    case Internal::LocalSize:
    case Internal::EnqueuedLocalSize:
    case Internal::GroupItems:
        return 1;
    default:
        return std::nullopt;
    }
}

/**
 * Orders memory as the barrier does. "CLK_LOCAL_MEM_FENCE: the barrier function will either flush
 * any variables stored in local memory or queue a memory fence" (OpenCL C 6.13.8): for an item that
 * has its group's local memory to itself that is nothing. What else it has written, other groups
 * may wait for: the compiler keeps to the order, and the processor as far as the scope reaches.
 */
static void replaceBarrier(CallBase &barrier) {
    constexpr uint64_t localMemory = 1, ofGroup = 1; /* CLK_LOCAL_MEM_FENCE, memory_scope_... */
    auto *flags = dyn_cast<ConstantInt>(barrier.getArgOperand(0));
    auto *scope = dyn_cast<ConstantInt>(barrier.getArgOperand(1));
    const bool isOfGroup = scope && scope->getZExtValue() <= ofGroup;
    IRBuilder<> builder(&barrier);
    if (!isOfGroup || !flags || flags->getZExtValue() & ~localMemory)
        builder.CreateFence(AtomicOrdering::AcquireRelease,
                            isOfGroup ? SyncScope::SingleThread : SyncScope::System);
    barrier.eraseFromParent();
}

void makeLone(Function &kernel) {
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        const Internal internal = internalOf(instruction);
        if (internal == Internal::None)
            continue;
        auto &call = cast<CallBase>(instruction);
        if (internal == Internal::Barrier) {
            replaceBarrier(call);
        } else if (std::optional<uint64_t> answer = answerOf(internal)) {
            call.replaceAllUsesWith(ConstantInt::get(call.getType(), *answer));
            call.eraseFromParent();
        }
    }
    kernel.addFnAttr(loneAttribute);
}

} // namespace weft
