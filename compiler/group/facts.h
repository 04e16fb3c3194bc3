// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What stage regions tells stage group-loops (and the oracle in its place) beside code: string
 * attributes of functions, since a module may go through a file between the two. They are written
 * and read here alone. Whoever reads is told of what is not as it must be by an error that names
 * the function; a file may hold anything.
 */
#ifndef WEFT_GROUP_FACTS_H
#define WEFT_GROUP_FACTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace weft {

/** Of the function of a region: its number, below 2^31. */
void setRegionNumber(llvm::Function &region, unsigned number);
bool isRegion(const llvm::Function &function);
llvm::Expected<unsigned> regionNumber(const llvm::Function &region);

/** Of an items function, which runs one region for all items of a group. */
struct ItemsFacts {
    llvm::Function *region = nullptr;
    unsigned number = 0;                 /* the region's own */
    bool checks = false;                 /* only items that are at this region run */
    std::optional<uint64_t> stateOffset; /* where each one's result is kept, if it is */
};

/** `facts.number` is the region's already. */
void setItemsFacts(llvm::Function &items, const ItemsFacts &facts);
bool isItems(const llvm::Function &function);
/** Without an error `items` is called once, and its region is one of the same module, which takes
 *  the same parameters of the kernel and then what plan.h says. */
llvm::Expected<ItemsFacts> itemsFacts(llvm::Function &items);

/** The one call of each items function in `dispatcher`, in the order of code. */
llvm::SmallVector<llvm::CallInst *, 8> itemsCalls(llvm::Function &dispatcher);

} // namespace weft

#endif
