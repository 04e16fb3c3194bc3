// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/arith.h"
#include "norm/half.h"
#include "norm/internals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

bool isDivision(const Instruction &instruction) {
    return instruction.getOpcode() == Instruction::UDiv ||
           instruction.getOpcode() == Instruction::URem ||
           instruction.getOpcode() == Instruction::SDiv ||
           instruction.getOpcode() == Instruction::SRem;
}

/** A constant by which division cannot trap, whatever the dividend. */
bool isSafeDivisor(Value *divisor, bool isSigned) {
    auto safe = [isSigned](const APInt &value) {
        return !value.isZero() && !(isSigned && value.isAllOnes());
    };
    auto *constant = dyn_cast<Constant>(divisor);
    if (!constant)
        return false;
    auto *vector = dyn_cast<FixedVectorType>(divisor->getType());
    unsigned lanes = vector ? vector->getNumElements() : 1;
    for (unsigned lane = 0; lane < lanes; lane++) {
        auto *element =
            dyn_cast_or_null<ConstantInt>(vector ? constant->getAggregateElement(lane) : constant);
        if (!element || !safe(element->getValue()))
            return false;
    }
    return true;
}

/**
 * The divisor becomes 1 where the division would trap. Operands are frozen first: an
 * undefined value could otherwise be zero for the division and something else for the test.
 */
void guardDivision(BinaryOperator &division) {
    bool isSigned =
        division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
    Value *divisor = division.getOperand(1);
    if (isSafeDivisor(divisor, isSigned))
        return;
    IRBuilder<> builder(&division);
    Type *type = divisor->getType();
    divisor = builder.CreateFreeze(divisor);
    Value *traps = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
    if (isSigned) {
        Value *dividend = builder.CreateFreeze(division.getOperand(0));
        Constant *minimum =
            ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
        Value *negates = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
        Value *isMinimum = builder.CreateICmpEQ(dividend, minimum);
        traps = builder.CreateOr(traps, builder.CreateAnd(negates, isMinimum));
        division.setOperand(0, dividend);
    }
    division.setOperand(1, builder.CreateSelect(traps, ConstantInt::get(type, 1), divisor));
    division.setIsExact(false);
}

void lowerMulAdd(IntrinsicInst &call, bool fuse) {
    IRBuilder<> builder(&call);
    builder.setFastMathFlags(call.getFastMathFlags());
    Value *x = call.getArgOperand(0), *y = call.getArgOperand(1), *z = call.getArgOperand(2);
    Value *result =
        fuse ? builder.CreateIntrinsic(Intrinsic::fma, {call.getType()}, {x, y, z}, &call)
             : builder.CreateFAdd(builder.CreateFMul(x, y), z);
    result->takeName(&call);
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
}

/** A fused product of halves takes ten operations of float where there is no instruction, a product
 *  and a sum two. */
bool mayFuse(const Type &type, const TargetMachine &target) {
    return !type.getScalarType()->isHalfTy() || computesInHalf(target);
}

bool isTrap(const Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && (call->getIntrinsicID() == Intrinsic::trap ||
                    call->getIntrinsicID() == Intrinsic::ubsantrap ||
                    call->getIntrinsicID() == Intrinsic::debugtrap);
}

template <typename Atomic> void setSystemScope(Atomic &atomic) {
    if (atomic.getSyncScopeID() != SyncScope::SingleThread)
        atomic.setSyncScopeID(SyncScope::System);
}

/** One set of attributes for all code, or inlining and vector arguments break. */
void setAttributes(Function &function, const PipelineOptions &options) {
    const TargetMachine &target = *options.target;
    function.setCallingConv(CallingConv::C);
    function.setDoesNotThrow();
    function.setDSOLocal(!function.isDeclaration());
    for (const char *name : {"uniform-work-group-size", "stack-protector-buffer-size",
                             "min-legal-vector-width", "tune-cpu", "prefer-vector-width"})
        function.removeFnAttr(name);
    function.addFnAttr("target-cpu", target.getTargetCPU());
    function.addFnAttr("target-features", target.getTargetFeatureString());
    /* What wide kernels get later (choose_width.cc). Had they not got it here, LLVM would make its
     * tables of the target twice, a thirtieth of the smallest build. But where vectors may have 512
     * bits, those of one item's own loops stay at the 256 that LLVM prefers. */
    if (options.vectorBits < 512)
        setVectorBits(function, options.vectorBits);
    if (options.denormsAreZero) {
        // "how single precision and double precision denormalized numbers are handled": not those
        // of half, which processors keep. LLVM has a word for float only; "dynamic" leaves what is
        // made of subnormal numbers of other types to the processor.
        function.addFnAttr("denormal-fp-math", "dynamic,dynamic");
        function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    }
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
            call->setCallingConv(CallingConv::C);
}

