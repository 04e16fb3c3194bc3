// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/bodies.h"

#include "weft/abi.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft {

StringRef kernelName(const Function &body) {
    StringRef name = body.getFnAttribute(copyAttribute).getValueAsString();
    return name.empty() ? body.getName() : name;
}

unsigned shapeOf(const Function &body) {
    if (!body.hasFnAttribute(copyAttribute))
        return WEFT_SHAPE_ROWS;
    return isLone(body)                           ? WEFT_SHAPE_LONE
           : isSingle(body)                       ? WEFT_SHAPE_SINGLE
           : body.hasFnAttribute(turnedAttribute) ? WEFT_SHAPE_TURNED
           : body.hasFnAttribute(narrowAttribute) ? WEFT_SHAPE_NARROW
                                                  : WEFT_SHAPE_LINEAR;
}

bool isShort(const Function &body) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> loops;
    FindFunctionBackedges(body, loops);
    return loops.empty() && body.getInstructionCount() <= 48 &&
           none_of(instructions(body), [](const Instruction &instruction) {
               return isa<AllocaInst>(instruction) || instruction.isAtomic();
           });
}

Function *copyBody(Function &kernel, const char *suffix) {
    ValueToValueMapTy values;
    Function *copy = CloneFunction(&kernel, values);
    copy->setName(kernel.getName() + "." + suffix);
    copy->addFnAttr(copyAttribute, kernel.getName());
    return copy;
}

} // namespace weft
