// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables, loads and stores, addresses.

#include "compiler/shared/names.h"
#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

enum : uint32_t {
    AccessVolatile = 1,
    AccessAligned = 2,
    AccessNontemporal = 4,
    AccessAliasScope = 1 << 16,
    AccessNoAlias = 1 << 17
};

/** The optional memory operands of an instruction, from operand `at` on. */
struct Access {
    bool isVolatile = false, nontemporal = false;
    uint32_t align = 0;
    uint32_t words = 0; /* that they take */

    Access(const Instruction &instruction, uint32_t at) {
        if (at >= instruction.operands())
            return;
        uint32_t mask = instruction.operand(at);
        words = 1;
        isVolatile = mask & AccessVolatile;
        nontemporal = mask & AccessNontemporal;
        if (mask & AccessAligned) {
            align = instruction.operand(at + 1);
            words++;
        }
        /* A list of scopes each. They hold for one call of the function that they were made in,
         * which is nowhere kept: kernels' items are made one function. So they are not used. */
        words += !!(mask & AccessAliasScope) + !!(mask & AccessNoAlias);
    }
};

MaybeAlign alignOf(const Access &access) {
    if (access.align && isPowerOf2_32(access.align))
        return Align(access.align);
    return MaybeAlign();
}

struct BuiltinQuery {
    const char *name;
    bool dimensions; /* takes a dimension, one call per component */
};

BuiltinQuery builtinQuery(uint32_t builtin) {
    switch (builtin) {
    case 24:
        return {"get_num_groups", true};
    case 25:
        return {"get_local_size", true};
    case 26:
        return {"get_group_id", true};
    case 27:
        return {"get_local_id", true};
    case 28:
        return {"get_global_id", true};
    case 31:
        return {"get_global_size", true};
    case 32:
        return {"get_enqueued_local_size", true};
    case 33:
        return {"get_global_offset", true};
    default:
        break;
    }
    static const std::pair<uint32_t, const char *> plain[] = {
        {29, "get_local_linear_id"},         {30, "get_work_dim"},
        {34, "get_global_linear_id"},        {36, "get_sub_group_size"},
        {37, "get_max_sub_group_size"},      {38, "get_num_sub_groups"},
        {39, "get_enqueued_num_sub_groups"}, {40, "get_sub_group_id"},
        {41, "get_sub_group_local_id"},      {4416, "get_sub_group_eq_mask"},
        {4417, "get_sub_group_ge_mask"},     {4418, "get_sub_group_gt_mask"},
        {4419, "get_sub_group_le_mask"},     {4420, "get_sub_group_lt_mask"}};
    for (const auto &[number, name] : plain)
        if (number == builtin)
            return {name, false};
    return {nullptr, false};
}

} // namespace

Align Reader::alignment(uint32_t id, Type *type) {
    const Decoration *literal = source.decoration(id, Decorate::Alignment);
    const Decoration *constant = source.decoration(id, Decorate::AlignmentId);
    uint64_t bytes = 0;
    if (literal && !literal->operands.empty())
        bytes = literal->operands[0];
    else if (constant && !constant->operands.empty())
        bytes = constantOr(constant->operands[0], 0);
    if (isUInt<32>(bytes) && isPowerOf2_64(bytes))
        return Align(bytes);
    return module->getDataLayout().getABITypeAlign(type);
}

/* ---- variables ------------------------------------------------------------------------------- */

