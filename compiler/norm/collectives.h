// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Work-group functions: work_group_all, any, broadcast, reduce and scan of OpenCL C 2.0. */
#ifndef WEFT_NORM_COLLECTIVES_H
#define WEFT_NORM_COLLECTIVES_H

#include "llvm/IR/InstrTypes.h"

namespace weft {

/**
 * The value of a call of the work-group function `name` (code to be put in front of the call), or
 * null if it is none. `mangled`: its parameters as mangled, which say whether integers have a sign.
 */
llvm::Value *lowerCollective(llvm::CallBase &call, llvm::StringRef name, llvm::StringRef mangled);

} // namespace weft

#endif
