// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Barriers, asynchronous copies and what a work-group or sub-group does together.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

/** SPIR-V's scopes in OpenCL C's memory_scope. */
uint32_t memoryScope(uint64_t scope) {
    static const uint32_t scopes[] = {3, 2, 1, 4, 0};
    return scope < std::size(scopes) ? scopes[scope] : 3;
}

/** Reduce, InclusiveScan, ExclusiveScan. */
const char *operationName(uint32_t operation) {
    static const char *const names[] = {"reduce_", "scan_inclusive_", "scan_exclusive_"};
    return operation < std::size(names) ? names[operation] : nullptr;
}

struct GroupRow {
    Op op;
    const char *name;
    bool isSigned;
};

constexpr GroupRow groupRows[] = {
    {Op::GroupIAdd, "add", true},
    {Op::GroupFAdd, "add", true},
    {Op::GroupFMin, "min", true},
    {Op::GroupUMin, "min", false},
    {Op::GroupSMin, "min", true},
    {Op::GroupFMax, "max", true},
    {Op::GroupUMax, "max", false},
    {Op::GroupSMax, "max", true},
    {Op::GroupIMulKHR, "mul", true},
    {Op::GroupFMulKHR, "mul", true},
    {Op::GroupBitwiseAndKHR, "and", true},
    {Op::GroupBitwiseOrKHR, "or", true},
    {Op::GroupBitwiseXorKHR, "xor", true},
    {Op::GroupLogicalAndKHR, "logical_and", true},
    {Op::GroupLogicalOrKHR, "logical_or", true},
    {Op::GroupLogicalXorKHR, "logical_xor", true},
};

constexpr GroupRow nonUniformRows[] = {
    {Op::GroupNonUniformIAdd, "add", true},
    {Op::GroupNonUniformFAdd, "add", true},
    {Op::GroupNonUniformIMul, "mul", true},
    {Op::GroupNonUniformFMul, "mul", true},
    {Op::GroupNonUniformSMin, "min", true},
    {Op::GroupNonUniformUMin, "min", false},
    {Op::GroupNonUniformFMin, "min", true},
    {Op::GroupNonUniformSMax, "max", true},
    {Op::GroupNonUniformUMax, "max", false},
    {Op::GroupNonUniformFMax, "max", true},
    {Op::GroupNonUniformBitwiseAnd, "and", true},
    {Op::GroupNonUniformBitwiseOr, "or", true},
    {Op::GroupNonUniformBitwiseXor, "xor", true},
    {Op::GroupNonUniformLogicalAnd, "logical_and", true},
    {Op::GroupNonUniformLogicalOr, "logical_or", true},
    {Op::GroupNonUniformLogicalXor, "logical_xor", true},
};

/** Instructions of GroupNonUniform that are a function of one or two values. */
constexpr struct {
    Op op;
    const char *name;
    const char *signs; /* of the operands: s, u; p: a predicate */
} plainRows[] = {
    {Op::GroupNonUniformElect, "sub_group_elect", ""},
    {Op::GroupNonUniformAll, "sub_group_non_uniform_all", "p"},
    {Op::GroupNonUniformAny, "sub_group_non_uniform_any", "p"},
    {Op::GroupNonUniformAllEqual, "sub_group_non_uniform_all_equal", "s"},
    {Op::GroupNonUniformBroadcast, "sub_group_non_uniform_broadcast", "su"},
    {Op::GroupNonUniformBroadcastFirst, "sub_group_broadcast_first", "s"},
    {Op::GroupNonUniformBallot, "sub_group_ballot", "p"},
    {Op::GroupNonUniformInverseBallot, "sub_group_inverse_ballot", "u"},
    {Op::GroupNonUniformBallotBitExtract, "sub_group_ballot_bit_extract", "uu"},
    {Op::GroupNonUniformBallotFindLSB, "sub_group_ballot_find_lsb", "u"},
    {Op::GroupNonUniformBallotFindMSB, "sub_group_ballot_find_msb", "u"},
    {Op::GroupNonUniformShuffle, "sub_group_shuffle", "su"},
    {Op::GroupNonUniformShuffleXor, "sub_group_shuffle_xor", "su"},
    {Op::GroupNonUniformShuffleUp, "sub_group_shuffle_up", "su"},
    {Op::GroupNonUniformShuffleDown, "sub_group_shuffle_down", "su"},
};

} // namespace