void Reader::readVariable(const Instruction &instruction) {
    const TypeInfo &info = types[instruction.typeId];
    if (info.op != Op::TypePointer)
        return fail(instruction, "a variable's type must be a pointer");
    if (!function)
        return readGlobalVariable(instruction);
    Type *type = typeOf(info.element);
    if (!type->isSized())
        return fail(instruction, "a variable of this type has no size");
    AllocaInst *variable = builder.CreateAlloca(type);
    variable->setAlignment(alignment(instruction.resultId, type));
    /* LLVM 22's back end keeps eight bits of an alignment, with their sign: of 128 comes
     * 0xffffff80, of what is more, 0. The instructions that use the variable rely on what was
     * meant. */
    const Decoration *aligned = source.decoration(instruction.resultId, Decorate::Alignment);
    if (aligned && !aligned->operands.empty() && aligned->operands[0] == 0xffffff80)
        variable->setAlignment(Align(128));
    else if (aligned && !aligned->operands.empty() && aligned->operands[0] == 0)
        variable->setAlignment(Align(256));
    if (instruction.operands() > 1)
        builder.CreateStore(operand(instruction, 1), variable);
    set(instruction, variable);
}

void Reader::readGlobalVariable(const Instruction &instruction) {
    uint32_t id = instruction.resultId;
    if (source.decoration(id, Decorate::BuiltIn))
        return; /* copied into each function that uses it */
    uint32_t space = addressSpace(instruction.operand(0));
    Type *type = typeOf(types[instruction.typeId].element);
    if (!space || space == 4 || !type->isSized())
        return fail(instruction, "a variable of this kind cannot be outside of functions");
    auto [name, linkage] = source.linkage(id);
    bool imported = !name.empty() && linkage == 1;
    Constant *initial = nullptr;
    if (instruction.operands() > 1)
        initial = dyn_cast<Constant>(operand(instruction, 1));
    else if (!imported && space == 3)
        initial = UndefValue::get(type);
    else if (!imported)
        initial = Constant::getNullValue(type);
    if (instruction.operands() > 1 && !initial)
        return fail(instruction, "the initial value is not a constant");
    if (initial && type->isPointerTy() && isa<ConstantInt>(initial) && initial->isNullValue())
        initial = Constant::getNullValue(type); /* as LLVM 22 writes it */
    if (initial && initial->getType() != type)
        return fail(instruction, "the initial value is of another type than the variable");
    std::string symbol = name.empty() ? source.name(id).str() : name.str();
    auto kind = name.empty()   ? GlobalValue::InternalLinkage
                : linkage == 2 ? GlobalValue::LinkOnceODRLinkage
                               : GlobalValue::ExternalLinkage;
    if (isReservedName(symbol))
        return fail(instruction, refusalOfName(symbol));
    auto *variable = new GlobalVariable(*module, type, space == 2, kind, initial, symbol, nullptr,
                                        GlobalValue::NotThreadLocal, space);
    variable->setAlignment(alignment(id, type));
    set(instruction, variable);
}

Value *Reader::builtinValue(IRBuilder<> &entry, uint32_t builtin, Type *type) {
    BuiltinQuery query = builtinQuery(builtin);
    if (!query.name)
        return nullptr;
    IRBuilder<>::InsertPointGuard guard(builder);
    builder.SetInsertPoint(entry.GetInsertBlock(), entry.GetInsertPoint());
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!query.dimensions) {
        bool wide = builtin == 29 || builtin == 34;
        Type *natural = vector ? type : builder.getIntNTy(wide ? 64 : 32);
        Value *answer = callBuiltin(query.name, natural, {}, Effect::Pure);
        return vector ? answer : builder.CreateZExtOrTrunc(answer, type);
    }
    Value *all = PoisonValue::get(type);
    for (unsigned d = 0; vector && d < vector->getNumElements(); d++) {
        Operand dimension = {builder.getInt32(d), false};
        Value *answer = callBuiltin(query.name, builder.getInt64Ty(), dimension, Effect::Pure);
        all = builder.CreateInsertElement(
            all, builder.CreateZExtOrTrunc(answer, vector->getElementType()), d);
    }
    return vector ? all : nullptr;
}

