// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Accesses of one work-item that lie side by side while lanes are further apart. */
#ifndef WEFT_VECTOR_BUNDLE_H
#define WEFT_VECTOR_BUNDLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace weft {

/** An access with its distance in bytes from another one of the bundle. */
struct BundleMember {
    llvm::Instruction *access;
    int64_t distance;
};

/** Loads or stores of one type, of one block, that may become one access of an OpenCL vector. */
struct Bundle {
    llvm::SmallVector<BundleMember, 8> members; /* in the order of their places */
    bool needsApart; /* it passes accesses of other buffers, which may overlap its own */
};

/** What is taken for granted of two buffers that are arguments. */
enum class Buffers { AsKnown, Apart };

/** Changes nothing. Shapes of a kernel that is not linearised only say where it pays. */
llvm::SmallVector<Bundle, 4> findBundles(llvm::Function &kernel,
                                         llvm::FunctionAnalysisManager &analyses, Buffers buffers);

} // namespace weft

#endif