/* ---- barriers -------------------------------------------------------------------------------- */

/** CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2, CLK_IMAGE_MEM_FENCE 4. */
Value *Reader::flags(uint32_t semanticsId) {
    uint64_t semantics = constantOr(semanticsId, 0xb00);
    return builder.getInt32((semantics & 0x100 ? 1 : 0) | (semantics & 0x200 ? 2 : 0) |
                            (semantics & 0x800 ? 4 : 0));
}

Value *Reader::openclScope(uint32_t scopeId) {
    return builder.getInt32(memoryScope(constantOr(scopeId, 0)));
}

void Reader::readBarrier(const Instruction &instruction) {
    if (instruction.op == Op::MemoryBarrier) {
        AtomicOrdering order = ordering(instruction.operand(1), true, true);
        if (order != AtomicOrdering::Monotonic)
            builder.CreateFence(order);
        return;
    }
    uint64_t execution = constantOr(instruction.operand(0), UINT64_MAX);
    bool subGroup = execution == static_cast<uint64_t>(Scope::Subgroup);
    if (!subGroup && execution != static_cast<uint64_t>(Scope::Workgroup))
        return fail(instruction, "the execution scope must be a constant, Workgroup or Subgroup");
    Operand scope = {openclScope(instruction.operand(1)), true};
    scope.spelled = "12memory_scope";
    callBuiltin(subGroup ? "sub_group_barrier" : "work_group_barrier", builder.getVoidTy(),
                {{flags(instruction.operand(2)), false}, scope}, Effect::Convergent);
}

/* ---- asynchronous copies --------------------------------------------------------------------- */

void Reader::readAsyncCopy(const Instruction &instruction) {
    if (constantOr(instruction.operand(0), UINT64_MAX) != static_cast<uint64_t>(Scope::Workgroup))
        return fail(instruction, "the execution scope must be Workgroup");
    bool waits = instruction.op == Op::GroupWaitEvents;
    if (!fits(instruction, waits ? ":ia" : "v:aannv", 1))
        return;
    if (waits) {
        Operand events = {operand(instruction, 2), true, pointeeOf(instruction.operand(2))};
        callBuiltin("wait_group_events", builder.getVoidTy(), {{operand(instruction, 1)}, events},
                    Effect::Convergent);
        return;
    }
    /* scope, destination, source, elements, stride, event */
    Type *element = pointeeOf(instruction.operand(1));
    Operand to = {operand(instruction, 1), true, element};
    Operand from = {operand(instruction, 2), true, element, "K"};
    Operand count = {operand(instruction, 3), false}, event = {operand(instruction, 5)};
    Operand stride = {operand(instruction, 4), false};
    bool dense = constantOr(instruction.operand(4), 0) == 1;
    set(instruction, dense ? callBuiltin("async_work_group_copy", resultType(instruction),
                                         {to, from, count, event}, Effect::Convergent)
                           : callBuiltin("async_work_group_strided_copy", resultType(instruction),
                                         {to, from, count, stride, event}, Effect::Convergent));
}

/* ---- collectives ----------------------------------------------------------------------------- */

/** SPIRV-Tools do not look at what an instruction of Groups or GroupNonUniform works on. */
static bool isNumber(const Type *type) {
    return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
}

