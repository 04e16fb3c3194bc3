// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** printf as records of weft/abi.h. */
#ifndef WEFT_NORM_PRINTF_H
#define WEFT_NORM_PRINTF_H

#include "llvm/IR/Module.h"

namespace weft {

/** Replaces all `__weft_printf` calls. The kernels that print get WEFT_KERNEL_PRINTF elsewhere:
 *  they reach `__weft_launch` through the functions made here. */
void lowerPrintf(llvm::Module &module);

} // namespace weft

#endif
