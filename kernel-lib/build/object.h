// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the tools that compile with the kernel library share: from a module to an object. */
#ifndef WEFT_KERNEL_LIBRARY_BUILD_OBJECT_H
#define WEFT_KERNEL_LIBRARY_BUILD_OBJECT_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

/** Says what is wrong and ends the tool. */
[[noreturn]] void fail(const llvm::Twine &message);

/** Verifies the module, optimises it (O2, without a C library) and writes the object to `path`;
 *  fails with a sentence. */
void writeObject(llvm::Module &module, llvm::TargetMachine &machine, unsigned vectorBits,
                 llvm::StringRef path);

#endif
