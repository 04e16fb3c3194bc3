// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Stages that are wrong on purpose (breaks.def), in builds of option breakable. */
#ifndef WEFT_BREAKS_BREAKS_H
#define WEFT_BREAKS_BREAKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace weft {

class StageContext;

#ifdef WEFT_BREAKABLE
/** True if breaks.def has a row of this name, and something is done for it. */
bool isBreak(llvm::StringRef name);

/** Does what switch `break` names of this stage, right in front of it and right behind it. */
void breakInFront(llvm::StringRef stage, llvm::Module &module, StageContext &context);
void breakBehind(llvm::StringRef stage, llvm::Module &module, StageContext &context);
#else
inline bool isBreak(llvm::StringRef) {
    return false;
}
inline void breakInFront(llvm::StringRef, llvm::Module &, StageContext &) {}
inline void breakBehind(llvm::StringRef, llvm::Module &, StageContext &) {}
#endif

} // namespace weft

#endif
