// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/required_size.h"
#include "norm/internals.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** The constant that a question has for answer; none: at most a range. */
static std::optional<uint64_t> answerOf(const CallBase &call, const uint64_t *required,
                                        const uint64_t *fixed) {
    const Internal internal = internalOf(call);
    if (internal == Internal::GroupItems)
        return fixed ? std::optional(fixed[0] * fixed[1] * fixed[2]) : std::nullopt;
    auto *dimension = call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (!dimension || dimension->uge(3))
        return std::nullopt;
    const uint64_t size = required[dimension->getZExtValue()];
    if (internal == Internal::EnqueuedLocalSize)
        return size;
    if (internal == Internal::LocalSize && fixed)
        return size;
    return internal == Internal::LocalId && size == 1 ? std::optional<uint64_t>(0) : std::nullopt;
}

void tellRequiredSize(Function &kernel, const weft_kernel_info &info) {
    const uint64_t *required = info.reqd_local_size, *fixed = fixedSize(info);
    if (!required[0] || info.flags & WEFT_KERNEL_FLAT)
        return;
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        if (internalOf(instruction) == Internal::None)
            continue;
        auto &call = cast<CallBase>(instruction);
        if (std::optional<uint64_t> answer = answerOf(call, required, fixed)) {
            call.replaceAllUsesWith(ConstantInt::get(call.getType(), *answer));
            call.eraseFromParent();
        } else if (internalOf(call) == Internal::LocalId) {
            if (auto *dimension = dyn_cast<ConstantInt>(call.getArgOperand(0));
                dimension && !dimension->uge(3))
                call.addRangeRetAttr(
                    ConstantRange(APInt(64, 0), APInt(64, required[dimension->getZExtValue()])));
        }
    }
}

} // namespace weft
