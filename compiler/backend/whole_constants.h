// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Constants of AVX and AVX2 that arithmetic can take from memory. */
#ifndef WEFT_BACKEND_WHOLE_CONSTANTS_H
#define WEFT_BACKEND_WHOLE_CONSTANTS_H

#include "llvm/CodeGen/MachineFunction.h"

namespace weft {

/**
 * Behind instruction selection, for levels without AVX-512: a constant that one element of the
 * constant pool is copied to all lanes for becomes a load of all its lanes. Only such a load can be
 * part of the instruction that needs the constant, where the register allocator has no register to
 * keep it in; those that stay loads, LLVM makes copies of one element again at the end
 * (X86FixupVectorConstants). Returns whether there was one.
 */
bool loadWholeConstants(llvm::MachineFunction &function);

} // namespace weft

#endif
