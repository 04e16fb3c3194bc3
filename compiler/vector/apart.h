// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Code for launches whose buffers do not overlap. */
#ifndef WEFT_VECTOR_APART_H
#define WEFT_VECTOR_APART_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace weft {

/** The kernel's argument that a pointer to global memory comes from; null: anything else. */
const llvm::Argument *bufferOf(const llvm::Value &pointer);

/** False: nothing is there that could be told apart. */
bool hasBuffersToTellApart(const llvm::Function &kernel);

/** A simple load or store, and its buffer. */
struct Access {
    llvm::Instruction *instruction;
    const llvm::Argument *buffer; /* null: other memory than buffers */
};

using Accesses = llvm::SmallVector<Access, 16>;

/** Buffers that code wants to be apart, a bit for each argument: as weft_kernel_info has it. */
struct Apart {
    uint64_t buffers = 0, written = 0;

    Apart &operator|=(const Apart &other) {
        buffers |= other.buffers;
        written |= other.written;
        return *this;
    }
};

/** Says of each access that it touches no other buffer than its own, if either is written. */
Apart tellApart(llvm::LLVMContext &context, llvm::ArrayRef<Access> accesses);

/**
 * Copies innermost and outer loops that gain from buffers that are apart: sums that stay in
 * registers instead of memory, loads that are the same in all turns. Which of both runs is asked of
 * the launch by the internal call __weft_apart. Returns what it is to look at;
 * none: nothing was copied. Loops are rotated before.
 */
Apart copyLoopsForApart(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/** The same for parts of blocks in which more accesses than before can be put together
 *  (bundleAccesses) where buffers are apart. */
Apart copyStraightForApart(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
