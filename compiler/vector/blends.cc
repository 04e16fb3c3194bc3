// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where lanes come together behind code that some of them jumped over.

#include "vector/prepare.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** A PHI of nothing, where all lanes jumped, and of what the others have got: its place of these.
 */
int placeOfValue(const PHINode &phi) {
    if (phi.getNumIncomingValues() != 2 || !phi.hasOneUse())
        return -1;
    bool first = isa<PoisonValue>(phi.getIncomingValue(0));
    bool second = isa<PoisonValue>(phi.getIncomingValue(1));
    return first == second ? -1 : first ? 1 : 0;
}

bool isThere(const Value *value, const PHINode &phi, const DominatorTree &tree) {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || all_of(phi.blocks(), [&](const BasicBlock *block) {
        return tree.dominates(instruction, block->getTerminator());
    });
}

/** select(c, x, phi(nothing, v)) becomes phi(x, select(c, x, v)). */
void blendEarly(PHINode &phi, const DominatorTree &tree) {
    int place = placeOfValue(phi);
    auto *blend = place < 0 ? nullptr : dyn_cast<SelectInst>(phi.user_back());
    if (!blend || blend->getCondition() == &phi)
        return;
    Value *other = blend->getTrueValue() == &phi ? blend->getFalseValue() : blend->getTrueValue();
    if (!isThere(other, phi, tree) || !isThere(blend->getCondition(), phi, tree))
        return;
    auto at = static_cast<unsigned>(place);
    auto *early = cast<SelectInst>(blend->clone());
    early->insertBefore(phi.getIncomingBlock(at)->getTerminator()->getIterator());
    early->replaceUsesOfWith(&phi, phi.getIncomingValue(at));
    phi.setIncomingValue(at, early);
    phi.setIncomingValue(1 - at, other);
    blend->replaceAllUsesWith(&phi);
    blend->eraseFromParent();
}

} // namespace

void blendEarly(Function &kernel) {
    SmallVector<PHINode *, 16> phis;
    for (BasicBlock &block : kernel)
        for (PHINode &phi : block.phis())
            phis.push_back(&phi);
    DominatorTree tree(kernel);
    for (PHINode *phi : phis)
        blendEarly(*phi, tree);
}

} // namespace weft
