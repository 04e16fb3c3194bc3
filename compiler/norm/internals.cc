// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/internals.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

namespace {

enum InternalKind { Query, Lanes, Barrier, Effect };

struct InternalRow {
    const char *symbol, *signature;
    InternalKind kind;
};

const InternalRow internalRows[] = {
    {"", "", Query},
#define WEFT_INTERNAL(Name, symbol, signature, kind) {symbol, signature, kind},
#include "norm/internals.def"
};

Type *typeOf(LLVMContext &context, char code) {
    switch (code) {
    case 'b':
        return Type::getInt1Ty(context);
    case 'i':
        return Type::getInt32Ty(context);
    case 'l':
        return Type::getInt64Ty(context);
    case 'p':
        return PointerType::get(context, 0);
    case 'c':
        return PointerType::get(context, 2);
    case 'L':
        return PointerType::get(context, 3);
    default:
        return Type::getVoidTy(context);
    }
}

void setAttributes(Function &function, InternalKind kind) {
    function.setDoesNotThrow();
    if (kind == Query || kind == Lanes) {
        function.setDoesNotAccessMemory();
        function.setWillReturn();
        function.addFnAttr(Attribute::NoSync);
        function.addFnAttr(Attribute::NoFree);
    }
    if (kind == Query) {
        function.addFnAttr(Attribute::Speculatable);
    } else if (kind == Barrier || kind == Lanes) {
        function.setConvergent();
        function.addFnAttr(Attribute::NoMerge);
    }
    if (kind == Barrier)
        function.addFnAttr(Attribute::NoDuplicate);
}

/** "int i = get_local_id(0)" loses nothing, and address arithmetic with it stays linear. */
void setRange(Function &function, Internal internal) {
    bool isId = internal == Internal::LocalId || internal == Internal::LocalLinearId ||
                internal == Internal::FirstLane;
    bool isSize = internal == Internal::LocalSize || internal == Internal::GroupItems ||
                  internal == Internal::EnqueuedLocalSize;
    if (isId || isSize)
        function.addRangeRetAttr(ConstantRange(APInt(64, isSize), APInt(64, maxGroupItems)));
    if (internal == Internal::LaneId || internal == Internal::Lanes) {
        bool isCount = internal == Internal::Lanes;
        function.addRangeRetAttr(ConstantRange(APInt(64, isCount), APInt(64, maxWidth + isCount)));
    }
}

} // namespace

StringRef internalName(Internal internal) {
    return internalRows[static_cast<size_t>(internal)].symbol;
}

bool hasDimension(Internal internal) {
    const InternalRow &row = internalRows[static_cast<size_t>(internal)];
    return row.kind == Query && StringRef(row.signature) == "l(i)";
}

bool calls(const Function &function, Internal internal) {
    return any_of(instructions(function), [internal](const Instruction &instruction) {
        return internalOf(instruction) == internal;
    });
}

Function *findInternal(Module &module, Internal internal) {
    return module.getFunction(internalName(internal));
}

Function *declareInternal(Module &module, Internal internal, FunctionType *type,
                          const Twine &suffix) {
    const InternalRow &row = internalRows[static_cast<size_t>(internal)];
    std::string name = (Twine(row.symbol) + "." + suffix).str();
    if (Function *function = module.getFunction(name))
        return function;
    Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    setAttributes(*function, row.kind);
    return function;
}

Function *declareInternal(Module &module, Internal internal) {
    const InternalRow &row = internalRows[static_cast<size_t>(internal)];
    if (Function *function = module.getFunction(row.symbol))
        return function;
    SmallVector<Type *, 2> parameters;
    bool variadic = false;
    for (const char *code = row.signature + 2; *code != ')'; code++) {
        if (*code == '.')
            variadic = true;
        else
            parameters.push_back(typeOf(module.getContext(), *code));
    }
    auto *type =
        FunctionType::get(typeOf(module.getContext(), row.signature[0]), parameters, variadic);
    Function *function = Function::Create(type, GlobalValue::ExternalLinkage, row.symbol, module);
    setAttributes(*function, row.kind);
    setRange(*function, internal);
    return function;
}

Internal internalOf(const Function *function) {
    if (!function || !function->getName().starts_with("__weft_"))
        return Internal::None;
    StringRef name = function->getName().take_until([](char c) { return c == '.'; });
    return StringSwitch<Internal>(name)
#define WEFT_INTERNAL(Name, symbol, signature, kind) .Case(symbol, Internal::Name)
#include "norm/internals.def"
        .Default(Internal::None);
}

Internal internalOf(const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call ? internalOf(call->getCalledFunction()) : Internal::None;
}

CallInst *callInternal(IRBuilderBase &builder, Internal internal) {
    Module &module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(declareInternal(module, internal));
}

CallInst *callInternal(IRBuilderBase &builder, Internal internal, unsigned dimension) {
    Module &module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(declareInternal(module, internal), {builder.getInt32(dimension)});
}

} // namespace weft
