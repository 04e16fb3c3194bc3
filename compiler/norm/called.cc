// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/called.h"
#include "norm/type_name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

struct CalledRow {
    StringLiteral name, parameters;
    unsigned cycles[2]; /* of floats, of doubles */
    StringLiteral two;
};

constexpr CalledRow calledRows[] = {
#define WEFT_CALLED(name, parameters, cycles_float, cycles_double, two)                            \
    {#name, parameters, {cycles_float, cycles_double}, two},
#include "kernel-lib/called.def"
};

std::optional<unsigned> rowOf(StringRef name) {
    auto *row = find_if(calledRows, [&](const CalledRow &one) { return one.name == name; });
    return row == std::end(calledRows)
               ? std::nullopt
               : std::optional<unsigned>(static_cast<unsigned>(row - calledRows));
}

/** Calls of `served` lanes each, and the result's lanes side by side. */
Value *inPieces(IRBuilderBase &builder, CallInst &call, const Called &called, unsigned served) {
    return inParts(builder, called.laneCount(), served, [&](unsigned first) {
        SmallVector<Value *, 2> arguments;
        for (Value *argument : call.args())
            arguments.push_back(lanesOf(builder, argument, first, served));
        return createCalled(builder, called.withLanes(served), arguments);
    });
}

} // namespace

Value *lanesOf(IRBuilderBase &builder, Value *value, unsigned first, unsigned count) {
    unsigned all = cast<FixedVectorType>(value->getType())->getNumElements();
    SmallVector<int, 16> places;
    for (unsigned lane = first; lane < first + count; lane++)
        places.push_back(static_cast<int>(lane < all ? lane : first));
    return builder.CreateShuffleVector(value, places);
}

Value *inParts(IRBuilderBase &builder, unsigned lanes, unsigned each,
               function_ref<Value *(unsigned first)> part) {
    SmallVector<Value *, 4> parts;
    for (unsigned first = 0; first < lanes; first += each)
        parts.push_back(part(first));
    Value *all = parts.size() == 1 ? parts[0] : concatenateVectors(builder, parts);
    return lanesOf(builder, all, 0, lanes);
}

std::vector<Called> Called::all() {
    std::vector<Called> every;
    for (unsigned row = 0; row < std::size(calledRows); row++)
        for (bool isDouble : {false, true})
            if (calledRows[row].cycles[isDouble])
                every.push_back(Called(row, isDouble, 1));
    return every;
}

std::optional<Called> Called::ofLibrary(const Function &function) {
    std::optional<unsigned> row = rowOf(mangledName(function.getName()));
    Type *result = function.getReturnType(), *element = result->getScalarType();
    if (!row || !(element->isFloatTy() || element->isDoubleTy()))
        return std::nullopt;
    auto *vector = dyn_cast<FixedVectorType>(result);
    Called called(*row, element->isDoubleTy(), vector ? vector->getNumElements() : 1);
    if (!calledRows[*row].cycles[called.isDouble] || function.getName() != called.librarySymbol() ||
        function.getFunctionType() != called.type(function.getContext()))
        return std::nullopt;
    return called;
}

std::optional<Called> Called::of(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    StringRef name = callee ? callee->getName() : "";
    if (!name.consume_front(calledPrefix))
        return std::nullopt;
    auto [function, form] = name.split('.');
    std::optional<unsigned> row = rowOf(function);
    bool isDouble = form.starts_with("d");
    unsigned lanes = 0;
    if (!row || form.drop_front().getAsInteger(10, lanes))
        return std::nullopt;
    return Called(*row, isDouble, lanes);
}

unsigned Called::served(unsigned number, unsigned vectorBits) const {
    if (number == 1)
        return 1;
    unsigned least = std::max(128 / elementBits(), static_cast<unsigned>(PowerOf2Ceil(number)));
    const char target = !isDouble ? 'f' : vectorBits == 512 ? 'D' : 'd';
    const bool inTwo = vectorBits >= 256 && calledRows[row].two.contains(target);
    // The library has 16 lanes.
    return std::min({least, (inTwo ? 2 : 1) * vectorBits / elementBits(), 16U});
}

std::string Called::symbol() const {
    return (calledPrefix + calledRows[row].name + (isDouble ? ".d" : ".f") + Twine(lanes)).str();
}

