// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loops that go where what they load leads them: down trees, along lists. */
#ifndef WEFT_VECTOR_WALK_H
#define WEFT_VECTOR_WALK_H

#include "llvm/Analysis/LoopInfo.h"

namespace llvm {
class ScalarEvolution;
}

namespace weft {

/** Whether a block ends by asking whether some lane is on, or apart from the others: what widen
 *  makes of guards, of loops that go round while any lane is in them, and of guessed strides. */
bool asksLanes(const llvm::BasicBlock &block);

/** The loop goes on while any lane is in it. */
bool isForAll(const llvm::Loop &loop);

/** Such a loop is `for (i = id; i < n; i += size)`: lanes leave it one after the other within a
 * turn, whatever `n` is. */
bool leaveInStep(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/** Some load's place depends on what the same load gave a turn before, so each waits for the one
 *  before it. Not through private variables: a processor foretells what depends on branches. */
bool chases(const llvm::Loop &loop);

/**
 * Of lanes: when each of them leaves depends on what it gathers, where depends on what it gathered
 * before. Neighbours are nowhere near each other then, and take all ways through each turn.
 */
bool lanesWalkApart(const llvm::Loop &loop);

} // namespace weft

#endif
