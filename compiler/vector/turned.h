// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Lanes along columns: for groups whose rows are shorter than vectors and whose columns are not,
 * as passes of filters over columns have them. */
#ifndef WEFT_VECTOR_TURNED_H
#define WEFT_VECTOR_TURNED_H

#include "llvm/IR/Function.h"

namespace weft {

/** False: a launch with its first two dimensions exchanged could be told from the launch as it is,
 *  by linear ids, which count along rows, as scans do. */
bool mayBeTurned(const llvm::Function &kernel);

/**
 * Makes of `body`, before it is wide, what runs in a launch with its first two dimensions
 * exchanged: whoever asks for the ids and sizes of one is told those of the other. Sets
 * turnedAttribute.
 */
void makeTurned(llvm::Function &body);

} // namespace weft

#endif
