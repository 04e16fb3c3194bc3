// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What stands in for LLVM's look at constants says what LLVM says (backend/constants.cc,
// backend/vector_types.cc). This executable is linked with the same --wrap as the compiler.

#include "compiler/backend/constants.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdio>

using namespace llvm;

/* LLVM's own. */
Constant *ownElement(const Constant *,
                     unsigned) __asm__("__real__ZNK4llvm8Constant19getAggregateElementEj");
Constant *ownSplat(const Constant *, bool) __asm__("__real__ZNK4llvm8Constant13getSplatValueEb");
bool ownExpression(const Constant *) __asm__(
    "__real__ZNK4llvm8Constant26containsConstantExpressionEv");
bool ownUndef(const Constant *) __asm__("__real__ZNK4llvm8Constant20containsUndefElementEv");
bool ownPoison(const Constant *) __asm__("__real__ZNK4llvm8Constant21containsPoisonElementEv");
Constant *
ownDatum(const ConstantDataSequential *,
         uint64_t) __asm__("__real__ZNK4llvm22ConstantDataSequential20getElementAsConstantEm");
bool ownUndefined(const Constant *) __asm__(
    "__real__ZNK4llvm8Constant28containsUndefOrPoisonElementEv");
ConstantSDNode *ownInteger(SDValue, bool,
                           bool) __asm__("__real__ZN4llvm19isConstOrConstSplatENS_7SDValueEbb");
ConstantFPSDNode *ownFloat(SDValue,
                           bool) __asm__("__real__ZN4llvm21isConstOrConstSplatFPENS_7SDValueEb");

static int number, failed;

static void check(bool good, const char *what) {
    failed += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
}

/** Of all kinds that a vector of constants can be, 16 elements each. */
static SmallVector<Constant *> vectorsOf(LLVMContext &context) {
    Type *real = Type::getFloatTy(context), *integer = Type::getInt32Ty(context);
    const ElementCount lanes = ElementCount::getFixed(16);
    SmallVector<Constant *> all;
    for (double value : {1.5, -0.0, 0.0, 1e-40})
        all.push_back(ConstantVector::getSplat(lanes, ConstantFP::get(real, value)));
    for (uint32_t bits : {0x7fc00000u, 0xffc00001u, 0x7f800001u}) /* NaNs differ by their bits */
        all.push_back(ConstantVector::getSplat(
            lanes, ConstantFP::get(context, APFloat(APFloat::IEEEsingle(), APInt(32, bits)))));
    for (int value : {7, -1, 0})
        all.push_back(ConstantVector::getSplat(lanes, ConstantInt::getSigned(integer, value)));
    for (Type *type :
         {Type::getHalfTy(context), Type::getBFloatTy(context), Type::getDoubleTy(context)})
        all.push_back(ConstantVector::getSplat(lanes, ConstantFP::get(type, 2.5)));
    for (unsigned bits : {1, 8, 16, 64, 128})
        all.push_back(ConstantVector::getSplat(lanes, ConstantInt::get(context, APInt(bits, 1))));
    SmallVector<uint32_t> steps;
    for (unsigned i = 0; i < 16; i++)
        steps.push_back(i);
    all.push_back(ConstantDataVector::get(context, steps));
    all.push_back(ConstantDataArray::get(context, steps));
    SmallVector<uint32_t> threes(16, 3);
    all.push_back(ConstantDataArray::get(context, threes));
    SmallVector<Constant *> mixed(16, ConstantInt::get(integer, 5));
    all.push_back(ConstantVector::get(mixed));
    mixed[3] = PoisonValue::get(integer);
    all.push_back(ConstantVector::get(mixed));
    mixed[3] = UndefValue::get(integer);
    all.push_back(ConstantVector::get(mixed));
    all.push_back(UndefValue::get(FixedVectorType::get(integer, 16)));
    all.push_back(PoisonValue::get(FixedVectorType::get(real, 16)));
    all.push_back(ConstantVector::getSplat(lanes, ConstantInt::getTrue(context)));
    return all;
}

static bool isTheSame(const Constant *constant) {
    for (unsigned i = 0; i < 18; i++)
        if (constant->getAggregateElement(i) != ownElement(constant, i))
            return false;
    if (constant->containsConstantExpression() != ownExpression(constant) ||
        constant->containsUndefOrPoisonElement() != ownUndefined(constant) ||
        constant->containsUndefElement() != ownUndef(constant) ||
        constant->containsPoisonElement() != ownPoison(constant))
        return false;
    if (auto *data = dyn_cast<ConstantDataSequential>(constant))
        for (unsigned i = 0; i < data->getNumElements(); i++)
            if (data->getElementAsConstant(i) != ownDatum(data, i))
                return false;
    return !constant->getType()->isVectorTy() ||
           (constant->getSplatValue() == ownSplat(constant, false) &&
            constant->getSplatValue(true) == ownSplat(constant, true));
}

static void elementsAreTheSame() {
    /* More vectors than there is room for, twice, in one context after another, which may lie
     * where the last one lay. */
    bool inside = true, outside = true;
    for (int turn = 0; turn < 3; turn++) {
        LLVMContext context;
        for (Constant *constant : vectorsOf(context))
            outside &= isTheSame(constant);
        weft::ConstantMemory memory;
        for (int again = 0; again < 2; again++)
            for (Constant *constant : vectorsOf(context))
                inside &= isTheSame(constant);
        for (uint32_t i = 0; i < 3000; i++)
            inside &= isTheSame(ConstantVector::getSplat(
                ElementCount::getFixed(4), ConstantInt::get(Type::getInt32Ty(context), i)));
    }
    check(outside, "elements, splats and what vectors contain, without memory");
    check(inside, "elements, splats and what vectors contain, with memory");
}

