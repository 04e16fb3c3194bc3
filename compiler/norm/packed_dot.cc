// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/packed_dot.h"

#include "norm/called.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

namespace weft {

namespace {

constexpr StringLiteral prefix = "__weft_dot4_";
constexpr StringLiteral signNames[] = {"uu", "us", "ss"};

std::optional<PackedSigns> signsOf(const Function *function) {
    StringRef name = function ? function->getName() : "";
    if (!name.consume_front(prefix))
        return std::nullopt;
    Type *type = function->getReturnType();
    if (!type->isIntOrIntVectorTy(32) ||
        function->getFunctionType() != FunctionType::get(type, {type, type}, false))
        return std::nullopt; /* some program's own declaration */
    for (unsigned signs = 0; signs < std::size(signNames); signs++)
        if (name.split('.').first == signNames[signs])
            return static_cast<PackedSigns>(signs);
    return std::nullopt;
}

std::optional<PackedSigns> signsOf(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call ? signsOf(call->getCalledFunction()) : std::nullopt;
}

Function *declare(Module &module, PackedSigns signs, Type *type) {
    std::string name = (prefix + signNames[static_cast<unsigned>(signs)]).str();
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        name += "." + std::to_string(vector->getNumElements());
    auto *function = cast<Function>(
        module.getOrInsertFunction(name, FunctionType::get(type, {type, type}, false)).getCallee());
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    function->setMustProgress();
    function->setSpeculatable();
    function->addFnAttr(Attribute::NoSync);
    function->addFnAttr(Attribute::NoFree);
    return function;
}

/** Code for one register of words. */
class DotCode {
  public:
    DotCode(IRBuilderBase &builder, bool hasVnni) : builder(builder), hasVnni(hasVnni) {}

    /** accumulator + dot product; the accumulator may be null. */
    Value *sum(PackedSigns signs, Value *accumulator, Value *a, Value *b);
    /** The same, saturated; there is an instruction with VNNI, and bytes without a sign in `a`. */
    Value *saturated(Value *accumulator, Value *a, Value *b) {
        return multiplyAdd(accumulator, a, b, true);
    }

  private:
    Value *withVnni(PackedSigns signs, Value *accumulator, Value *a, Value *b);
    Value *withPairs(PackedSigns signs, Value *a, Value *b);
    Value *multiplyAdd(Value *accumulator, Value *unsignedBytes, Value *signedBytes,
                       bool saturates);
    Value *intrinsic(Intrinsic::ID id, ArrayRef<Value *> arguments);
    Value *halfOfPairs(Value *words, bool isSigned, bool odd);
    Value *splat(Value *like, uint32_t word) { return ConstantInt::get(like->getType(), word); }

