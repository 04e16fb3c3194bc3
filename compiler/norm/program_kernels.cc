// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/program_kernels.h"
#include "stages/stages.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace weft {

namespace {

/** Clang's functions around destructors. */
constexpr StringLiteral knowsItsObject = "__cxx_global_array_dtor";

/** A function to be called, with its argument if it has one. */
struct Call {
    Function *function;
    Constant *argument;
};

/** The functions of llvm.global_ctors or _dtors, those of low numbers first; the list goes. */
std::vector<Call> takeList(Module &module, StringRef name) {
    std::vector<std::pair<uint64_t, Call>> rows;
    GlobalVariable *list = module.getNamedGlobal(name);
    if (!list)
        return {};
    if (auto *array =
            list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr)
        for (const Use &use : array->operands()) {
            auto *row = dyn_cast<ConstantStruct>(use.get());
            auto *function =
                row ? dyn_cast<Function>(row->getOperand(1)->stripPointerCasts()) : nullptr;
            if (function && function->arg_empty())
                rows.push_back(
                    {cast<ConstantInt>(row->getOperand(0))->getZExtValue(), {function, nullptr}});
        }
    list->eraseFromParent();
    stable_sort(rows, [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<Call> calls;
    for (const auto &row : rows)
        calls.push_back(row.second);
    return calls;
}

/**
 * Functions that constructors register are called in the opposite order, as the calls of
 * __cxa_atexit stand in the module: Clang writes initialisations in their order, each once.
 */
Error takeRegistered(Module &module, std::vector<Call> &calls) {
    Function *registering = module.getFunction("__cxa_atexit");
    if (!registering || !registering->isDeclaration())
        return Error::success();
    std::vector<Call> registered;
    for (Function &function : module)
        for (BasicBlock &block : function)
            for (Instruction &instruction : make_early_inc_range(block)) {
                auto *call = dyn_cast<CallInst>(&instruction);
                if (!call || call->getCalledFunction() != registering)
                    continue;
                auto *destructor = dyn_cast<Function>(call->getArgOperand(0)->stripPointerCasts());
                auto *object = dyn_cast<Constant>(call->getArgOperand(1));
                if (!destructor || !object || destructor->arg_size() != 1)
                    return sentence("a destructor of a program-scope object is not known before "
                                    "the program runs");
                /* Clang leaves the object out where its address space is not the private one: one
                   of its own functions around the destructor knows it (compileSource). */
                if (object->isNullValue() && !destructor->getName().starts_with(knowsItsObject))
                    return sentence("which object the destructor '" + destructor->getName() +
                                    "' is for, is lost: compile it from source");
                registered.push_back({destructor, object});
                call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
                call->eraseFromParent();
            }
    calls.insert(calls.begin(), registered.rbegin(), registered.rend());
    if (registering->use_empty())
        registering->eraseFromParent();
    if (GlobalVariable *handle = module.getNamedGlobal("__dso_handle"))
        if (handle->use_empty())
            handle->eraseFromParent();
    return Error::success();
}

/** "The ND-range for any program initialization kernel is (1,1,1)": one item, nothing to widen. */
std::string makeKernel(Module &module, StringRef name, const std::vector<Call> &calls) {
    if (calls.empty())
        return "";
    auto *kernel = Function::Create(FunctionType::get(Type::getVoidTy(module.getContext()), false),
                                    GlobalValue::ExternalLinkage, name, module);
    kernel->setCallingConv(CallingConv::SPIR_KERNEL);
    kernel->addFnAttr(Attribute::NoUnwind);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", kernel));
    for (const Call &call : calls) {
        SmallVector<Value *, 1> arguments;
        if (call.argument)
            arguments.push_back(builder.CreatePointerBitCastOrAddrSpaceCast(
                call.argument, call.function->getArg(0)->getType()));
        /* No kernel of the application's, so no name that clCreateKernel finds. */
        if (call.function->getCallingConv() == CallingConv::SPIR_KERNEL)
            call.function->setCallingConv(CallingConv::SPIR_FUNC);
        builder.CreateCall(call.function, arguments)
            ->setCallingConv(call.function->getCallingConv());
    }
    builder.CreateRetVoid();
    return kernel->getName().str();
}

} // namespace

Error makeProgramKernels(Module &module, ModuleRecord &record) {
    std::vector<Call> first = takeList(module, "llvm.global_ctors");
    std::vector<Call> last = takeList(module, "llvm.global_dtors");
    std::reverse(last.begin(), last.end());
    if (Error error = takeRegistered(module, last))
        return error;
    record.initKernel = makeKernel(module, "weft.init", first);
    record.finiKernel = makeKernel(module, "weft.fini", last);
    return Error::success();
}

} // namespace weft
