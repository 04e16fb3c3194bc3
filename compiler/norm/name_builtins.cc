// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-item, synchronisation and output functions become internal calls or plain IR.

#include "norm/address_spaces.h"
#include "norm/arith.h"
#include "norm/collectives.h"
#include "norm/internals.h"
#include "norm/sub_groups.h"
#include "norm/type_name.h"
#include "stages/stages.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/* ---- work-item functions --------------------------------------------------------------------- */

Value *globalId(IRBuilder<> &builder, unsigned dimension) {
    Value *base = callInternal(builder, Internal::GroupBase, dimension);
    Value *local = callInternal(builder, Internal::LocalId, dimension);
    // "global_work_offset + global_work_size must not exceed the range of size_t."
    return builder.CreateNUWAdd(base, local);
}

/** Global id without offset: group id * enqueued local size + local id. */
Value *plainGlobalId(IRBuilder<> &builder, unsigned dimension) {
    return builder.CreateSub(globalId(builder, dimension),
                             callInternal(builder, Internal::GlobalOffset, dimension));
}

Value *globalLinearId(IRBuilder<> &builder) {
    Value *row =
        builder.CreateAdd(builder.CreateMul(plainGlobalId(builder, 2),
                                            callInternal(builder, Internal::GlobalSize, 1)),
                          plainGlobalId(builder, 1));
    return builder.CreateAdd(builder.CreateMul(row, callInternal(builder, Internal::GlobalSize, 0)),
                             plainGlobalId(builder, 0));
}

/** A query by dimension: the internal that answers it, and the answer outside of 0..2. */
struct DimensionQuery {
    Internal internal; /* None: get_global_id */
    uint64_t outside;
};

const StringMap<DimensionQuery> &dimensionQueries() {
    static const StringMap<DimensionQuery> table = {
        {"get_global_id", {Internal::None, 0}},
        {"get_local_id", {Internal::LocalId, 0}},
        {"get_group_id", {Internal::GroupId, 0}},
        {"get_global_offset", {Internal::GlobalOffset, 0}},
        {"get_global_size", {Internal::GlobalSize, 1}},
        {"get_local_size", {Internal::LocalSize, 1}},
        {"get_enqueued_local_size", {Internal::EnqueuedLocalSize, 1}},
        {"get_num_groups", {Internal::NumGroups, 1}},
    };
    return table;
}

Value *answer(IRBuilder<> &builder, const DimensionQuery &query, unsigned dimension) {
    if (query.internal == Internal::None)
        return globalId(builder, dimension);
    return callInternal(builder, query.internal, dimension);
}

/** "For other values of dimindx, get_global_id() returns 0" (and 1 for sizes), also at run time. */
Value *lowerDimensionQuery(CallBase &call, const DimensionQuery &query) {
    IRBuilder<> builder(&call);
    Value *dimension = call.getArgOperand(0);
    Value *outside = builder.getInt64(query.outside);
    if (auto *constant = dyn_cast<ConstantInt>(dimension)) {
        uint64_t index = constant->getZExtValue();
        return index < 3 ? answer(builder, query, static_cast<unsigned>(index)) : outside;
    }
    Value *result = outside;
    for (unsigned index = 3; index-- > 0;)
        result = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(index)),
                                      answer(builder, query, index), result);
    return result;
}

Value *lowerPlainQuery(CallBase &call, StringRef name) {
    IRBuilder<> builder(&call);
    if (name == "get_work_dim")
        return callInternal(builder, Internal::WorkDim);
    if (name == "get_local_linear_id")
        return callInternal(builder, Internal::LocalLinearId);
    if (name == "get_global_linear_id")
        return globalLinearId(builder);
    return nullptr;
}

/* ---- synchronisation ------------------------------------------------------------------------- */

void lowerBarrier(CallBase &call) {
    IRBuilder<> builder(&call);
    // Without a scope argument the scope is memory_scope_work_group (1).
    Value *scope = call.arg_size() > 1 ? call.getArgOperand(1) : builder.getInt32(1);
    builder.CreateCall(declareInternal(*call.getModule(), Internal::Barrier),
                       {call.getArgOperand(0), scope});
}