static void valuesAreTheSame() {
    LLVMContext context;
    weft::ConstantMemory memory;
    bool good = true;
    const APFloat values[] = {APFloat(0.0f),  APFloat(-0.0f), APFloat(0.0),
                              APFloat(-0.0f), APFloat(1.0f),  APFloat(1.0)};
    for (const APFloat &value : values) {
        const ConstantFP *constant = ConstantFP::get(context, value);
        good &= constant->getValueAPF().bitwiseIsEqual(value) &&
                &constant->getValueAPF().getSemantics() == &value.getSemantics();
    }
    check(good, "0, -0 and the same in other types are different values");
}

static void typesAreTheSame() {
    bool good = true;
    for (unsigned element = 0; element < 300; element++) /* beyond them what stands for types */
        for (unsigned elements = 0; elements <= 4200; elements++) {
            MVT::SimpleValueType expected = MVT::INVALID_SIMPLE_VALUE_TYPE;
#define GET_VT_VECATTR(type, isScalable, isTuple, count, of)                                       \
    if (!expected && !isScalable && !isTuple && element == MVT::of && elements == count)           \
        expected = MVT::type;
#include "llvm/CodeGen/GenVT.inc"
#undef GET_VT_VECATTR
            good &= MVT::getVectorVT(MVT(MVT::SimpleValueType(element)), elements) == expected;
        }
    check(good, "vectors of each type and number of elements");
}

/** Nodes of instruction selection for an empty function. */
class Selection {
  public:
    Selection() : module("m", context) {
        InitializeAllTargets();
        InitializeAllTargetMCs();
        std::string error;
        const Triple triple("x86_64-unknown-linux-gnu");
        const Target *target = TargetRegistry::lookupTarget(triple, error);
        machine.reset(
            target->createTargetMachine(triple, "x86-64-v4", "", TargetOptions(), Reloc::PIC_));
        module.setDataLayout(machine->createDataLayout());
        Function *function = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                              Function::ExternalLinkage, "f", module);
        info = std::make_unique<MachineModuleInfo>(machine.get());
        code = std::make_unique<MachineFunction>(
            *function, *machine, *machine->getSubtargetImpl(*function), info->getContext(), 0);
        remarks = std::make_unique<OptimizationRemarkEmitter>(function);
        dag = std::make_unique<SelectionDAG>(*machine, CodeGenOptLevel::Default);
        dag->init(*code, *remarks, nullptr, nullptr, nullptr, nullptr, nullptr, *info, nullptr);
    }
    LLVMContext context;
    Module module;
    std::unique_ptr<TargetMachine> machine;
    std::unique_ptr<MachineModuleInfo> info;
    std::unique_ptr<MachineFunction> code;
    std::unique_ptr<OptimizationRemarkEmitter> remarks;
    std::unique_ptr<SelectionDAG> dag;
};

static void nodesAreTheSame() {
    Selection selection;
    SelectionDAG &dag = *selection.dag;
    const SDLoc place;
    const SDValue one = dag.getConstant(1, place, MVT::i32),
                  two = dag.getConstant(2, place, MVT::i32);
    const SDValue real = dag.getConstantFP(1.0, place, MVT::f32), none = dag.getUNDEF(MVT::i32);
    const SDValue half = dag.getConstantFP(0.5, place, MVT::f32);
    SmallVector<SDValue> all = {one, real, none};
    auto add = [&](MVT type, SDValue each, SDValue last) {
        SmallVector<SDValue> lanes(type.getVectorNumElements(), each);
        lanes.back() = last;
        all.push_back(dag.getNode(ISD::BUILD_VECTOR, place, type, lanes));
    };
    add(MVT::v16i32, one, one);
    add(MVT::v16i32, one, two);
    add(MVT::v16i32, one, none);
    add(MVT::v16i32, none, one);
    add(MVT::v16i32, none, none);
    add(MVT::v16i16, one, one); /* operands are longer than elements */
    add(MVT::v16f32, real, real);
    add(MVT::v16f32, real, half);
    add(MVT::v16f32, real, dag.getUNDEF(MVT::f32));
    all.push_back(dag.getNode(ISD::ADD, place, MVT::v16i32, all[3], all[4]));
    bool good = true;
    unsigned found = 0;
    for (SDValue value : all)
        for (bool undefined : {false, true}) {
            found += isConstOrConstSplat(value, undefined, true) != nullptr;
            found += isConstOrConstSplatFP(value, undefined) != nullptr;
            good &= isConstOrConstSplatFP(value, undefined) == ownFloat(value, undefined);
            for (bool shorter : {false, true})
                good &= isConstOrConstSplat(value, undefined, shorter) ==
                        ownInteger(value, undefined, shorter);
        }
    check(good && found > 8, "what all lanes have in instruction selection");
}

int main() {
    elementsAreTheSame();
    valuesAreTheSame();
    typesAreTheSame();
    nodesAreTheSame();
    printf("1..%d\n", number);
    return failed > 0;
}
