// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * A kernel may have several bodies, one for each of the ways that a launch can take (WEFT_SHAPE_*
 * of abi.h). The first bears the kernel's name; the others are copies of it made by choose-width,
 * and every stage behind treats them as kernels of their own.
 */
#ifndef WEFT_VECTOR_BODIES_H
#define WEFT_VECTOR_BODIES_H

#include "llvm/IR/Function.h"

namespace weft {

/** On bodies that are copies. The value names the kernel. */
constexpr const char *copyAttribute = "weft-copy-of";
/** On bodies whose lanes are items with consecutive linear ids: WEFT_SHAPE_LINEAR. The kernel
 * itself has it where both shapes are one, or where it has the linear shape only. */
constexpr const char *linearAttribute = "weft-linear";
/** On the body with half as many lanes, or as many as a required row fills: WEFT_SHAPE_NARROW. */
constexpr const char *narrowAttribute = "weft-narrow";
/** On the body that runs one item at a time, of a kernel that is wide: WEFT_SHAPE_SINGLE. */
constexpr const char *singleAttribute = "weft-single";
/** On the body whose lanes are items of a column: WEFT_SHAPE_TURNED. */
constexpr const char *turnedAttribute = "weft-turned";
/** On the body of a group of one item, without barriers: WEFT_SHAPE_LONE. The kernel itself has it
 * where it requires such groups. */
constexpr const char *loneAttribute = "weft-lone";

inline bool isLinear(const llvm::Function &body) {
    return body.hasFnAttribute(linearAttribute);
}

inline bool isSingle(const llvm::Function &body) {
    return body.hasFnAttribute(singleAttribute);
}

inline bool isLone(const llvm::Function &body) {
    return body.hasFnAttribute(loneAttribute);
}

/** What is small and goes straight on costs about as much for one lane as for all. */
bool isShort(const llvm::Function &body);

/** The kernel's name in records, for any of its bodies. */
llvm::StringRef kernelName(const llvm::Function &body);

/** WEFT_SHAPE_* of a body; ROWS for the kernel itself. */
unsigned shapeOf(const llvm::Function &body);

/** A body like the kernel as it is now, named `kernel.suffix`. */
llvm::Function *copyBody(llvm::Function &kernel, const char *suffix);

} // namespace weft

#endif