void lowerArithmetic(Function &function, const PipelineOptions &options) {
    bool fuse = options.fma && options.contract;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        if (isDivision(instruction))
            guardDivision(cast<BinaryOperator>(instruction));
        else if (match(&instruction, m_Intrinsic<Intrinsic::fmuladd>()))
            lowerMulAdd(cast<IntrinsicInst>(instruction),
                        fuse && mayFuse(*instruction.getType(), *options.target));
        else if (instruction.getOpcode() == Instruction::FDiv &&
                 instruction.getType()->getScalarType()->isHalfTy())
            instruction.setHasAllowReciprocal(false); /* of 2^-16 it is infinite */
    }
}

/**
 * OpenCL vectors at places that only their elements fit, `*(global float16 *)(floats + 1)`, are
 * undefined, but work wherever else such programs run; here an instruction that insists would take
 * the host's process with it. x86 asks nothing for accesses that do not insist.
 */
void alignAsElements(Function &function) {
    const Align most(8); /* of elements */
    for (Argument &argument : function.args())
        if (argument.getParamAlign().valueOrOne() > most &&
            !argument.hasPassPointeeByValueCopyAttr()) {
            argument.removeAttr(Attribute::Alignment);
            argument.addAttr(Attribute::getWithAlignment(function.getContext(), most));
        }
    const DataLayout &layout = function.getDataLayout();
    for (Instruction &instruction : instructions(function)) {
        if (auto *copy = dyn_cast<AnyMemIntrinsic>(&instruction)) {
            copy->setDestAlignment(std::min(copy->getDestAlign().valueOrOne(), most));
            if (auto *transfer = dyn_cast<AnyMemTransferInst>(copy))
                transfer->setSourceAlignment(
                    std::min(transfer->getSourceAlign().valueOrOne(), most));
        } else if (isa<LoadInst, StoreInst>(instruction)) {
            Type *type = getLoadStoreType(&instruction);
            if (type->isVectorTy())
                setLoadStoreAlignment(&instruction,
                                      std::min(getLoadStoreAlignment(&instruction),
                                               layout.getABITypeAlign(type->getScalarType())));
        }
    }
}

void lowerScopes(Function &function) {
    for (Instruction &instruction : instructions(function)) {
        if (auto *load = dyn_cast<LoadInst>(&instruction))
            setSystemScope(*load);
        else if (auto *store = dyn_cast<StoreInst>(&instruction))
            setSystemScope(*store);
        else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
            setSystemScope(*update);
        else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
            setSystemScope(*exchange);
        else if (auto *fence = dyn_cast<FenceInst>(&instruction))
            setSystemScope(*fence);
    }
}

} // namespace

void makeNative(Function &function, const PipelineOptions &options) {
    setAttributes(function, options);
    lowerArithmetic(function, options);
    lowerScopes(function);
    alignAsElements(function);
}

void lowerTraps(Function &function) {
    SmallVector<Instruction *, 4> traps;
    for (BasicBlock &block : function) {
        for (Instruction &instruction : block)
            if (isTrap(instruction) || isa<UnreachableInst>(instruction)) {
                traps.push_back(&instruction);
                break; /* nothing behind it is reached */
            }
    }
    for (Instruction *trap : traps) {
        IRBuilder<> builder(trap);
        builder.CreateCall(declareInternal(*function.getParent(), Internal::Fault),
                           {builder.getInt32(WEFT_FAULT_TRAP)});
        if (!isa<UnreachableInst>(trap))
            changeToUnreachable(trap);
    }
}

} // namespace weft
