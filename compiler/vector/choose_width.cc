// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many work-items a kernel runs at once, or why one only.

#include "norm/internals.h"
#include "stages.h"
#include "vector/lanes.h"
#include "vector/prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace llvm;

namespace weft {

namespace {

/** One register of the most frequent size of values: 64 bits if doubles prevail, else 32. */
unsigned naturalWidth(const Function &kernel, unsigned bits) {
    unsigned doubles = 0, others = 0;
    for (const Instruction &instruction : instructions(kernel)) {
        Type *type = instruction.getType()->getScalarType();
        if (type->isDoubleTy())
            doubles++;
        else if (type->isFloatTy() || (type->isIntegerTy() && type->getIntegerBitWidth() > 1 &&
                                       type->getIntegerBitWidth() <= 32))
            others++;
    }
    return std::max(bits / (doubles > others ? 64 : 32), 1u);
}

} // namespace

Error ChooseWidth::run(Module &module) {
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (Function *kernel : kernelsOf(module)) {
        KernelRecord &record = context.kernel(kernel->getName());
        record.info.width = 1;
        bool isAlone = kernel->getName() == context.record.initKernel ||
                       kernel->getName() == context.record.finiKernel;
        if (isAlone || !context.options.optimise || context.options.switches.width == 1 ||
            kernel->hasFnAttribute(widthAttribute))
            continue;
        unsigned forced = context.options.switches.width, bits = context.options.vectorBits;
        unsigned width = forced ? forced : naturalWidth(*kernel, bits);
        const char *reason = whyNotWide(*kernel, width, bits);
        if (!reason && !forced && hasLongVectors(*kernel))
            reason = "its OpenCL vectors fill registers already";
        if (!reason && !forced && countsInLoop(*kernel))
            reason = "a loop does little but atomics at different places";
        if (record.info.flags & WEFT_KERNEL_ENQUEUES)
            reason = "it enqueues kernels";
        if (reason)
            record.remarks.push_back(std::string("runs one work-item at a time: ") + reason);
        if (reason || width == 1)
            continue;
        record.info.width = width;
        record.remarks.push_back("runs " + std::to_string(width) + " work-items at once");
        kernel->addFnAttr(widthAttribute, std::to_string(width));
        kernel->addFnAttr("prefer-vector-width", std::to_string(context.options.vectorBits));
        kernel->addFnAttr("min-legal-vector-width", std::to_string(context.options.vectorBits));
        ScalarizerPass().run(*kernel, analyses);
        analyses.clear(*kernel, kernel->getName());
    }
    return Error::success();
}

} // namespace weft