/** Clang's memory_order values; one not known at compile time gets the strongest. */
AtomicOrdering orderOf(Value *order) {
    auto *constant = dyn_cast<ConstantInt>(order);
    switch (constant ? constant->getZExtValue() : 5) {
    case 0:
        return AtomicOrdering::Monotonic;
    case 2:
        return AtomicOrdering::Acquire;
    case 3:
        return AtomicOrdering::Release;
    case 4:
        return AtomicOrdering::AcquireRelease;
    default:
        return AtomicOrdering::SequentiallyConsistent;
    }
}

void lowerFence(CallBase &call, StringRef name) {
    AtomicOrdering order = AtomicOrdering::AcquireRelease;
    if (name == "read_mem_fence")
        order = AtomicOrdering::Acquire;
    else if (name == "write_mem_fence")
        order = AtomicOrdering::Release;
    else if (name == "atomic_work_item_fence")
        order = orderOf(call.getArgOperand(1));
    // "memory_order_relaxed: the fence has no effect."
    if (order != AtomicOrdering::Monotonic)
        IRBuilder<>(&call).CreateFence(order);
}

bool isBarrier(StringRef name) {
    return name == "barrier" || name == "work_group_barrier";
}

bool isFence(StringRef name) {
    return name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence" ||
           name == "atomic_work_item_fence";
}

/* ---- the stage ------------------------------------------------------------------------------- */

/** "_Z13get_global_idj" -> "get_global_id"; "" if it is no function of OpenCL C's. */
StringRef baseName(StringRef symbol) {
    if (symbol.starts_with("__to_")) // Clang's to_global(), to_local(), to_private()
        return symbol.drop_front(2);
    return mangledName(symbol);
}

/** Lowers one call; false if the function is not ours. `mangled`: its parameters. */
bool lowerCall(CallBase &call, StringRef name, StringRef mangled) {
    Value *result = nullptr;
    auto query = dimensionQueries().find(name);
    if (query != dimensionQueries().end())
        result = lowerDimensionQuery(call, query->second);
    else if (isBarrier(name))
        lowerBarrier(call);
    else if (isFence(name))
        lowerFence(call, name);
    else if (!(result = lowerPlainQuery(call, name)) &&
             !(result = lowerCollective(call, name, mangled)) &&
             !lowerSubGroup(call, name, mangled, result) &&
             !(result = lowerAddressSpaceTest(call, name)))
        return false;
    if (result)
        call.replaceAllUsesWith(result);
    call.eraseFromParent();
    return true;
}

void nameFunction(Function &function) {
    StringRef name = baseName(function.getName());
    if (name.empty())
        return;
    for (User *user : make_early_inc_range(function.users())) {
        auto *call = dyn_cast<CallBase>(user);
        if (!call || call->getCalledFunction() != &function ||
            !lowerCall(*call, name, function.getName().rsplit(name).second))
            return;
    }
}

/** Only the barrier must not move: the rest is convergent for Clang because it might be one. */
void dropConvergence(Module &module) {
    Attribute::AttrKind convergent = Attribute::Convergent;
    for (Function &function : module) {
        if (internalOf(&function) == Internal::None)
            function.removeFnAttr(convergent);
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                call->removeFnAttr(convergent);
    }
}

/** Library code of the Group family arrives in native form but for what depends on options. */
Error linkGroupFamily(Module &module, const PipelineOptions &options) {
    SmallPtrSet<Function *, 32> before;
    for (Function &function : module)
        if (!function.isDeclaration())
            before.insert(&function);
    if (Error error = options.linkLibrary(module, LibraryStage::Group))
        return error;
    for (Function &function : make_early_inc_range(module)) {
        if (function.isDeclaration() || before.contains(&function))
            continue;
        function.setLinkage(GlobalValue::InternalLinkage);
        makeNative(function, options);
    }
    return Error::success();
}

} // namespace

Error NameBuiltins::run(Module &module) {
    if (context.options.linkLibrary)
        if (Error error = linkGroupFamily(module, context.options))
            return error;
    if (Function *print = module.getFunction("printf"))
        if (print->isDeclaration())
            print->replaceAllUsesWith(declareInternal(module, Internal::Printf));
    std::vector<Function *> declarations;
    for (Function &function : module)
        if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
            declarations.push_back(&function);
    for (Function *function : declarations)
        nameFunction(*function);
    dropConvergence(module);
    for (Function &function : make_early_inc_range(module))
        if (function.isDeclaration() && function.use_empty())
            function.eraseFromParent();
    return Error::success();
}

} // namespace weft
