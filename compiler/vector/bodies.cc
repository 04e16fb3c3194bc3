// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/bodies.h"

#include "weft/abi.h"

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
    return isSingle(body)                         ? WEFT_SHAPE_SINGLE
           : body.hasFnAttribute(narrowAttribute) ? WEFT_SHAPE_NARROW
                                                  : WEFT_SHAPE_LINEAR;
}

Function *copyBody(Function &kernel, const char *suffix) {
    ValueToValueMapTy values;
    Function *copy = CloneFunction(&kernel, values);
    copy->setName(kernel.getName() + "." + suffix);
    copy->addFnAttr(copyAttribute, kernel.getName());
    return copy;
}

} // namespace weft
