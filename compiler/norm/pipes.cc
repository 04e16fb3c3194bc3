// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clang turns the pipe functions of OpenCL C into calls of __read_pipe_2(pipe, packet, size, align)
// and so on. Each name gets one function here that asks the device; pipe and reservation are
// pointers, a reservation that is not valid is null.

#include "norm/pipes.h"
#include "norm/internals.h"
#include "norm/launch.h"
#include "norm/sub_groups.h"

#include "weft/abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

namespace {

/** Who acts together. */
enum class Scope { Item, SubGroup, Group };

enum class PipeKind { Move, Access, Reserve, Commit, Packets, Capacity, Valid, Null };

struct PipeFunction {
    const char *name;
    PipeKind kind;
    bool writes;
    Scope scope;
};

const PipeFunction pipeFunctions[] = {
    {"__read_pipe_2", PipeKind::Move, false, Scope::Item},
    {"__write_pipe_2", PipeKind::Move, true, Scope::Item},
    {"__read_pipe_4", PipeKind::Access, false, Scope::Item},
    {"__write_pipe_4", PipeKind::Access, true, Scope::Item},
    {"__reserve_read_pipe", PipeKind::Reserve, false, Scope::Item},
    {"__reserve_write_pipe", PipeKind::Reserve, true, Scope::Item},
    {"__work_group_reserve_read_pipe", PipeKind::Reserve, false, Scope::Group},
    {"__work_group_reserve_write_pipe", PipeKind::Reserve, true, Scope::Group},
    {"__commit_read_pipe", PipeKind::Commit, false, Scope::Item},
    {"__commit_write_pipe", PipeKind::Commit, true, Scope::Item},
    {"__work_group_commit_read_pipe", PipeKind::Commit, false, Scope::Group},
    {"__work_group_commit_write_pipe", PipeKind::Commit, true, Scope::Group},
    {"__sub_group_reserve_read_pipe", PipeKind::Reserve, false, Scope::SubGroup},
    {"__sub_group_reserve_write_pipe", PipeKind::Reserve, true, Scope::SubGroup},
    {"__sub_group_commit_read_pipe", PipeKind::Commit, false, Scope::SubGroup},
    {"__sub_group_commit_write_pipe", PipeKind::Commit, true, Scope::SubGroup},
    {"__get_pipe_num_packets_ro", PipeKind::Packets, false, Scope::Item},
    {"__get_pipe_num_packets_wo", PipeKind::Packets, true, Scope::Item},
    {"__get_pipe_max_packets_ro", PipeKind::Capacity, false, Scope::Item},
    {"__get_pipe_max_packets_wo", PipeKind::Capacity, true, Scope::Item},
    {"_Z19is_valid_reserve_id13ocl_reserveid", PipeKind::Valid, false, Scope::Item},
    {"__weft_null_reserve_id", PipeKind::Null, false, Scope::Item},
};

class PipeLowering {
  public:
    PipeLowering(Module &module, const PipeFunction &what)
        : module(module), what(what), context(module.getContext()),
          pointer(PointerType::get(context, 0)), word(Type::getInt32Ty(context)),
          wide(Type::getInt64Ty(context)) {}

    void lower(CallInst &call) {
        IRBuilder<> builder(&call);
        if (what.scope == Scope::Group)
            return lowerGroup(call);
        if (what.scope == Scope::SubGroup)
            return lowerTogether(call);
        if (Value *result = emit(builder, call))
            call.replaceAllUsesWith(result);
        call.eraseFromParent();
    }

  private:
    Value *launchOf(IRBuilder<> &builder) { return callInternal(builder, Internal::Launch); }
    Value *side(IRBuilder<> &builder) { return builder.getInt32(what.writes); }

    /** A pointer of any address space as a native one. */
    Value *plain(IRBuilder<> &builder, Value *value) {
        return value->getType() == pointer ? value : builder.CreateAddrSpaceCast(value, pointer);
    }

    Value *idOf(IRBuilder<> &builder, Value *reservation) {
        return builder.CreatePtrToInt(reservation, wide);
    }

    LoadInst *counter(IRBuilder<> &builder, Value *pipe, uint64_t offset) {
        LoadInst *load = builder.CreateAlignedLoad(
            wide, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pipe, offset), Align(8));
        load->setAtomic(AtomicOrdering::Monotonic);
        return load;
    }

    /**
     * A function of its own for what moves packets: out of line, and so opaque to whatever happens
     * to the loops around it. "-1" if the packet's size is not the pipe's.
     */
    Function *mover() {
        bool access = what.kind == PipeKind::Access;
        SmallVector<Type *, 6> types = {pointer, pointer, pointer, word};
        if (access)
            types.append({wide, word});
        std::string name = std::string("weft.") + what.name;
        if (Function *there = module.getFunction(name))
            return there;
        auto *function = Function::Create(FunctionType::get(word, types, false),
                                          GlobalValue::InternalLinkage, name, module);
        function->addFnAttr(Attribute::NoInline);
        function->setDoesNotThrow();
        fillMover(*function, access);
        return function;
    }

