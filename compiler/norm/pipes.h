// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Pipe functions become calls of the device's services. */
#ifndef WEFT_NORM_PIPES_H
#define WEFT_NORM_PIPES_H

#include "llvm/IR/Module.h"

namespace weft {

/** Lowers what Clang makes of read_pipe, write_pipe, reserve_..., commit_..., get_pipe_... and
 *  is_valid_reserve_id. Sub-groups' variants stay: no device has them. */
void lowerPipes(llvm::Module &module);

} // namespace weft

#endif
