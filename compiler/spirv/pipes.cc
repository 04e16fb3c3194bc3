// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pipes and device events: the functions that Clang calls for OpenCL C's.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

/** SPIR-V's operands in order, which is Clang's but for what a group does, where a scope comes
 *  first. `types`: of the result and the operands behind the scope, see Reader::fits(). */
constexpr struct {
    Op op;
    const char *name;
    const char *types;
    bool scope, byAccess;
} pipeRows[] = {
    {Op::ReadPipe, "__read_pipe_2", "i:paii", false, false},
    {Op::WritePipe, "__write_pipe_2", "i:paii", false, false},
    {Op::ReservedReadPipe, "__read_pipe_4", "i:priaii", false, false},
    {Op::ReservedWritePipe, "__write_pipe_4", "i:priaii", false, false},
    {Op::ReserveReadPipePackets, "__reserve_read_pipe", "r:piii", false, false},
    {Op::ReserveWritePipePackets, "__reserve_write_pipe", "r:piii", false, false},
    {Op::CommitReadPipe, "__commit_read_pipe", ":prii", false, false},
    {Op::CommitWritePipe, "__commit_write_pipe", ":prii", false, false},
    {Op::GetNumPipePackets, "__get_pipe_num_packets_", "i:pii", false, true},
    {Op::GetMaxPipePackets, "__get_pipe_max_packets_", "i:pii", false, true},
    {Op::GroupReserveReadPipePackets, "reserve_read_pipe", "r:piii", true, false},
    {Op::GroupReserveWritePipePackets, "reserve_write_pipe", "r:piii", true, false},
    {Op::GroupCommitReadPipe, "commit_read_pipe", ":prii", true, false},
    {Op::GroupCommitWritePipe, "commit_write_pipe", ":prii", true, false},
};

} // namespace

/** The address of a storage is a pipe; stage retarget, where both are pointers, drops the call. */
Value *Reader::pipeFromStorage(const Instruction &instruction) {
    Value *storage = operand(instruction, 0);
    return callPlain("__weft_pipe_from_storage", resultType(instruction), storage, Effect::Pure);
}

void Reader::readPipe(const Instruction &instruction) {
    Type *type = instruction.typeId ? resultType(instruction) : builder.getVoidTy();
    if (instruction.op == Op::CreatePipeFromPipeStorage) {
        if (fits(instruction, "p:s"))
            set(instruction, pipeFromStorage(instruction));
        return;
    }
    if (instruction.op == Op::IsValidReserveId) {
        if (fits(instruction, "b:r"))
            set(instruction,
                callBuiltin("is_valid_reserve_id", type, {{operand(instruction, 0)}}, Effect::Any));
        return;
    }
    for (const auto &row : pipeRows) {
        if (row.op != instruction.op)
            continue;
        uint32_t first = row.scope ? 1 : 0;
        if (!fits(instruction, row.types, first))
            return;
        std::string name = row.name;
        SmallVector<Value *, 6> arguments;
        for (uint32_t i = first; i < instruction.operands(); i++) {
            Value *argument = operand(instruction, i);
            if (argument->getType()->isPointerTy()) /* generic in Clang's call */
                argument = builder.CreateAddrSpaceCast(argument, PointerType::get(context, 4));
            arguments.push_back(argument);
        }
        if (row.byAccess)
            name += accessName(cast<TargetExtType>(arguments[0]->getType()));
        uint64_t scope = row.scope ? constantOr(instruction.operand(0), UINT64_MAX) : 0;
        if (row.scope)
            name = (scope == static_cast<uint64_t>(Scope::Subgroup) ? "__sub_group_"
                                                                    : "__work_group_") +
                   name;
        Value *made =
            callPlain(name, type, arguments, row.scope ? Effect::Convergent : Effect::Any);
        if (!type->isVoidTy())
            set(instruction, made);
        return;
    }
}

void Reader::readEvent(const Instruction &instruction) {
    static constexpr struct {
        Op op;
        const char *name, *types;
    } functions[] = {{Op::RetainEvent, "retain_event", ":e"},
                     {Op::ReleaseEvent, "release_event", ":e"},
                     {Op::CreateUserEvent, "create_user_event", "e:"},
                     {Op::IsValidEvent, "is_valid_event", "b:e"},
                     {Op::SetUserEventStatus, "set_user_event_status", ":ei"},
                     {Op::CaptureEventProfilingInfo, "capture_event_profiling_info", ":eia"},
                     {Op::GetDefaultQueue, "get_default_queue", "q:"}};
    for (const auto &row : functions) {
        if (row.op != instruction.op)
            continue;
        if (!fits(instruction, row.types))
            return;
        Type *type = instruction.typeId ? resultType(instruction) : builder.getVoidTy();
        SmallVector<Operand, 3> operands;
        for (uint32_t i = 0; i < instruction.operands(); i++) {
            Operand made = {operand(instruction, i)};
            if (made.value->getType()->isPointerTy()) /* global void * */
                made.value = builder.CreateAddrSpaceCast(made.value, PointerType::get(context, 1));
            operands.push_back(made);
        }
        if (instruction.op == Op::CaptureEventProfilingInfo)
            operands[1].spelled = "i";
        Value *made = callBuiltin(row.name, type, operands, Effect::Any);
        if (!type->isVoidTy())
            set(instruction, made);
    }
}

} // namespace weft::spirv