void Reader::readGroup(const Instruction &instruction) {
    uint64_t scope = constantOr(instruction.operand(0), UINT64_MAX);
    bool subGroup = scope == static_cast<uint64_t>(Scope::Subgroup);
    if (!subGroup && scope != static_cast<uint64_t>(Scope::Workgroup))
        return fail(instruction, "the execution scope must be Workgroup or Subgroup");
    std::string name = subGroup ? "sub_group_" : "work_group_";
    Type *type = resultType(instruction);
    uint32_t at = instruction.op == Op::GroupAll || instruction.op == Op::GroupAny ||
                          instruction.op == Op::GroupBroadcast
                      ? 1
                      : 2;
    if (operand(instruction, at)->getType() != type || !isNumber(type))
        return fail(instruction, "the value is not a number of the result's type");
    if (instruction.op == Op::GroupAll || instruction.op == Op::GroupAny) {
        Value *predicate = builder.CreateZExt(operand(instruction, 1), builder.getInt32Ty());
        name += instruction.op == Op::GroupAll ? "all" : "any";
        Value *made = callBuiltin(name, builder.getInt32Ty(), {{predicate}}, Effect::Convergent);
        return set(instruction, builder.CreateIsNotNull(made));
    }
    SmallVector<Operand, 4> operands;
    if (instruction.op == Op::GroupBroadcast) {
        operands.push_back({operand(instruction, 1)});
        Value *place = operand(instruction, 2);
        Type *index = subGroup ? builder.getInt32Ty() : builder.getInt64Ty();
        auto *dimensions = dyn_cast<FixedVectorType>(place->getType());
        for (unsigned d = 0; d < (dimensions ? dimensions->getNumElements() : 1); d++) {
            Value *one = dimensions ? builder.CreateExtractElement(place, d) : place;
            operands.push_back({builder.CreateZExtOrTrunc(one, index), false});
        }
        return set(instruction,
                   callBuiltin(name + "broadcast", type, operands, Effect::Convergent));
    }
    const char *operation = operationName(instruction.operand(1));
    if (!operation)
        return fail(instruction, "the group operation is not known");
    if (!subGroup && type->isVectorTy()) /* "valid types are scalars" in OpenCL's environment */
        return fail(instruction, "work-groups combine scalars only");
    /* Booleans are int in OpenCL C. */
    Value *value = operand(instruction, 2);
    bool logical = type->isIntegerTy(1);
    if (logical)
        value = builder.CreateZExt(value, builder.getInt32Ty());
    for (const GroupRow &row : groupRows) {
        if (row.op != instruction.op)
            continue;
        Value *made = callBuiltin(name + operation + row.name, value->getType(),
                                  {{value, row.isSigned}}, Effect::Convergent);
        set(instruction, logical ? builder.CreateIsNotNull(made) : made);
    }
}

/** cl_khr_subgroup_*: predicates are int in OpenCL C and bool here. */
void Reader::readNonUniform(const Instruction &instruction) {
    if (constantOr(instruction.operand(0), UINT64_MAX) != static_cast<uint64_t>(Scope::Subgroup))
        return fail(instruction, "the execution scope must be Subgroup");
    Type *type = resultType(instruction);
    Type *word = builder.getInt32Ty();
    auto call = [&](const Twine &name, ArrayRef<Operand> operands) {
        Value *made = callBuiltin(name.str(), type->isIntegerTy(1) ? word : type, operands,
                                  Effect::Convergent);
        set(instruction, type->isIntegerTy(1) ? builder.CreateIsNotNull(made) : made);
    };
    auto given = [&](uint32_t i, char sign) -> Operand {
        Value *made = operand(instruction, i);
        if (!isNumber(made->getType()))
            fail(instruction, "the value is not a number");
        if (made->getType()->isIntegerTy(1))
            made = builder.CreateZExt(made, word);
        return {made, sign != 'u'};
    };
    for (const auto &row : plainRows)
        if (row.op == instruction.op) {
            SmallVector<Operand, 2> operands;
            for (uint32_t i = 0; row.signs[i]; i++)
                operands.push_back(given(i + 1, row.signs[i]));
            return call(row.name, operands);
        }
    if (instruction.op == Op::GroupNonUniformRotateKHR) {
        SmallVector<Operand, 3> operands = {given(1, 's')};
        for (uint32_t i = 2; i < std::min(instruction.operands(), 4u); i++) {
            Value *number = operand(instruction, i);
            if (!number->getType()->isIntegerTy())
                return fail(instruction, "the delta or the size of clusters is no integer");
            operands.push_back({builder.CreateZExtOrTrunc(number, word), i == 2});
        }
        return call(operands.size() > 2 ? "sub_group_clustered_rotate" : "sub_group_rotate",
                    operands);
    }
    uint32_t operation = instruction.operand(1);
    if (instruction.op == Op::GroupNonUniformBallotBitCount) {
        const char *names[] = {"bit_count", "inclusive_scan", "exclusive_scan"};
        if (operation > 2)
            return fail(instruction, "the group operation is not known");
        return call(Twine("sub_group_ballot_") + names[operation], {given(2, 'u')});
    }
    for (const GroupRow &row : nonUniformRows) {
        if (row.op != instruction.op)
            continue;
        if (operand(instruction, 2)->getType() != type)
            return fail(instruction, "the value is not a number of the result's type");
        Operand operand = given(2, row.isSigned ? 's' : 'u');
        if (operation == 3) /* ClusteredReduce */
            return call(Twine("sub_group_clustered_reduce_") + row.name, {operand, given(3, 'u')});
        const char *name = operationName(operation);
        if (!name)
            return fail(instruction, "the group operation is not known");
        return call(Twine("sub_group_non_uniform_") + name + row.name, {operand});
    }
}