    IRBuilderBase &builder;
    const bool hasVnni;
};

unsigned bitsOf(const Value *words) {
    return static_cast<unsigned>(words->getType()->getPrimitiveSizeInBits().getFixedValue());
}

/** With arguments seen as its parameters' types. */
Value *DotCode::intrinsic(Intrinsic::ID id, ArrayRef<Value *> arguments) {
    Function *function =
        Intrinsic::getOrInsertDeclaration(builder.GetInsertBlock()->getModule(), id);
    SmallVector<Value *, 3> seen;
    for (unsigned index = 0; index < arguments.size(); index++)
        seen.push_back(builder.CreateBitCast(arguments[index],
                                             function->getFunctionType()->getParamType(index)));
    return builder.CreateCall(function, seen);
}

/** vpdpbusd: "multiplies the individual unsigned bytes of the first source operand by the
 *  corresponding signed bytes of the second", and adds the four products to a word. */
Value *DotCode::multiplyAdd(Value *accumulator, Value *unsignedBytes, Value *signedBytes,
                            bool saturates) {
    constexpr Intrinsic::ID ids[2][3] = {
        {Intrinsic::x86_avx512_vpdpbusd_128, Intrinsic::x86_avx512_vpdpbusd_256,
         Intrinsic::x86_avx512_vpdpbusd_512},
        {Intrinsic::x86_avx512_vpdpbusds_128, Intrinsic::x86_avx512_vpdpbusds_256,
         Intrinsic::x86_avx512_vpdpbusds_512}};
    unsigned bits = bitsOf(accumulator);
    return intrinsic(ids[saturates][bits == 128   ? 0
                                    : bits == 256 ? 1
                                                  : 2],
                     {accumulator, unsignedBytes, signedBytes});
}

/**
 * A byte with its top bit changed is 128 more (signed to unsigned) or less (unsigned to signed), so
 * the products differ by 128 times the sum of the other word's bytes, which the same instruction
 * finds.
 */
Value *DotCode::withVnni(PackedSigns signs, Value *accumulator, Value *a, Value *b) {
    if (!accumulator)
        accumulator = splat(a, 0);
    Value *tops = splat(a, 0x80808080);
    switch (signs) {
    case PackedSigns::US:
        return multiplyAdd(accumulator, a, b, false);
    case PackedSigns::SS: {
        Value *excess = multiplyAdd(splat(a, 0), tops, b, false);
        return multiplyAdd(builder.CreateSub(accumulator, excess), builder.CreateXor(a, tops), b,
                           false);
    }
    case PackedSigns::UU: {
        Value *half = splat(a, 0x40404040); /* 128 is no signed byte */
        for (unsigned time = 0; time < 2; time++)
            accumulator = multiplyAdd(accumulator, a, half, false);
        return multiplyAdd(accumulator, a, builder.CreateXor(b, tops), false);
    }
    }
    return nullptr;
}

/** Even or odd bytes, each extended to 16 bits. */
Value *DotCode::halfOfPairs(Value *words, bool isSigned, bool odd) {
    Type *type = FixedVectorType::get(builder.getInt16Ty(), bitsOf(words) / 16);
    Value *pairs = builder.CreateBitCast(words, type);
    if (odd)
        return isSigned ? builder.CreateAShr(pairs, 8) : builder.CreateLShr(pairs, 8);
    return isSigned ? builder.CreateAShr(builder.CreateShl(pairs, 8), 8)
                    : builder.CreateAnd(pairs, ConstantInt::get(type, 255));
}

/** pmaddwd adds products of 16 bits in 32; pmaddubsw, of bytes, would saturate their sum. */
Value *DotCode::withPairs(PackedSigns signs, Value *a, Value *b) {
    unsigned bits = bitsOf(a);
    Intrinsic::ID id = bits == 128   ? Intrinsic::x86_sse2_pmadd_wd
                       : bits == 256 ? Intrinsic::x86_avx2_pmadd_wd
                                     : Intrinsic::x86_avx512_pmaddw_d_512;
    Value *sums[2];
    for (bool odd : {false, true})
        sums[odd] = intrinsic(id, {halfOfPairs(a, signs == PackedSigns::SS, odd),
                                   halfOfPairs(b, signs != PackedSigns::UU, odd)});
    return builder.CreateAdd(sums[0], sums[1]);
}

Value *DotCode::sum(PackedSigns signs, Value *accumulator, Value *a, Value *b) {
    if (hasVnni)
        return withVnni(signs, accumulator, a, b);
    Value *product = withPairs(signs, a, b);
    return accumulator ? builder.CreateAdd(product, accumulator) : product;
}

/** One lane: LLVM chooses. */
Value *ofOneLane(IRBuilderBase &builder, PackedSigns signs, Value *a, Value *b) {
    auto bytes = [&](Value *word, bool isSigned) {
        Value *four = builder.CreateBitCast(word, FixedVectorType::get(builder.getInt8Ty(), 4));
        return builder.CreateIntCast(four, FixedVectorType::get(builder.getInt32Ty(), 4), isSigned);
    };
    return builder.CreateAddReduce(
        builder.CreateMul(bytes(a, signs == PackedSigns::SS), bytes(b, signs != PackedSigns::UU)));
}

/** What a call becomes together with the sum that alone uses it. */
struct Place {
    CallInst *call;
    Instruction *sum = nullptr;
    Value *accumulator = nullptr;
    bool saturates = false;
};

Place placeOf(CallInst &call, PackedSigns signs, bool hasVnni) {
    Place place{&call};
    if (!hasVnni || !call.hasOneUse() || !call.getType()->isVectorTy())
        return place;
    auto *user = cast<Instruction>(*call.user_begin());
    if (user->getParent() != call.getParent())
        return place; /* perhaps in a loop that the call is not in */
    auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    place.saturates =
        intrinsic && intrinsic->getIntrinsicID() == Intrinsic::sadd_sat && signs == PackedSigns::US;
    if (!place.saturates && user->getOpcode() != Instruction::Add)
        return place;
    place.sum = user;
    place.accumulator = user->getOperand(user->getOperand(0) == &call);
    return place;
}

/** In registers of at most so many bits, and results side by side. */
Value *inRegisters(IRBuilderBase &builder, PackedSigns signs, const Place &place, bool hasVnni,
                   unsigned vectorBits) {
    unsigned lanes = cast<FixedVectorType>(place.call->getType())->getNumElements();
    unsigned each = std::clamp(static_cast<unsigned>(PowerOf2Ceil(lanes)), 4u, vectorBits / 32);
    DotCode code(builder, hasVnni);
    return inParts(builder, lanes, each, [&](unsigned first) {
        auto part = [&](Value *all) { return all ? lanesOf(builder, all, first, each) : nullptr; };
        Value *a = part(place.call->getArgOperand(0)), *b = part(place.call->getArgOperand(1));
        Value *accumulator = part(place.accumulator);
        return place.saturates ? code.saturated(accumulator, a, b)
                               : code.sum(signs, accumulator, a, b);
    });
}

} // namespace

bool isPackedDot(const Instruction &instruction) {
    return signsOf(instruction).has_value();
}

double packedDotCycles(const CallBase &call, unsigned vectorBits) {
    unsigned bits = static_cast<unsigned>(call.getType()->getPrimitiveSizeInBits().getFixedValue());
    return 4.0 * static_cast<double>(divideCeil(bits, vectorBits));
}

CallInst *createPackedDot(IRBuilderBase &builder, PackedSigns signs, Value *a, Value *b) {
    Module &module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(declare(module, signs, a->getType()), {a, b});
}

CallInst *createPackedDot(IRBuilderBase &builder, const CallBase &known,
                          ArrayRef<Value *> arguments) {
    return createPackedDot(builder, *signsOf(known.getCalledFunction()), arguments[0],
                           arguments[1]);
}

void lowerPackedDots(Module &module, const TargetMachine &machine, unsigned vectorBits) {
    SmallVector<std::pair<CallInst *, PackedSigns>, 8> calls;
    for (Function &function : module)
        if (std::optional<PackedSigns> signs = signsOf(&function))
            for (User *user : function.users())
                if (auto *call = dyn_cast<CallInst>(user); call && signsOf(*call))
                    calls.push_back({call, *signs});
    const bool hasVnni = machine.getMCSubtargetInfo()->checkFeatures("+avx512vnni,+avx512vl");
    for (auto [call, signs] : calls) {
        Place place = placeOf(*call, signs, hasVnni);
        Instruction *at = place.sum ? place.sum : call;
        IRBuilder<> builder(at);
        Value *made =
            call->getType()->isVectorTy()
                ? inRegisters(builder, signs, place, hasVnni, vectorBits)
                : ofOneLane(builder, signs, call->getArgOperand(0), call->getArgOperand(1));
        at->replaceAllUsesWith(made);
        at->eraseFromParent();
        if (place.sum)
            call->eraseFromParent();
    }
    for (Function &function : make_early_inc_range(module))
        if (function.use_empty() && signsOf(&function))
            function.eraseFromParent();
}

} // namespace weft
