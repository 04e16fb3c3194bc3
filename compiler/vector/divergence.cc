// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/divergence.h"
#include "norm/internals.h"
#include "norm/sub_groups.h"
#include "vector/lanes.h"

#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

class LaneTarget : public TargetTransformInfoImplBase {
  public:
    explicit LaneTarget(const DataLayout &layout) : TargetTransformInfoImplBase(layout) {}

    InstructionUniformity getInstructionUniformity(const Value *value) const override {
        auto *instruction = dyn_cast<Instruction>(value);
        if (!instruction)
            return InstructionUniformity::Default;
        bool isVarying = false;
        switch (internalOf(*instruction)) {
        case Internal::None:
            isVarying = variesByItself(*instruction);
            break;
        case Internal::LocalId:
            isVarying = cast<ConstantInt>(cast<CallBase>(*instruction).getArgOperand(0))->isZero();
            break;
        case Internal::LocalLinearId:
        case Internal::LaneId:
            isVarying = true;
            break;
        case Internal::Ballot:
            return InstructionUniformity::AlwaysUniform;
        case Internal::SubGroup:
            return subGroupCall(*instruction).isUniform() ? InstructionUniformity::AlwaysUniform
                                                          : InstructionUniformity::NeverUniform;
        default:
            break;
        }
        return isVarying ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
    }

  private:
    static bool variesByItself(const Instruction &instruction) {
        if (isa<AllocaInst>(instruction) || isOrdered(instruction))
            return true;
        if (isa<LoadInst>(instruction) || !isa<CallBase>(instruction))
            return false;
        return instruction.mayReadOrWriteMemory();
    }
};

} // namespace

Divergence::Divergence(Function &kernel)
    : tree(kernel), target(std::make_unique<LaneTarget>(kernel.getParent()->getDataLayout())),
      info((cycles.compute(kernel), tree), cycles, &target) {
    info.compute();
}

} // namespace weft
