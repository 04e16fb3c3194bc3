// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * WEFT_SHAPE_LINEAR: lanes are items with consecutive linear local ids, x fastest, whatever the
 * rows of a group are. Only so do "all sub-groups but the last" have one size. Where rows are
 * multiples of the width, or groups one row, the shape of rows gives the same lanes for less.
 */
#ifndef WEFT_VECTOR_LINEAR_H
#define WEFT_VECTOR_LINEAR_H

#include "llvm/IR/Function.h"

namespace weft {

struct KernelRecord;
struct Switches;

/** On kernels: the shape is linear. The value names the kernel that this is a copy of, "": it is
 *  the kernel itself, in both shapes. */
constexpr const char *linearAttribute = "weft-linear";

inline bool isLinear(const llvm::Function &function) {
    return function.hasFnAttribute(linearAttribute);
}

/** The kernel's name in records, for a kernel or its linear copy. */
llvm::StringRef kernelName(const llvm::Function &kernel);

/** Gives a kernel the linear shape, as well or instead, unless its rows are linear anyway. */
void addLinearShape(llvm::Function &kernel, const KernelRecord &record, const Switches &switches);

/** Gives a kernel the linear shape instead of rows. */
void makeLinear(llvm::Function &kernel, llvm::StringRef copyOf, const Switches &switches);

} // namespace weft

#endif
