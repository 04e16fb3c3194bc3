// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/opaque_types.h"

#include "weft/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace weft {

namespace {

class NativeTypes : public ValueMapTypeRemapper {
  public:
    Type *remapType(Type *type) override {
        auto found = known.find(type);
        if (found != known.end())
            return found->second;
        known[type] =
            type; /* stops at a type that contains itself: such types have pointers only */
        Type *native = nativeOf(type);
        known[type] = native;
        return native;
    }

    bool changes(Type *type) { return remapType(type) != type; }

  private:
    Type *nativeOf(Type *type) {
        if (auto *opaque = dyn_cast<TargetExtType>(type))
            return opaqueOf(*opaque);
        if (auto *array = dyn_cast<ArrayType>(type))
            return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
        if (auto *structure = dyn_cast<StructType>(type))
            return structOf(*structure);
        if (auto *function = dyn_cast<FunctionType>(type)) {
            SmallVector<Type *, 8> parameters;
            for (Type *parameter : function->params())
                parameters.push_back(remapType(parameter));
            return FunctionType::get(remapType(function->getReturnType()), parameters,
                                     function->isVarArg());
        }
        return type;
    }

    static Type *opaqueOf(TargetExtType &type) {
        if (!type.getName().starts_with("spirv."))
            return &type;
        if (type.getName() == "spirv.Sampler")
            return Type::getInt32Ty(type.getContext());
        return PointerType::get(type.getContext(), 0);
    }

    Type *structOf(StructType &type) {
        if (type.isOpaque())
            return &type;
        SmallVector<Type *, 8> elements;
        bool changed = false;
        for (Type *element : type.elements()) {
            elements.push_back(remapType(element));
            changed |= elements.back() != element;
        }
        if (!changed)
            return &type;
        if (type.isLiteral())
            return StructType::get(type.getContext(), elements, type.isPacked());
        return StructType::create(type.getContext(), elements, type.getName(), type.isPacked());
    }

    DenseMap<Type *, Type *> known;
};

bool usesOpaqueTypes(Function &function, NativeTypes &types) {
    if (types.changes(function.getFunctionType()))
        return true;
    for (Instruction &instruction : instructions(function)) {
        if (types.changes(instruction.getType()))
            return true;
        if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
            if (types.changes(alloca->getAllocatedType()))
                return true;
        if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
            if (types.changes(address->getSourceElementType()))
                return true;
        for (Value *operand : instruction.operand_values())
            if (types.changes(operand->getType()))
                return true;
    }
    return false;
}

/** Gives `function` its native type; the old one is left without body and uses. */
Function *retype(Function &function, NativeTypes &types, ValueToValueMapTy &values) {
    auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
    auto *native = Function::Create(type, function.getLinkage(), function.getAddressSpace(), "",
                                    function.getParent());
    native->copyAttributesFrom(&function);
    native->copyMetadata(&function, 0);
    native->takeName(&function);
    native->splice(native->begin(), &function);
    for (auto [before, after] : zip(function.args(), native->args())) {
        after.takeName(&before);
        values[&before] = &after;
    }
    values[&function] = native;
    return native;
}

/** CLK_* bits of a sampler literal (opencl-c-base.h) to WEFT_SAMPLER_* bits. */
uint32_t samplerBits(uint64_t literal) {
    uint32_t bits = static_cast<uint32_t>((literal >> 1) & 7) << WEFT_SAMPLER_ADDRESS_SHIFT;
    if (literal & 1)
        bits |= WEFT_SAMPLER_NORMALIZED;
    if (literal & 0x20)
        bits |= WEFT_SAMPLER_LINEAR;
    return bits;
}

void foldSamplerLiterals(Module &module) {
    Function *translate = module.getFunction("__translate_sampler_initializer");
    if (!translate)
        return;
    for (User *user : make_early_inc_range(translate->users())) {
        auto *call = dyn_cast<CallInst>(user);
        auto *literal = call ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
        if (!literal)
            continue;
        call->replaceAllUsesWith(
            ConstantInt::get(call->getType(), samplerBits(literal->getZExtValue())));
        call->eraseFromParent();
    }
}

/** The SPIR-V reader's step from a pipe storage to its pipe: both are addresses now. */
void foldPipeStorages(Module &module) {
    Function *step = module.getFunction("__weft_pipe_from_storage");
    if (!step)
        return;
    for (User *user : make_early_inc_range(step->users()))
        if (auto *call = dyn_cast<CallInst>(user)) {
            IRBuilder<> builder(call);
            call->replaceAllUsesWith(
                builder.CreateAddrSpaceCast(call->getArgOperand(0), call->getType()));
            call->eraseFromParent();
        }
}

} // namespace

void lowerOpaqueTypes(Module &module) {
    NativeTypes types;
    SmallVector<Function *, 8> affected;
    for (Function &function : module)
        if (usesOpaqueTypes(function, types))
            affected.push_back(&function);
    if (affected.empty())
        return;
    ValueToValueMapTy values;
    SmallVector<Function *, 8> old, bodies;
    for (Function *function : affected) {
        if (types.changes(function->getFunctionType())) {
            old.push_back(function);
            function = retype(*function, types, values);
        }
        bodies.push_back(function);
    }
    for (Function *function : bodies)
        for (Instruction &instruction : instructions(*function))
            RemapInstruction(&instruction, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals,
                             &types);
    for (Function *function : old) {
        function->replaceAllUsesWith(values[function]);
        function->eraseFromParent();
    }
    foldSamplerLiterals(module);
    foldPipeStorages(module);
}

} // namespace weft
