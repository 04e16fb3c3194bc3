// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Short elements that fill a longer integer. */
#ifndef WEFT_VECTOR_PACKED_H
#define WEFT_VECTOR_PACKED_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * OpenCL vectors whose elements fill an integer together, as uchar4 does one of 32 bits, are taken
 * apart and put together by shifts and masks of all lanes' integers, where what is computed is as
 * long as they are.
 */
void shiftPackedElements(llvm::Function &function);

} // namespace weft

#endif