Value *Reader::builtinVariable(uint32_t id) {
    const Decoration *decoration = source.decoration(id, Decorate::BuiltIn);
    if (!decoration || decoration->operands.empty() || !function)
        return nullptr;
    Value *&copy = builtinCopies[id];
    if (copy)
        return copy;
    Type *type = pointeeOf(id);
    BasicBlock &block = function->getEntryBlock();
    IRBuilder<> entry(&block, block.begin());
    AllocaInst *made = entry.CreateAlloca(type);
    Value *answer = builtinValue(entry, decoration->operands[0], type);
    if (!answer) {
        fail(*definitions[id], "this device has no such built-in variable");
        return nullptr;
    }
    entry.CreateStore(answer, made);
    /* What is read now may stand in the same block. */
    return copy = made;
}

/* ---- access ---------------------------------------------------------------------------------- */

void Reader::readLoadStore(const Instruction &instruction) {
    bool load = instruction.op == Op::Load;
    Access access(instruction, load ? 1 : 2);
    Value *address = operand(instruction, 0);
    if (!address->getType()->isPointerTy())
        return fail(instruction, "the address is not a pointer");
    llvm::Instruction *made;
    if (load) {
        made = builder.CreateAlignedLoad(resultType(instruction), address, alignOf(access),
                                         access.isVolatile);
        set(instruction, made);
    } else {
        made = builder.CreateAlignedStore(operand(instruction, 1), address, alignOf(access),
                                          access.isVolatile);
    }
    if (access.nontemporal)
        made->setMetadata(LLVMContext::MD_nontemporal,
                          MDNode::get(context, ConstantAsMetadata::get(builder.getInt32(1))));
}

