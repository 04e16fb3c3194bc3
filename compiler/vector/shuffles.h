// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What shuffles of widened OpenCL vectors and structures do. */
#ifndef WEFT_VECTOR_SHUFFLES_H
#define WEFT_VECTOR_SHUFFLES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace weft {

/** Element `index` of `vector`; no vector: poison. */
struct Element {
    llvm::Value *vector = nullptr;
    unsigned index = 0;
};

/** Where an element comes from, by way of a few shuffles, up to one that is an end. */
Element sourceOf(Element element, llvm::function_ref<bool(const llvm::ShuffleVectorInst &)> isEnd);

/** Which part the shuffle picks out of all lanes' vectors, which have `count` elements, 2 to 16;
 *  nothing: it does not. */
std::optional<size_t> pickedPart(const llvm::ShuffleVectorInst &shuffle, unsigned lanes,
                                 size_t &count);

/** The vectors of `lanes` that the shuffle puts together element by element; empty if it does
 *  not. */
llvm::SmallVector<llvm::Value *, 8> vectorsOf(llvm::ShuffleVectorInst &all, unsigned lanes);

} // namespace weft

#endif
