// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Products of shorts in long. */
#ifndef WEFT_BACKEND_PRODUCTS_H
#define WEFT_BACKEND_PRODUCTS_H

#include "llvm/IR/Module.h"

namespace weft {

/**
 * Makes products in 32 bits of vectors' products in 64 whose factors fit 16 and of which 16 bits
 * from the 17th on are taken. LLVM 22 makes vpmulhw and a shift of 16-bit elements of these, which
 * is wrong for all but the product's own upper half: ((long)a * b) >> 33 becomes a shift by 17, and
 * for less than 32 the sign does not follow (X86ISelLowering.cpp, combinePMULH).
 */
void narrowProducts(llvm::Module &module);

} // namespace weft

#endif
