// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef WEFT_TYPE_NAME_H
#define WEFT_TYPE_NAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Type.h"

#include <string>

namespace weft {

/** OpenCL C's name of a scalar or vector type: "uint", "float4"; "" for all others. LLVM's integers
 *  do not say whether they are signed. */
std::string typeName(llvm::Type *type, bool isSigned);

/** "_Z3powff" names "pow", which is a part of it; "" if it is no mangled plain name. */
inline llvm::StringRef mangledName(llvm::StringRef symbol) {
    unsigned length = 0;
    if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length))
        return "";
    return symbol.take_front(length);
}

} // namespace weft

#endif
