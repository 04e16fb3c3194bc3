// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/uniformity.h"
#include "norm/internals.h"

#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** LLVM's analysis asks the target what it cannot know: here, what a work-group makes of a
 *  value. */
class GroupTarget : public TargetTransformInfoImplBase {
  public:
    explicit GroupTarget(const DataLayout &layout) : TargetTransformInfoImplBase(layout) {}

    InstructionUniformity getInstructionUniformity(const Value *value) const override {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction)
            return InstructionUniformity::Default;
        switch (internalOf(*instruction)) {
        case Internal::None:
            return ofInstruction(*instruction);
        case Internal::LocalId:
        case Internal::LocalLinearId:
        case Internal::Lanes:
            return InstructionUniformity::NeverUniform;
        default:
            return InstructionUniformity::Default;
        }
    }

  private:
    static InstructionUniformity ofInstruction(const Instruction &instruction) {
        // A frozen undefined value is another one for each item; an alloca is the item's own.
        if (isa<FreezeInst, AllocaInst>(instruction))
            return InstructionUniformity::NeverUniform;
        // So is one on some way to here: items that come that way would overwrite the others'
        // value.
        if (auto *phi = dyn_cast<PHINode>(&instruction))
            if (any_of(phi->incoming_values(), [](const Use &use) { return isa<UndefValue>(use); }))
                return InstructionUniformity::NeverUniform;
        if (auto *load = dyn_cast<LoadInst>(&instruction))
            return isInvariant(*load) ? InstructionUniformity::Default
                                      : InstructionUniformity::NeverUniform;
        return instruction.mayReadOrWriteMemory() ? InstructionUniformity::NeverUniform
                                                  : InstructionUniformity::Default;
    }

    static bool isInvariant(const LoadInst &load) {
        if (!load.isSimple())
            return false;
        return load.getPointerAddressSpace() == 2 ||
               load.hasMetadata(LLVMContext::MD_invariant_load);
    }
};

} // namespace

Uniformity::Uniformity(Function &kernel)
    : tree(kernel), target(std::make_unique<GroupTarget>(kernel.getParent()->getDataLayout())),
      info((cycles.compute(kernel), tree), cycles, &target) {
    info.compute();
    for (auto &[value, user, cycle] : info.getTemporalDivergenceList())
        temporal.insert(value);
}

} // namespace weft