void Reader::readCopyMemory(const Instruction &instruction) {
    bool sized = instruction.op == Op::CopyMemorySized;
    Value *to = operand(instruction, 0), *from = operand(instruction, 1);
    Type *type = pointeeOf(instruction.operand(0));
    if (!type || !type->isSized())
        return fail(instruction, "the target is not a pointer to something of a size");
    /* From 1.4 on the source may have operands of its own. */
    uint32_t at = sized ? 3 : 2;
    Access target(instruction, at);
    Access second(instruction, at + target.words);
    const Access &origin = second.words ? second : target;
    Value *bytes = sized ? operand(instruction, 2)
                         : builder.getInt64(module->getDataLayout().getTypeAllocSize(type));
    auto alignOr = [&](const Access &access) {
        Align natural = sized ? Align(1) : module->getDataLayout().getABITypeAlign(type);
        return alignOf(access).value_or(natural);
    };
    builder.CreateMemCpy(to, alignOr(target), from, alignOr(origin), bytes,
                         target.isVolatile || origin.isVolatile);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/**
 * LLVM 22 writes the constant address so many bytes behind a variable as element 0 of the variable,
 * then that number, and a result that points to bytes: a type that is not the one reached there.
 */
bool Reader::countsBytes(const Instruction &instruction, Type *base) {
    Type *byte = builder.getInt8Ty(), *result = typeOf(types[instruction.typeId].element);
    if (builder.GetInsertBlock() || instruction.op != Op::InBoundsPtrAccessChain ||
        instruction.operands() != 3 || result != byte || constantOr(instruction.operand(1), 1) != 0)
        return false;
    if (auto *structure = dyn_cast<StructType>(base)) {
        uint64_t member = constantOr(instruction.operand(2), UINT64_MAX);
        return member >= structure->getNumElements() ||
               structure->getElementType(static_cast<unsigned>(member)) != byte;
    }
    return GetElementPtrInst::getTypeAtIndex(base, uint64_t(0)) != byte;
}

void Reader::readAccessChain(const Instruction &instruction) {
    bool element =
        instruction.op == Op::PtrAccessChain || instruction.op == Op::InBoundsPtrAccessChain;
    bool inside =
        instruction.op == Op::InBoundsAccessChain || instruction.op == Op::InBoundsPtrAccessChain;
    Value *base = operand(instruction, 0);
    Type *type = pointeeOf(instruction.operand(0)), *at = type;
    if (!type || !type->isSized())
        return fail(instruction, "the base is not a pointer to something of a size");
    if (countsBytes(instruction, type))
        return set(instruction,
                   builder.CreateInBoundsGEP(builder.getInt8Ty(), base, operand(instruction, 2)));
    SmallVector<Value *, 8> path;
    if (!element)
        path.push_back(builder.getInt32(0));
    for (uint32_t i = 1; i < instruction.operands(); i++) {
        Value *index = operand(instruction, i);
        if (!path.empty()) {
            if (auto *structure = dyn_cast<StructType>(at)) {
                uint64_t member = constantOr(instruction.operand(i), UINT64_MAX);
                if (member >= structure->getNumElements())
                    return fail(instruction, "the structure has no such member");
                index = builder.getInt32(static_cast<uint32_t>(member));
                at = structure->getElementType(static_cast<unsigned>(member));
            } else {
                at = GetElementPtrInst::getTypeAtIndex(at, index);
            }
            if (!at)
                return fail(instruction, "more indices than the type has levels");
        }
        path.push_back(index);
    }
    set(instruction,
        inside ? builder.CreateInBoundsGEP(type, base, path) : builder.CreateGEP(type, base, path));
}

void Reader::readPointers(const Instruction &instruction) {
    Value *first = operand(instruction, 0);
    if (!first->getType()->isPointerTy())
        return fail(instruction, "the operand is not a pointer");
    switch (instruction.op) {
    case Op::PtrEqual:
    case Op::PtrNotEqual:
        set(instruction,
            builder.CreateICmp(instruction.op == Op::PtrEqual ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE,
                               first, operand(instruction, 1)));
        break;
    case Op::PtrDiff: {
        Type *type = pointeeOf(instruction.operand(0));
        if (!type || !type->isSized())
            return fail(instruction, "the operands do not point to something of a size");
        Value *difference = builder.CreatePtrDiff(type, first, operand(instruction, 1));
        set(instruction, builder.CreateSExtOrTrunc(difference, resultType(instruction)));
        break;
    }
    case Op::GenericCastToPtrExplicit: {
        auto storage = static_cast<Storage>(instruction.operand(1));
        StringRef name = storage == Storage::Workgroup        ? "__to_local"
                         : storage == Storage::CrossWorkgroup ? "__to_global"
                                                              : "__to_private";
        set(instruction, callPlain(name, resultType(instruction), first, Effect::Pure));
        break;
    }
    case Op::GenericPtrMemSemantics: {
        /* SPIRV-Tools look at neither type. */
        if (first->getType()->getPointerAddressSpace() != 4)
            return fail(instruction, "the operand is not a pointer to storage class Generic");
        if (!fits(instruction, "i:"))
            return;
        /* CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2 to WorkgroupMemory, CrossWorkgroupMemory */
        Operand pointer = {first, true, nullptr};
        Value *fence = callBuiltin("get_fence", builder.getInt32Ty(), pointer, Effect::Pure);
        set(instruction, builder.CreateShl(builder.CreateAnd(fence, 3), 8));
        break;
    }
    case Op::SizeOf: {
        Type *type = pointeeOf(instruction.operand(0));
        if (!type || !type->isSized())
            return fail(instruction, "the operand does not point to something of a size");
        set(instruction, ConstantInt::get(resultType(instruction),
                                          module->getDataLayout().getTypeAllocSize(type)));
        break;
    }
    default:
        set(instruction, builder.CreateAddrSpaceCast(first, resultType(instruction)));
        break;
    }
}

/** LLVM takes whole variables only; a marker of anything else says nothing that must be known. */
void Reader::readLifetime(const Instruction &instruction) {
    auto *variable = dyn_cast<AllocaInst>(operand(instruction, 0)->stripPointerCasts());
    if (!variable)
        return;
    if (instruction.op == Op::LifetimeStart)
        builder.CreateLifetimeStart(variable);
    else
        builder.CreateLifetimeEnd(variable);
}

} // namespace weft::spirv
