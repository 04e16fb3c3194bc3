// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/latency.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

constexpr OperationTime nothing = {0, 0, 0, 0};
constexpr OperationTime load = {4, 0, 0, 0}; /* and what is done for it is done elsewhere */
constexpr OperationTime simple = {1, 1, 0, 0};
constexpr OperationTime product = {3, 1, 1, 0};
constexpr OperationTime arithmetic = {4, 1, 1, 0}; /* of floats; conversions as well */
constexpr OperationTime rounding = {8, 2, 2, 0};
constexpr OperationTime division = {11, 1, 0, 5}, divisionOfDouble = {14, 1, 0, 8};
constexpr OperationTime root = {15, 1, 0, 6}, rootOfDouble = {20, 1, 0, 10};

bool isDouble(const Instruction &instruction) {
    return instruction.getType()->getScalarType()->isDoubleTy();
}

OperationTime timeOf(const IntrinsicInst &call) {
    switch (call.getIntrinsicID()) {
    case Intrinsic::abs:
    case Intrinsic::copysign:
    case Intrinsic::fabs:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::is_fpclass:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
        return simple;
    case Intrinsic::ceil:
    case Intrinsic::floor:
    case Intrinsic::nearbyint:
    case Intrinsic::rint:
    case Intrinsic::round:
    case Intrinsic::roundeven:
    case Intrinsic::trunc:
        return rounding;
    case Intrinsic::sqrt:
        return isDouble(call) ? rootOfDouble : root;
    case Intrinsic::assume:
    case Intrinsic::lifetime_end:
    case Intrinsic::lifetime_start:
        return nothing;
    default:
        return arithmetic;
    }
}

} // namespace

OperationTime timeOf(const Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::BitCast:
    case Instruction::GetElementPtr:
    case Instruction::IntToPtr:
    case Instruction::PHI:
    case Instruction::PtrToInt:
    case Instruction::Trunc:
    case Instruction::ZExt:
        return nothing;
    case Instruction::Load:
        return load;
    case Instruction::FAdd:
    case Instruction::FMul:
    case Instruction::FPExt:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::FPTrunc:
    case Instruction::FSub:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
        return arithmetic;
    case Instruction::FDiv:
    case Instruction::FRem:
        return isDouble(instruction) ? divisionOfDouble : division;
    case Instruction::Mul:
        return product;
    case Instruction::Call:
        if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
            return timeOf(*call);
        return nothing;
    default:
        return simple;
    }
}

} // namespace weft
