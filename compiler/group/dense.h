// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which regions may run under a mask throughout. */
#ifndef WEFT_GROUP_DENSE_H
#define WEFT_GROUP_DENSE_H

namespace llvm {
class Function;
}

namespace weft {

/**
 * True if the wide `region` computes so much between its accesses to memory, in each of its loops
 * too, that the mask of a row's last vector hardly costs anything where all lanes are on.
 * `vectorBits`: of the target's registers.
 */
bool isDense(llvm::Function &region, unsigned vectorBits);

} // namespace weft

#endif