    void fillMover(Function &function, bool access) {
        auto *entry = BasicBlock::Create(context, "", &function);
        auto *fits = BasicBlock::Create(context, "fits", &function);
        auto *wrong = BasicBlock::Create(context, "wrong", &function);
        IRBuilder<> builder(entry);
        Value *launch = function.getArg(0), *pipe = function.getArg(1);
        Value *size = loadMember(builder, pipe, offsetof(weft_pipe, packet_size), word);
        builder.CreateCondBr(builder.CreateICmpEQ(size, function.getArg(3)), fits, wrong);
        builder.SetInsertPoint(wrong);
        builder.CreateRet(builder.getInt32(-1));
        builder.SetInsertPoint(fits);
        Value *result;
        if (access)
            result = callService(
                builder, launch, offsetof(weft_services, pipe_access),
                FunctionType::get(word, {pointer, wide, word, pointer, word}, false),
                {pipe, function.getArg(4), function.getArg(5), function.getArg(2), side(builder)});
        else
            result = callService(builder, launch,
                                 what.writes ? offsetof(weft_services, pipe_write)
                                             : offsetof(weft_services, pipe_read),
                                 FunctionType::get(word, {pointer, pointer}, false),
                                 {pipe, function.getArg(2)});
        builder.CreateRet(result);
    }

    /** What replaces the call's result; null: nothing. */
    Value *emit(IRBuilder<> &builder, CallInst &call) {
        switch (what.kind) {
        case PipeKind::Move:
            return builder.CreateCall(mover(), {launchOf(builder), call.getArgOperand(0),
                                                plain(builder, call.getArgOperand(1)),
                                                call.getArgOperand(2)});
        case PipeKind::Access:
            return builder.CreateCall(
                mover(), {launchOf(builder), call.getArgOperand(0),
                          plain(builder, call.getArgOperand(3)), call.getArgOperand(4),
                          idOf(builder, call.getArgOperand(1)), call.getArgOperand(2)});
        case PipeKind::Reserve:
            return builder.CreateIntToPtr(reserve(builder, call), pointer);
        case PipeKind::Commit:
            callService(
                builder, launchOf(builder), offsetof(weft_services, pipe_commit),
                FunctionType::get(builder.getVoidTy(), {pointer, wide, word}, false),
                {call.getArgOperand(0), idOf(builder, call.getArgOperand(1)), side(builder)});
            return nullptr;
        case PipeKind::Packets:
            return builder.CreateTrunc(
                builder.CreateSub(
                    counter(builder, call.getArgOperand(0), offsetof(weft_pipe, tail)),
                    counter(builder, call.getArgOperand(0), offsetof(weft_pipe, read_reserved))),
                word);
        case PipeKind::Capacity:
            return loadMember(builder, call.getArgOperand(0), offsetof(weft_pipe, max_packets),
                              word);
        case PipeKind::Valid:
            return builder.CreateIsNotNull(call.getArgOperand(0));
        case PipeKind::Null:
            return Constant::getNullValue(pointer);
        }
        return nullptr;
    }

    Value *reserve(IRBuilder<> &builder, CallInst &call) {
        return callService(builder, launchOf(builder), offsetof(weft_services, pipe_reserve),
                           FunctionType::get(wide, {pointer, word, word}, false),
                           {call.getArgOperand(0), call.getArgOperand(1), side(builder)});
    }

    void barrier(IRBuilder<> &builder) {
        builder.CreateCall(declareInternal(module, Internal::Barrier),
                           {builder.getInt32(1), builder.getInt32(1)});
    }

    /** "must be encountered by all work-items in a work-group": the first item acts for all, and
     *  the others read what it left in the worker, between two barriers. */
    void lowerGroup(CallInst &call) {
        IRBuilder<> builder(&call);
        barrier(builder);
        Value *slot = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                         callInternal(builder, Internal::Worker),
                                                         offsetof(weft_worker, reserved));
        Value *first = builder.CreateICmpEQ(callInternal(builder, Internal::LocalLinearId),
                                            builder.getInt64(0));
        Instruction *then = SplitBlockAndInsertIfThen(first, call.getIterator(), false);
        IRBuilder<> once(then);
        if (what.kind == PipeKind::Reserve)
            once.CreateAlignedStore(reserve(once, call), slot, Align(8));
        else
            emit(once, call);
        builder.SetInsertPoint(&call);
        barrier(builder);
        if (what.kind == PipeKind::Reserve)
            call.replaceAllUsesWith(
                builder.CreateIntToPtr(builder.CreateAlignedLoad(wide, slot, Align(8)), pointer));
        call.eraseFromParent();
    }

    /** One lane acts for its sub-group. */
    void lowerTogether(CallInst &call) {
        IRBuilder<> builder(&call);
        Value *acts = electLane(builder);
        Instruction *then = SplitBlockAndInsertIfThen(acts, call.getIterator(), false);
        IRBuilder<> once(then);
        Value *id = what.kind == PipeKind::Reserve ? reserve(once, call) : emit(once, call);
        builder.SetInsertPoint(&call);
        if (what.kind == PipeKind::Reserve) {
            PHINode *mine = builder.CreatePHI(wide, 2);
            mine->addIncoming(id, then->getParent());
            mine->addIncoming(builder.getInt64(0), then->getParent()->getSinglePredecessor());
            call.replaceAllUsesWith(builder.CreateIntToPtr(broadcastFirst(builder, mine), pointer));
        }
        call.eraseFromParent();
    }

    Module &module;
    const PipeFunction &what;
    LLVMContext &context;
    Type *pointer, *word, *wide;
};

} // namespace

void lowerPipes(Module &module) {
    for (const PipeFunction &what : pipeFunctions) {
        Function *function = module.getFunction(what.name);
        if (!function || !function->isDeclaration())
            continue;
        PipeLowering lowering(module, what);
        for (User *user : make_early_inc_range(function->users()))
            if (auto *call = dyn_cast<CallInst>(user);
                call && call->getCalledFunction() == function)
                lowering.lower(*call);
        if (function->use_empty())
            function->eraseFromParent();
    }
}

} // namespace weft