/* ---- SPV_INTEL_subgroups --------------------------------------------------------------------- */

/** The value that lane `lane` has, element by element: OpenCL's function takes scalars. */
Value *Reader::shuffled(Value *value, Value *lane) {
    auto one = [&](Value *scalar) {
        return callBuiltin("sub_group_shuffle", scalar->getType(), {{scalar}, {lane, false}},
                           Effect::Convergent);
    };
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    if (!vector)
        return one(value);
    Value *made = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); i++)
        made = builder.CreateInsertElement(made, one(builder.CreateExtractElement(value, i)), i);
    return made;
}

Value *Reader::laneQuery(StringRef name) {
    return callBuiltin(name, builder.getInt32Ty(), {}, Effect::Pure);
}

/**
 * Up and down see two values as one row, twice as long as the maximum size of sub-groups: Down
 * takes lane id + delta of (current, next), Up lane max + id - delta of (previous, current).
 */
void Reader::readIntelShuffle(const Instruction &instruction) {
    bool up = instruction.op == Op::SubgroupShuffleUpINTEL;
    bool down = instruction.op == Op::SubgroupShuffleDownINTEL;
    Type *type = resultType(instruction), *word = builder.getInt32Ty();
    Value *first = operand(instruction, 0), *second = operand(instruction, up || down ? 1 : 0);
    Value *by = operand(instruction, up || down ? 2 : 1);
    if (first->getType() != type || second->getType() != type || !isNumber(type) ||
        type->getScalarType()->isIntegerTy(1) || !by->getType()->isIntegerTy(32))
        return fail(instruction, "the values are not numbers of the result's type, or the lane is "
                                 "not an integer of 32 bits");
    if (!up && !down) {
        Value *lane = instruction.op == Op::SubgroupShuffleINTEL
                          ? by
                          : builder.CreateXor(laneQuery("get_sub_group_local_id"), by);
        return set(instruction, shuffled(first, lane));
    }
    Value *most = laneQuery("get_max_sub_group_size"), *id = laneQuery("get_sub_group_local_id");
    Value *place =
        down ? builder.CreateAdd(id, by) : builder.CreateSub(builder.CreateAdd(id, most), by);
    Value *inFirst = builder.CreateICmpULT(place, most);
    Value *other = builder.CreateSub(place, most);
    /* Each lane asks for one that is there in both values. */
    Value *zero = ConstantInt::get(word, 0);
    Value *a = shuffled(first, builder.CreateSelect(inFirst, place, zero));
    Value *b = shuffled(second, builder.CreateSelect(inFirst, zero, other));
    set(instruction, builder.CreateSelect(inFirst, a, b));
}

/** Component i of lane l is element i * get_max_sub_group_size() + l behind the pointer. */
void Reader::readIntelBlock(const Instruction &instruction) {
    bool read = instruction.op == Op::SubgroupBlockReadINTEL;
    Value *base = operand(instruction, 0);
    Type *type = read ? resultType(instruction) : operand(instruction, 1)->getType();
    Type *element = type->getScalarType();
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!base->getType()->isPointerTy() || !isNumber(type) || element->isIntegerTy(1))
        return fail(instruction, "this is no block of numbers behind a pointer");
    Value *most = laneQuery("get_max_sub_group_size"), *id = laneQuery("get_sub_group_local_id");
    Value *made = read ? PoisonValue::get(type) : operand(instruction, 1);
    for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); i++) {
        Value *place = builder.CreateAdd(builder.CreateMul(most, builder.getInt32(i)), id);
        Value *address =
            builder.CreateGEP(element, base, builder.CreateZExt(place, builder.getInt64Ty()));
        if (read) {
            Value *one = builder.CreateLoad(element, address);
            made = vector ? builder.CreateInsertElement(made, one, i) : one;
        } else {
            builder.CreateStore(vector ? builder.CreateExtractElement(made, i) : made, address);
        }
    }
    if (read)
        set(instruction, made);
}

} // namespace weft::spirv