std::string Called::librarySymbol() const {
    std::string text = ("_Z" + Twine(calledRows[row].name.size()) + calledRows[row].name).str(),
                first;
    for (char parameter : calledRows[row].parameters) {
        std::string element = parameter == 'i' ? "i" : isDouble ? "d" : "f";
        std::string one = lanes == 1 ? element : "Dv" + utostr(lanes) + "_" + element;
        text += lanes > 1 && one == first ? "S_" : one;
        first = first.empty() ? one : first;
    }
    return text;
}

FunctionType *Called::type(LLVMContext &context) const {
    auto wide = [&](Type *type) -> Type * {
        return lanes == 1 ? type : FixedVectorType::get(type, lanes);
    };
    Type *real = wide(isDouble ? Type::getDoubleTy(context) : Type::getFloatTy(context));
    SmallVector<Type *, 2> parameters;
    for (char parameter : calledRows[row].parameters)
        parameters.push_back(parameter == 'i' ? wide(Type::getInt32Ty(context)) : real);
    return FunctionType::get(real, parameters, false);
}

Function *Called::declare(Module &module) const {
    auto *function =
        cast<Function>(module.getOrInsertFunction(symbol(), type(module.getContext())).getCallee());
    function->setVisibility(GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    function->setMustProgress();
    function->addFnAttr(Attribute::NoSync);
    function->addFnAttr(Attribute::NoFree);
    return function;
}

/**
 * Intel's convention for OpenCL keeps half of the vector registers across a call, which is for
 * calls that hardly ever happen: other functions would save these registers each time, as they need
 * them. Of functions that take less than AVX's registers LLVM clears the upper halves of all before
 * a call, and must be told that none is kept.
 */
CallingConv::ID Called::convention(unsigned vectorBits) const {
    unsigned bits = lanes * elementBits();
    bool isRare = calledRows[row].name.starts_with("weft_far_");
    return isRare && lanes > 1 && bits >= std::min(vectorBits, 256u) ? CallingConv::Intel_OCL_BI
                                                                     : CallingConv::C;
}

double Called::cycles(unsigned vectorBits) const {
    return calledRows[row].cycles[isDouble] * divideCeil(lanes * elementBits(), vectorBits);
}

bool callPrecompiled(Module &module) {
    bool changed = false;
    for (Function &function : make_early_inc_range(module)) {
        if (!function.isDeclaration() || function.use_empty())
            continue;
        std::optional<Called> called = Called::ofLibrary(function);
        if (!called)
            continue;
        for (User *user : make_early_inc_range(function.users())) {
            auto *call = dyn_cast<CallInst>(user);
            if (!call || call->getCalledFunction() != &function ||
                all_of(call->args(), [](const Use &use) { return isa<Constant>(use); }))
                continue;
            IRBuilder<> builder(call);
            SmallVector<Value *, 2> arguments(call->args());
            CallInst *made = createCalled(builder, *called, arguments);
            call->replaceAllUsesWith(made);
            made->takeName(call);
            call->eraseFromParent();
            changed = true;
        }
    }
    return changed;
}

CallInst *createCalled(IRBuilderBase &builder, const Called &called, ArrayRef<Value *> arguments) {
    Module &module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(called.declare(module), arguments);
}

void lowerCalled(Module &module, unsigned vectorBits) {
    std::vector<CallInst *> calls;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (std::optional<Called> called = Called::of(instruction))
                if (called->served(called->laneCount(), vectorBits) != called->laneCount())
                    calls.push_back(&cast<CallInst>(instruction));
    for (CallInst *call : calls) {
        IRBuilder<> builder(call);
        const Called called = *Called::of(*call);
        call->replaceAllUsesWith(
            inPieces(builder, *call, called, called.served(called.laneCount(), vectorBits)));
        call->eraseFromParent();
    }
    for (Function &function : make_early_inc_range(module)) {
        if (!function.getName().starts_with(calledPrefix))
            continue;
        for (User *user : function.users()) {
            auto *call = cast<CallInst>(user);
            function.setCallingConv(Called::of(*call)->convention(vectorBits));
            call->setCallingConv(function.getCallingConv());
        }
        if (function.use_empty())
            function.eraseFromParent();
    }
}

} // namespace weft
