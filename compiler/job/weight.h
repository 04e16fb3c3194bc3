// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * How long a kernel's way to machine code will be, known before it is gone: what the kernels of a
 * program are divided by.
 */
#ifndef WEFT_WEIGHT_H
#define WEFT_WEIGHT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

#include <cstdint>

namespace weft {

/** For the functions of one module, as stage inline-barriers leaves it. A unit is about half a
 *  million instructions of the processor. */
class BuildWeight {
  public:
    /** Of a kernel and of all that it calls, as often as it calls it. */
    uint64_t of(const llvm::Function &function);

  private:
    uint64_t own(const llvm::Instruction &instruction);

    llvm::DenseMap<const llvm::Function *, uint64_t> known;
};

} // namespace weft

#endif
