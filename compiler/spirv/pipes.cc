// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pipes and device events: the functions that Clang calls for OpenCL C's.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

/** `operands`: how many follow, in SPIR-V's order, which is Clang's but for reservations, where a
 *  scope comes first. `address`: index of a pointer, which is generic in Clang's call; -1: none. */
constexpr struct {
    Op op;
    const char *name;
    bool scope, byAccess;
    int address;
} rows[] = {
    {Op::ReadPipe, "__read_pipe_2", false, false, 1},
    {Op::WritePipe, "__write_pipe_2", false, false, 1},
    {Op::ReservedReadPipe, "__read_pipe_4", false, false, 3},
    {Op::ReservedWritePipe, "__write_pipe_4", false, false, 3},
    {Op::ReserveReadPipePackets, "__reserve_read_pipe", false, false, -1},
    {Op::ReserveWritePipePackets, "__reserve_write_pipe", false, false, -1},
    {Op::CommitReadPipe, "__commit_read_pipe", false, false, -1},
    {Op::CommitWritePipe, "__commit_write_pipe", false, false, -1},
    {Op::GetNumPipePackets, "__get_pipe_num_packets_", false, true, -1},
    {Op::GetMaxPipePackets, "__get_pipe_max_packets_", false, true, -1},
    {Op::GroupReserveReadPipePackets, "reserve_read_pipe", true, false, -1},
    {Op::GroupReserveWritePipePackets, "reserve_write_pipe", true, false, -1},
    {Op::GroupCommitReadPipe, "commit_read_pipe", true, false, -1},
    {Op::GroupCommitWritePipe, "commit_write_pipe", true, false, -1},
};

} // namespace

/** The address of a storage is a pipe; stage retarget, where both are pointers, drops the call. */
Value *Reader::pipeFromStorage(const Instruction &instruction) {
    Value *storage = operand(instruction, 0);
    return callPlain("__weft_pipe_from_storage", resultType(instruction), storage, Effect::Pure);
}

void Reader::readPipe(const Instruction &instruction) {
    Type *type = instruction.typeId ? resultType(instruction) : builder.getVoidTy();
    if (instruction.op == Op::CreatePipeFromPipeStorage)
        return set(instruction, pipeFromStorage(instruction));
    if (instruction.op == Op::IsValidReserveId)
        return set(instruction, callBuiltin("is_valid_reserve_id", type,
                                            {{operand(instruction, 0)}}, Effect::Any));
    for (const auto &row : rows) {
        if (row.op != instruction.op)
            continue;
        std::string name = row.name;
        SmallVector<Value *, 6> arguments;
        for (uint32_t i = row.scope ? 1 : 0; i < instruction.operands(); i++) {
            Value *argument = operand(instruction, i);
            if (static_cast<int>(i) == row.address && argument->getType()->isPointerTy())
                argument = builder.CreateAddrSpaceCast(argument, PointerType::get(context, 4));
            arguments.push_back(argument);
        }
        auto *pipe = dyn_cast<TargetExtType>(arguments[0]->getType());
        if (row.byAccess && (!pipe || pipe->getName() != "spirv.Pipe"))
            return fail(instruction, "the operand is not a pipe");
        if (row.byAccess)
            name += accessName(pipe);
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
    static const std::pair<Op, const char *> names[] = {
        {Op::RetainEvent, "retain_event"},
        {Op::ReleaseEvent, "release_event"},
        {Op::CreateUserEvent, "create_user_event"},
        {Op::IsValidEvent, "is_valid_event"},
        {Op::SetUserEventStatus, "set_user_event_status"},
        {Op::CaptureEventProfilingInfo, "capture_event_profiling_info"},
        {Op::GetDefaultQueue, "get_default_queue"}};
    Type *type = instruction.typeId ? resultType(instruction) : builder.getVoidTy();
    SmallVector<Operand, 3> operands;
    for (uint32_t i = 0; i < instruction.operands(); i++) {
        Operand made = {operand(instruction, i)};
        if (made.value->getType()->isPointerTy()) /* global void * */
            made.value = builder.CreateAddrSpaceCast(made.value, PointerType::get(context, 1));
        operands.push_back(made);
    }
    if (instruction.op == Op::CaptureEventProfilingInfo && operands.size() == 3)
        operands[1].spelled = "i";
    for (const auto &[op, name] : names)
        if (op == instruction.op) {
            Value *made = callBuiltin(name, type, operands, Effect::Any);
            if (!type->isVoidTy())
                set(instruction, made);
        }
}

} // namespace weft::spirv
