// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM has divisions of this kind as well, but 1 / (1 + exp(-x)) is NaN where exp overflows, and so
// is 1 / 0: Newton's step multiplies infinity by zero. The option only says that programs have no
// use for infinities; of many (a logistic function, a row's largest element that begins with
// -INFINITY) that is not true. Here what is no number after the correction is as it was before it.
// What several are divided by is left to code generation, which divides once and multiplies.

#include "norm/quotients.h"
#include "norm/instructions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

bool mayBeEstimated(const Instruction &instruction) {
    auto *type = dyn_cast<FixedVectorType>(instruction.getType());
    return instruction.getOpcode() == Instruction::FDiv && instruction.hasAllowReciprocal() &&
           type && type->getElementType()->isFloatTy() && type->getNumElements() >= 4;
}

class Quotients {
  public:
    Quotients(IRBuilderBase &builder, unsigned vectorBits, bool fma)
        : builder(builder), vectorBits(vectorBits), fma(fma) {}

    Value *quotient(Value *dividend, Value *divisor);

  private:
    Value *multiplyAdd(Value *a, Value *b, Value *c) {
        return fma ? builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c})
                   : builder.CreateFAdd(builder.CreateFMul(a, b), c);
    }

    IRBuilderBase &builder;
    const unsigned vectorBits;
    const bool fma;
};

/** With r = (1 - e) / d: n / d = n r (1 + e + e^2 + ...). Estimates of 14 bits need one term, those
 *  of 11 bits two. */
Value *Quotients::quotient(Value *dividend, Value *divisor) {
    Value *one = ConstantFP::get(divisor->getType(), 1.0);
    Value *estimate = estimateReciprocal(builder, divisor, vectorBits);
    Value *error = multiplyAdd(builder.CreateFNeg(divisor), estimate, one);
    Value *first = match(dividend, m_FPOne()) ? estimate : builder.CreateFMul(dividend, estimate);
    Value *terms = vectorBits == 512 ? error : multiplyAdd(error, error, error);
    Value *corrected = multiplyAdd(first, terms, first);
    return builder.CreateSelect(builder.CreateFCmpORD(corrected, corrected), corrected, first);
}

} // namespace

void estimateQuotients(Function &function, unsigned vectorBits, bool fma) {
    for (BasicBlock &block : function) {
        MapVector<Value *, SmallVector<Instruction *, 2>> divisions; /* by divisor */
        for (Instruction &instruction : block)
            if (mayBeEstimated(instruction))
                divisions[instruction.getOperand(1)].push_back(&instruction);
        for (auto &[divisor, some] : divisions) {
            if (some.size() > 1)
                continue;
            Instruction *division = some.front();
            IRBuilder<> builder(division);
            division->replaceAllUsesWith(
                Quotients(builder, vectorBits, fma).quotient(division->getOperand(0), divisor));
            division->eraseFromParent();
        }
    }
}

} // namespace weft
