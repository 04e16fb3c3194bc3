// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * WEFT_SHAPE_LINEAR: lanes are items with consecutive linear local ids, x fastest, whatever the
 * rows of a group are. Only so do "all sub-groups but the last" have one size. Where rows are
 * multiples of the width, or groups one row, the shape of rows gives the same lanes for less.
 */
#ifndef WEFT_VECTOR_LINEAR_H
#define WEFT_VECTOR_LINEAR_H

#include "vector/bodies.h"

namespace weft {

struct KernelRecord;

/** Gives a kernel the linear shape, as well or instead, unless its rows are linear anyway. */
void addLinearShape(llvm::Function &kernel, const KernelRecord &record);

/** Gives a body the linear shape instead of rows. */
void makeLinear(llvm::Function &body);

} // namespace weft

#endif
