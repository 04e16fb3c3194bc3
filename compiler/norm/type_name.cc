// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/type_name.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace weft {

std::string typeName(Type *type, bool isSigned) {
    Type *scalar = type->getScalarType();
    std::string name;
    if (scalar->isHalfTy())
        name = "half";
    else if (scalar->isFloatTy())
        name = "float";
    else if (scalar->isDoubleTy())
        name = "double";
    else if (scalar->isIntegerTy(1))
        name = "bool";
    else if (scalar->isIntegerTy())
        name = (isSigned ? "" : "u") +
               StringSwitch<std::string>(std::to_string(scalar->getIntegerBitWidth()))
                   .Case("8", "char")
                   .Case("16", "short")
                   .Case("32", "int")
                   .Default("long");
    else
        return "";
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        name += std::to_string(vector->getNumElements());
    return name;
}

} // namespace weft
