// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Names of OpenCL's built-in functions as Clang mangles them (Itanium, with its address
 *  spaces). */
#ifndef WEFT_SPIRV_MANGLE_H
#define WEFT_SPIRV_MANGLE_H

#include "norm/type_name.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"

#include <string>

namespace weft::spirv {

/** One argument of a built-in call: a value, and what its LLVM type does not tell. */
struct Operand {
    llvm::Value *value = nullptr;
    bool isSigned = true;            /* integers: of the value or of what it points to */
    llvm::Type *pointee = nullptr;   /* pointers: null is void */
    llvm::StringRef qualifiers = ""; /* pointers: of the pointee, "K" const, "V" volatile */
    llvm::StringRef spelled = "";    /* not "": the mangled type, such as "12memory_scope" */
};

/** "_Z" length name types. */
std::string mangle(llvm::StringRef name, llvm::ArrayRef<Operand> operands);

/** "image2d" with "_array", "_depth"… of a target type "spirv.Image". */
std::string imageName(const llvm::Type *type);
/** "ro", "wo" or "rw" of an image or pipe type. */
llvm::StringRef accessName(const llvm::Type *type);

} // namespace weft::spirv

#endif
