// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Indices of memory in as many bits as addresses have.
//
// Programs compute them as `int`: `sums[from + l - step]` extends a sum of three 32-bit integers.
// Code generation's strength reduction cannot see through that: whether a loop's counter plus
// something wraps is known from the sum's `nsw`, which says nothing of another turn. So each access
// would compute its address anew, with an extension of its own. The sum of what was extended before
// (from and step, once in front of the loop over work-items; l, once for all accesses) is the same
// wherever the program's sum does not wrap, and its parts become parts of the address.

#include "vector/prepare.h"
#include "vector/shape.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace weft {

namespace {

/** How an index is extended, and with it what its sum must not do. */
enum class Sign { Signed, Unsigned };

class Indices {
  public:
    explicit Indices(Function &kernel)
        : kernel(kernel), shapes(kernel), tree(kernel), loops(tree), builder(kernel.getContext()) {}

    void run();

  private:
    bool keeps(const Value &value, Sign sign) const;
    bool isApart(const Value &one, const Value &other) const;
    bool mayTakeApart(const Value &value, Sign sign) const;
    Value *extend(Value &value, Sign sign);

    Function &kernel;
    const Shapes shapes;
    const DominatorTree tree;
    const LoopInfo loops;
    IRBuilder<> builder;
    const Loop *around = nullptr; /* of the index in question */
};

/** An operation that does not wrap, so that its operands may be extended instead. */
bool Indices::keeps(const Value &value, Sign sign) const {
    if (auto *either = dyn_cast<PossiblyDisjointInst>(&value))
        return either->isDisjoint();
    auto *operation = dyn_cast<OverflowingBinaryOperator>(&value);
    return operation &&
           (sign == Sign::Signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap());
}

/** One of them is the same for all lanes or turns, the other is not. */
bool Indices::isApart(const Value &one, const Value &other) const {
    const bool isUniform = shapes.of(one).isUniform();
    if (isUniform != shapes.of(other).isUniform())
        return true;
    return isUniform && around && around->isLoopInvariant(&one) != around->isLoopInvariant(&other);
}

bool Indices::mayTakeApart(const Value &value, Sign sign) const {
    auto *operation = dyn_cast<BinaryOperator>(&value);
    if (!operation || !keeps(value, sign))
        return false;
    const Value &left = *operation->getOperand(0), &right = *operation->getOperand(1);
    switch (operation->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
        return isApart(left, right);
    case Instruction::Mul:
    case Instruction::Shl:
        return isa<ConstantInt>(right) && mayTakeApart(left, sign);
    default:
        return false;
    }
}

/** The value in 64 bits, computed from parts in 64 bits as far as that pays. */
Value *Indices::extend(Value &value, Sign sign) {
    Type *type = builder.getInt64Ty();
    if (auto *cut = dyn_cast<TruncInst>(&value); cut && cut->getSrcTy() == type)
        if (sign == Sign::Signed ? cut->hasNoSignedWrap() : cut->hasNoUnsignedWrap())
            return cut->getOperand(0);
    if (!mayTakeApart(value, sign))
        return sign == Sign::Signed ? builder.CreateSExt(&value, type)
                                    : builder.CreateZExt(&value, type);
    auto &operation = cast<BinaryOperator>(value);
    Value *left = extend(*operation.getOperand(0), sign);
    Value *right = operation.getOpcode() == Instruction::Shl
                       ? builder.CreateZExt(operation.getOperand(1), type)
                       : extend(*operation.getOperand(1), sign);
    switch (operation.getOpcode()) {
    case Instruction::Sub:
        return builder.CreateNSWSub(left, right);
    case Instruction::Mul:
        return builder.CreateNSWMul(left, right);
    case Instruction::Shl:
        return builder.CreateShl(left, right, "", false, true);
    default:
        return builder.CreateNSWAdd(left, right);
    }
}

void Indices::run() {
    SmallVector<CastInst *, 16> todo;
    for (Instruction &instruction : instructions(kernel))
        if (isa<SExtInst, ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
            !shapes.of(instruction).varies &&
            any_of(instruction.users(), [](const User *user) { return isa<GEPOperator>(user); }))
            todo.push_back(cast<CastInst>(&instruction));
    for (CastInst *extension : todo) {
        auto *positive = dyn_cast<PossiblyNonNegInst>(extension);
        const Sign sign =
            isa<SExtInst>(extension) || positive->hasNonNeg() ? Sign::Signed : Sign::Unsigned;
        around = loops.getLoopFor(extension->getParent());
        if (!mayTakeApart(*extension->getOperand(0), sign))
            continue;
        builder.SetInsertPoint(extension);
        extension->replaceAllUsesWith(extend(*extension->getOperand(0), sign));
        extension->eraseFromParent();
    }
}

} // namespace

void extendIndices(Function &kernel) {
    Indices(kernel).run();
}

} // namespace weft
