// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What a run of a kernel's body costs, roughly: LLVM's table of the target's costs, added up over
 *  the blocks as often as they are taken to run. */
#ifndef WEFT_VECTOR_COST_H
#define WEFT_VECTOR_COST_H

#include "llvm/IR/PassManager.h"

namespace weft {

/** On a loop: one turn is as many of the loop that it was. */
constexpr const char *turnsAtOnceMetadata = "weft.turns.at.once";
/** On a loop: what is left over by such a one, with its number. */
constexpr const char *turnsLeftMetadata = "weft.turns.left";

/** Turns of a loop whose length is not known before it runs. */
constexpr double unknownTurns = 16;
/** The same, until the last of all lanes has left. */
constexpr double unknownTurnsOfAll = 24;

/** Of one run, which does one vector of items, or one item. */
struct Cost {
    double cycles = 0, loaded = 0, stored = 0, calls = 0; /* bytes of global and constant memory */
    double meetings = 0;                                  /* barriers that it comes to */
    bool guessed = false;                                 /* some loop's length is not known */

    void add(const Cost &other, double times) {
        cycles += other.cycles * times;
        loaded += other.loaded * times;
        stored += other.stored * times;
        calls += other.calls * times;
        meetings += other.meetings * times;
        guessed |= other.guessed;
    }
};

/**
 * Between stages widen and regions, when a body is one function. Of a body that runs one item at a
 * time it is asked as well what processors cannot foretell, and what LLVM will make vectors of.
 * `slowGathers`: Target::hasSlowGathers().
 */
Cost costOf(llvm::Function &body, bool slowGathers, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
