// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strides that values probably have though nothing proves it: a wrong guess costs time only.

#include "vector/shape.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

/** Powers of two from here on mostly leave the lanes of one vector together: 16 of them. */
static constexpr unsigned vectorBits = 4;

/** The mask keeps what the lanes of a vector differ in at this stride, as far as one may know:
 *  `& 0xffffffff`, or `& 0x3fffffffc` of what was multiplied by four. */
static bool keepsSteps(const APInt &mask, int64_t stride) {
    const unsigned lowest = mask.countr_zero();
    return lowest < 64 && stride % (int64_t{1} << lowest) == 0 &&
           mask.lshr(lowest).countr_one() >= vectorBits;
}

/** `x op uniform` where x has this stride: constants tell whether all lanes are alike. */
Shapes::Guess Shapes::guessByUniform(const Instruction &instruction, const Value &uniform,
                                     int64_t stride) const {
    auto *constant = dyn_cast<ConstantInt>(&uniform);
    APInt value = constant ? constant->getValue() : APInt();
    bool isLarge = !constant || value.isNegative() || value.getActiveBits() > vectorBits;
    switch (instruction.getOpcode()) {
    case Instruction::And:
        if (!constant || keepsSteps(value, stride))
            return stride;
        return value.countr_zero() >= vectorBits ? Guess(0) : std::nullopt;
    case Instruction::Xor:
        if (constant && constant->isMinusOne())
            return -stride;
        [[fallthrough]];
    case Instruction::Or:
        return !constant || value.countr_zero() >= vectorBits ? Guess(stride) : std::nullopt;
    case Instruction::URem:
    case Instruction::SRem:
        return isLarge ? Guess(stride) : std::nullopt;
    case Instruction::UDiv:
    case Instruction::SDiv:
        return isLarge ? Guess(0) : std::nullopt;
    case Instruction::LShr:
    case Instruction::AShr:
        if (constant && value.ult(63) && stride % (int64_t{1} << value.getZExtValue()) == 0)
            return stride / (int64_t{1} << value.getZExtValue());
        return !constant || value.uge(vectorBits) ? Guess(0) : std::nullopt;
    case Instruction::Shl:
        if (constant && value.ule(32) && isInt<28>(stride))
            return stride * (int64_t{1} << value.getZExtValue());
        return std::nullopt;
    case Instruction::Mul:
        if (constant && value.getBitWidth() <= 64 && isInt<31>(value.getSExtValue()) &&
            isInt<31>(stride))
            return stride * value.getSExtValue();
        return stride == 0 ? Guess(0) : std::nullopt;
    default:
        return std::nullopt;
    }
}

/** What lanes that are on divide by, mostly: it is 1 in the others, as linearise has it, and where
 * the division would trap. */
static const Value &divisorOfMost(const Instruction &instruction) {
    const Value *divisor = instruction.getOperand(1);
    auto isOne = [](const Value *value) {
        auto *constant = dyn_cast<ConstantInt>(value);
        return constant && constant->isOne();
    };
    while (auto *choice = dyn_cast<SelectInst>(divisor)) {
        if (!instruction.isIntDivRem() ||
            isOne(choice->getTrueValue()) == isOne(choice->getFalseValue()))
            break;
        divisor = isOne(choice->getTrueValue()) ? choice->getFalseValue() : choice->getTrueValue();
    }
    return *divisor;
}

Shapes::Guess Shapes::guessArithmetic(const Instruction &instruction) const {
    const Value &left = *instruction.getOperand(0), &right = divisorOfMost(instruction);
    Guess a = of(left).likely(), b = of(right).likely();
    if (!a || !b || !instruction.getType()->isIntegerTy())
        return std::nullopt;
    /* Saturated: `i ? i - 1 : 0`, whose edge is mostly not met. */
    auto *saturated = dyn_cast<SaturatingInst>(&instruction);
    const unsigned opcode =
        saturated ? static_cast<unsigned>(saturated->getBinaryOp()) : instruction.getOpcode();
    if (opcode == Instruction::Add)
        return *a + *b;
    if (opcode == Instruction::Sub)
        return *a - *b;
    if (of(right).isUniform())
        return guessByUniform(instruction, right, *a);
    if (of(left).isUniform() && instruction.isCommutative())
        return guessByUniform(instruction, left, *b);
    return std::nullopt;
}

/** One of two: an edge's value is mostly not taken. */
Shapes::Guess Shapes::guessChoice(const Value &one, const Value &other) const {
    Guess a = of(one).likely(), b = of(other).likely();
    if (a == b)
        return a;
    if (of(one).isUniform())
        return b;
    return of(other).isUniform() ? a : std::nullopt;
}

Shapes::Guess Shapes::guessPhi(const Instruction &phi) const {
    Guess all;
    for (const Use &use : phi.operands()) {
        auto *instruction = dyn_cast<Instruction>(use.get());
        if (isa<UndefValue>(use.get()) || (instruction && !known.count(instruction)))
            continue;
        Guess one = of(*use.get()).likely();
        if (!one || (all && *all != *one))
            return std::nullopt;
        all = one;
    }
    return all;
}

Shapes::Guess Shapes::guessPointer(const Instruction &instruction) const {
    auto &gep = cast<GetElementPtrInst>(instruction);
    Guess stride = of(*gep.getPointerOperand()).likely();
    if (!stride || gep.getType()->isVectorTy())
        return std::nullopt;
    for (auto type = gep_type_begin(gep), end = gep_type_end(gep); type != end; type++) {
        Guess one = of(*type.getOperand()).likely();
        if (!one || !isInt<28>(*one))
            return std::nullopt;
        if (*one)
            *stride += *one * static_cast<int64_t>(type.getSequentialElementStride(layout));
    }
    return stride;
}

/** For an instruction that varies. Operands that are not known yet do not count. */
Shapes::Guess Shapes::guess(const Instruction &instruction) const {
    if (!instruction.getType()->isIntOrPtrTy() || instruction.getType()->isIntegerTy(1))
        return std::nullopt;
    switch (instruction.getOpcode()) {
    case Instruction::PHI:
        return guessPhi(instruction);
    case Instruction::GetElementPtr:
        return guessPointer(instruction);
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::Freeze:
        return of(*instruction.getOperand(0)).likely();
    case Instruction::Select:
        return guessChoice(*instruction.getOperand(1), *instruction.getOperand(2));
    case Instruction::Call:
        if (isa<MinMaxIntrinsic>(instruction))
            return guessChoice(*instruction.getOperand(0), *instruction.getOperand(1));
        if (isa<SaturatingInst>(instruction))
            return guessArithmetic(instruction);
        /* abs(i - 1): a mirror */
        return cast<CallInst>(instruction).getIntrinsicID() == Intrinsic::abs
                   ? of(*instruction.getOperand(0)).likely()
                   : std::nullopt;
    default:
        return isa<BinaryOperator>(instruction) ? guessArithmetic(instruction) : std::nullopt;
    }
}

} // namespace weft
