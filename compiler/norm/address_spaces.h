// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Functions that ask in which address space a generic pointer points. */
#ifndef WEFT_NORM_ADDRESS_SPACES_H
#define WEFT_NORM_ADDRESS_SPACES_H

#include "llvm/IR/InstrTypes.h"

namespace weft {

/** The value of a call of get_fence, to_global, to_local or to_private, or null if it is none. */
llvm::Value *lowerAddressSpaceTest(llvm::CallBase &call, llvm::StringRef name);

} // namespace weft

#endif
