// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/lanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

static constexpr StringLiteral loadPrefix = "__weft_lane_load.", storePrefix = "__weft_lane_store.";

unsigned widthOf(const Function &function) {
    unsigned width = 1;
    function.getFnAttribute(widthAttribute).getValueAsString().getAsInteger(10, width);
    return width;
}

void markPartial(BasicBlock &block) {
    block.getTerminator()->setMetadata(partialMetadata, MDNode::get(block.getContext(), {}));
    for (Instruction &instruction : block)
        if (instruction.hasPoisonGeneratingFlags())
            instruction.addAnnotationMetadata(partialMetadata);
}

bool isPartial(const Instruction &instruction) {
    return instruction.getParent()->getTerminator()->hasMetadata(partialMetadata) ||
           instruction.hasMetadata(LLVMContext::MD_annotation);
}

Constant *nothingAt(Module &module, Type *pointer) {
    constexpr unsigned bytes = 128; /* of the largest OpenCL vector */
    const char *name = "weft.nothing";
    GlobalVariable *nothing = module.getNamedGlobal(name);
    if (!nothing) {
        auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
        nothing = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage,
                                     Constant::getNullValue(type), name);
        nothing->setAlignment(Align(bytes));
    }
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(nothing, pointer);
}

LaneAccess laneAccess(Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
        return {};
    if (callee->getName().starts_with(loadPrefix))
        return {call, false};
    if (callee->getName().starts_with(storePrefix))
        return {call, true};
    return {};
}

void insteadWhere(IRBuilderBase &builder, Value *condition, ArrayRef<Instruction *> calls,
                  MDNode *weights, function_ref<SmallVector<Value *, 4>()> instead) {
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(condition, calls[0]->getIterator(), &then, &otherwise, weights);
    BasicBlock *behind = calls[0]->getParent();
    for (Instruction *call : calls)
        call->moveBefore(otherwise->getIterator());
    builder.SetInsertPoint(then);
    SmallVector<Value *, 4> values = instead();
    builder.SetInsertPoint(behind, behind->begin());
    for (auto [index, call] : enumerate(calls)) {
        if (call->getType()->isVoidTy())
            continue;
        PHINode *result = builder.CreatePHI(call->getType(), 2);
        call->replaceAllUsesWith(result);
        result->addIncoming(values[index], then->getParent());
        result->addIncoming(call, otherwise->getParent());
    }
}

void insteadWhere(IRBuilderBase &builder, Value *condition, Instruction &call, MDNode *weights,
                  function_ref<Value *()> instead) {
    insteadWhere(builder, condition, ArrayRef<Instruction *>(&call), weights,
                 [&] { return SmallVector<Value *, 4>{instead()}; });
}

static std::string nameOf(StringRef prefix, Type *type, unsigned space) {
    std::string name = prefix.str();
    raw_string_ostream stream(name);
    type->print(stream, false, true);
    stream << ".p" << space;
    return name;
}

static Function *declare(Module &module, const std::string &name, FunctionType *type,
                         ModRefInfo effect) {
    if (Function *function = module.getFunction(name))
        return function;
    Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setMemoryEffects(MemoryEffects::argMemOnly(effect));
    function->addFnAttr(Attribute::NoSync);
    function->addFnAttr(Attribute::NoFree);
    return function;
}

CallInst *createLaneLoad(IRBuilderBase &builder, LoadInst &load, Value *mask, bool some) {
    Type *type = load.getType(), *bit = builder.getInt1Ty();
    Value *pointer = load.getPointerOperand();
    Function *function =
        declare(*load.getModule(), nameOf(loadPrefix, type, load.getPointerAddressSpace()),
                FunctionType::get(type, {pointer->getType(), bit, bit}, false), ModRefInfo::Ref);
    CallInst *call = builder.CreateCall(function, {pointer, mask, builder.getInt1(some)});
    call->addParamAttr(0, Attribute::getWithAlignment(load.getContext(), load.getAlign()));
    return call;
}

CallInst *createLaneStore(IRBuilderBase &builder, StoreInst &store, Value *mask, bool some) {
    Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
    Type *bit = builder.getInt1Ty();
    Function *function = declare(
        *store.getModule(), nameOf(storePrefix, value->getType(), store.getPointerAddressSpace()),
        FunctionType::get(builder.getVoidTy(), {value->getType(), pointer->getType(), bit, bit},
                          false),
        ModRefInfo::Mod);
    CallInst *call = builder.CreateCall(function, {value, pointer, mask, builder.getInt1(some)});
    call->addParamAttr(1, Attribute::getWithAlignment(store.getContext(), store.getAlign()));
    return call;
}

bool isOrdered(const Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
        return !load->isSimple();
    if (auto *store = dyn_cast<StoreInst>(&instruction))
        return !store->isSimple();
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction);
}

} // namespace weft
