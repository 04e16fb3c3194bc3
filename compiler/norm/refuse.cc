// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/refuse.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "weft/limits.h"

using namespace llvm;

namespace weft {

char Refusal::ID;

namespace {

/** Of one function: with as many lanes as a kernel can have it is what a kernel may have. */
constexpr uint64_t mostPrivate = WEFT_MAX_KERNEL_BYTES / WEFT_MAX_LANES;

/* ---- who and where -------------------------------------------------------------------------- */

std::string placeOf(const DIFile *file, unsigned line, unsigned column = 0) {
    if (!file || !line)
        return "";
    std::string text = (file->getFilename() + ":" + Twine(line)).str();
    return column ? text + ":" + utostr(column) : text;
}

std::string placeOf(const Function &function) {
    const DISubprogram *program = function.getSubprogram();
    return program ? placeOf(program->getFile(), program->getLine()) : "";
}

std::string placeOf(const Instruction &instruction) {
    const DebugLoc &location = instruction.getDebugLoc();
    return location ? placeOf(location->getFile(), location.getLine(), location.getCol())
                    : placeOf(*instruction.getFunction());
}

std::string placeOf(const GlobalVariable &variable) {
    SmallVector<DIGlobalVariableExpression *, 1> known;
    variable.getDebugInfo(known);
    return known.empty()
               ? ""
               : placeOf(known[0]->getVariable()->getFile(), known[0]->getVariable()->getLine());
}

/** The local variable's name and place, if somebody knows them. */
const DILocalVariable *knownAs(AllocaInst &variable) {
    auto records = findDVRDeclares(&variable);
    return records.empty() ? nullptr : (*records.begin())->getVariable();
}

/** Clang's second function of a kernel bears the first one's name. */
bool isKernel(const Function &function, StringRef &name) {
    name = function.getName();
    return name.consume_front("__clang_ocl_kern_imp_") ||
           function.getCallingConv() == CallingConv::SPIR_KERNEL;
}

std::string shown(const Function &function) {
    StringRef name;
    bool kernel = isKernel(function, name);
    name.consume_back(".user");
    return ((kernel ? "kernel '" : "function '") + name + "'").str();
}

Error refusal(std::string place, const Twine &reason) {
    return make_error<Refusal>(std::move(place), reason.str());
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/** Without overflow, which LLVM's own sums (of bits) have: UINT64_MAX if it is beyond all. */
uint64_t bytesOf(Type &type, const DataLayout &layout) {
    if (auto *array = dyn_cast<ArrayType>(&type))
        return SaturatingMultiply(array->getNumElements(),
                                  bytesOf(*array->getElementType(), layout));
    uint64_t members = 0;
    if (auto *structure = dyn_cast<StructType>(&type))
        for (Type *member : structure->elements())
            members = SaturatingAdd(members, bytesOf(*member, layout));
    return members > WEFT_MAX_KERNEL_BYTES || !type.isSized()
               ? members
               : layout.getTypeAllocSize(&type).getKnownMinValue();
}

uint64_t bytesOf(const AllocaInst &variable, const DataLayout &layout) {
    const auto &count = *cast<ConstantInt>(variable.getArraySize());
    return SaturatingMultiply(count.getLimitedValue(),
                              bytesOf(*variable.getAllocatedType(), layout));
}

/** "kernel 'k'" or "function 'f' of kernel 'k'". */
std::string shownIn(const Function &function, const Function &kernel) {
    StringRef name;
    return shown(function) + (isKernel(function, name) ? "" : " of " + shown(kernel));
}

Error refusePrivate(Function &function, const Function &kernel) {
    const DataLayout &layout = function.getParent()->getDataLayout();
    uint64_t sum = 0, largest = 0;
    std::string place = placeOf(function), most;
    for (Instruction &instruction : instructions(function)) {
        auto *variable = dyn_cast<AllocaInst>(&instruction);
        if (!variable)
            continue;
        if (!variable->isStaticAlloca())
            return refusal(placeOf(*variable),
                           shownIn(function, kernel) +
                               " takes private memory while it runs (alloca, or an array of "
                               "variable length), which OpenCL C does not have");
        uint64_t bytes = bytesOf(*variable, layout);
        sum = SaturatingAdd(sum, bytes);
        if (bytes <= largest)
            continue;
        largest = bytes;
        most.clear();
        if (const DILocalVariable *known = knownAs(*variable)) {
            place = placeOf(known->getFile(), known->getLine());
            most = (", most of it '" + known->getName() + "'").str();
        }
    }
    if (sum <= mostPrivate)
        return Error::success();
    return refusal(place, shownIn(function, kernel) + " has " + Twine(sum) +
                              " bytes of private memory" + most + "; the most is " +
                              Twine(mostPrivate));
}

Error refuseArguments(const Function &kernel) {
    const DataLayout &layout = kernel.getParent()->getDataLayout();
    uint64_t sum = 0;
    for (const Argument &argument : kernel.args()) {
        Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
        sum = SaturatingAdd(sum, bytesOf(*type, layout));
    }
    if (sum <= WEFT_MAX_ARGS_BYTES)
        return Error::success();
    return refusal(placeOf(kernel), shown(kernel) + " has arguments of " + Twine(sum) +
                                        " bytes; the most is " + Twine(WEFT_MAX_ARGS_BYTES));
}

/** Of local memory each variable alone: it is the kernels' that use it, which stages add up. */
Error refuseVariables(const Module &module) {
    const DataLayout &layout = module.getDataLayout();
    uint64_t initialised = 0, others = 0;
    for (const GlobalVariable &variable : module.globals()) {
        if (variable.isDeclaration() || variable.getName().starts_with("llvm."))
            continue;
        uint64_t bytes = bytesOf(*variable.getValueType(), layout), most = WEFT_MAX_KERNEL_BYTES;
        const Constant *initial = variable.getInitializer();
        bool isZero = initial->isNullValue() || isa<UndefValue>(initial);
        uint64_t own = 0, *sum = &own;
        if (variable.isConstant() ? !variable.use_empty() : !isZero) {
            sum = &initialised; /* all of it stands in the image */
            most = WEFT_MAX_IMAGE_BYTES;
        } else if (variable.getAddressSpace() != 3 && !variable.isConstant()) {
            sum = &others;
        }
        *sum = SaturatingAdd(*sum, bytes);
        if (*sum > most)
            return refusal(placeOf(variable),
                           "the variable '" + variable.getName() + "' has " + Twine(bytes) +
                               " bytes" +
                               (*sum > bytes ? ", with others of its kind " + Twine(*sum) : "") +
                               "; the most is " + Twine(most));
    }
    return Error::success();
}

/* ---- calls ---------------------------------------------------------------------------------- */

std::vector<Function *> rootsOf(Module &module) {
    std::vector<Function *> kernels, visible;
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        if (function.getCallingConv() == CallingConv::SPIR_KERNEL)
            kernels.push_back(&function);
        if (!function.hasLocalLinkage())
            visible.push_back(&function);
    }
    return kernels.empty() ? visible : kernels;
}

using Callers = DenseMap<const CallGraphNode *, const Function *>; /* values: one root of each */

Callers calledBy(ArrayRef<Function *> roots, CallGraph &graph) {
    Callers callers;
    df_iterator_default_set<CallGraphNode *> seen;
    for (Function *root : roots)
        for (CallGraphNode *node : depth_first_ext(graph[root], seen))
            callers.try_emplace(node, root);
    return callers;
}

Error refuseCycles(CallGraph &graph, const Callers &called) {
    for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
        Function *function = component->front()->getFunction();
        if (component.hasCycle() && function && called.contains(component->front()))
            return refusal(placeOf(*function),
                           shown(*function) + " calls itself: OpenCL C has no recursion");
    }
    return Error::success();
}

} // namespace

void resolveAliases(Module &module) {
    for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
        alias.replaceAllUsesWith(alias.getAliasee());
        alias.eraseFromParent();
    }
}

Error refuseRecursion(Module &module) {
    CallGraph graph(module);
    return refuseCycles(graph, calledBy(rootsOf(module), graph));
}

Error refuse(Module &module) {
    CallGraph graph(module);
    std::vector<Function *> roots = rootsOf(module);
    Callers called = calledBy(roots, graph);
    if (Error error = refuseCycles(graph, called))
        return error;
    for (Function &function : module)
        if (auto found = called.find(graph[&function]); found != called.end())
            if (Error error = refusePrivate(function, *found->second))
                return error;
    for (Function *root : roots)
        if (Error error = refuseArguments(*root))
            return error;
    return refuseVariables(module);
}

} // namespace weft
