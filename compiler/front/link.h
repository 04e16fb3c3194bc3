// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** clLinkProgram's first half: several modules in spir64 form become one. */
#ifndef WEFT_LINK_H
#define WEFT_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>

namespace weft {

/**
 * Reads bitcode in spir64 form. It may come from an application's file, so it is verified; an error
 * is a sentence.
 */
llvm::Expected<std::unique_ptr<llvm::Module>> readModule(llvm::LLVMContext &context,
                                                         llvm::MemoryBufferRef bitcode);

/** Appends the module as bitcode. */
void writeModule(const llvm::Module &module, llvm::SmallVectorImpl<char> &bitcode);

/**
 * Links modules in order. A symbol that two of them define is an error that names it (in all of its
 * occurrences). With `complete` (an executable, not a library), so is a variable that none defines;
 * functions may still be built-ins and are checked when the kernel library is linked.
 */
llvm::Expected<std::unique_ptr<llvm::Module>>
linkModules(llvm::LLVMContext &context, llvm::ArrayRef<llvm::MemoryBufferRef> bitcodes,
            bool complete);

/**
 * Applies the linker's options (WEFT_OPTION_* flags) to a linked module. "The linker may apply
 * these options only to libraries which were created with the -enable-link-options": functions of
 * other libraries keep what they were compiled with, and so does a program that contains one where
 * an option is the whole program's (-cl-denorms-are-zero). With -create-library the functions are
 * marked for later links.
 */
void applyLinkOptions(llvm::Module &module, uint32_t flags);

} // namespace weft

#endif
