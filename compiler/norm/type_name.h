// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef WEFT_TYPE_NAME_H
#define WEFT_TYPE_NAME_H

#include "llvm/IR/Type.h"

#include <string>

namespace weft {

/** OpenCL C's name of a scalar or vector type: "uint", "float4"; "" for all others. LLVM's integers
 *  do not say whether they are signed. */
std::string typeName(llvm::Type *type, bool isSigned);

} // namespace weft

#endif
