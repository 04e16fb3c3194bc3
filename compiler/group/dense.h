// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which regions may run under a mask throughout. */
#ifndef WEFT_GROUP_DENSE_H
#define WEFT_GROUP_DENSE_H

namespace llvm {
class Function;
}

namespace weft {

/**
 * True if the wide `region` computes so much between its accesses to memory, as often as either is
 * probably run, and in each of its loops too, that the mask of a row's last vector hardly costs
 * anything where all lanes are on.
 */
bool isDense(llvm::Function &region);

} // namespace weft

#endif
