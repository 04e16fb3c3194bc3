// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions, blocks, calls and control flow.

#include "compiler/shared/names.h"
#include "spirv/reader.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace weft::spirv {

namespace {

enum : uint32_t { ControlInline = 1, ControlDontInline = 2 };

bool hasBody(const Module &source, size_t at) {
    for (; at < source.instructions.size(); at++) {
        if (source.instructions[at].op == Op::Label)
            return true;
        if (source.instructions[at].op == Op::FunctionEnd)
            return false;
    }
    return false;
}

/**
 * LLVM's intrinsic that a module imports by its name, as DPC++ leaves them where llvm-spirv knows
 * no instruction for one; null: none that is as plain as an instruction, or of another type.
 */
Function *importedIntrinsic(llvm::Module &module, StringRef name, FunctionType *type) {
    switch (Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name)) {
    case Intrinsic::uadd_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
    case Intrinsic::ctpop: {
        if (!type->getReturnType()->isIntOrIntVectorTy())
            return nullptr;
        Function *known = Intrinsic::getOrInsertDeclaration(&module, id, type->getReturnType());
        return known->getFunctionType() == type ? known : nullptr;
    }
    default:
        return nullptr;
    }
}

/**
 * Whether an entry point's function only hands its parameters on to `callee`. llvm-spirv writes
 * every kernel so, since "it is invalid for any function to be targeted by both an OpEntryPoint
 * instruction and an OpFunctionCall instruction".
 */
bool isForwarder(const Module &source, const Instruction *entry, uint32_t callee) {
    SmallVector<uint32_t, 8> parameters;
    bool called = false;
    const Instruction *end = source.instructions.data() + source.instructions.size();
    for (const Instruction &instruction : make_range(entry ? entry : end, end)) {
        switch (instruction.op) {
        case Op::Function:
        case Op::Label:
        case Op::Line:
        case Op::NoLine:
        case Op::Return:
            break;
        case Op::FunctionParameter:
            parameters.push_back(instruction.resultId);
            break;
        case Op::FunctionCall:
            if (called || instruction.operand(0) != callee ||
                instruction.rest(1) != ArrayRef(parameters))
                return false;
            called = true;
            break;
        case Op::FunctionEnd:
            return called;
        default:
            return false;
        }
    }
    return false;
}

} // namespace

/**
 * What a function is called in IR, where kernels and functions share names; those of entry points
 * and those of linkage are two kinds. A function that has an entry point's becomes Clang's copy of
 * a kernel if the kernel only calls it, and another function if not; linkModules() knows both.
 */
std::string Reader::symbolOf(const Instruction &instruction, FunctionType *type) {
    uint32_t id = instruction.resultId;
    for (const EntryPoint &entry : source.entryPoints)
        if (entry.function == id)
            return entry.name;
    StringRef name = source.linkage(id).first;
    if (name.empty())
        name = source.name(id);
    for (const EntryPoint &entry : source.entryPoints) {
        if (name.empty() || name != entry.name)
            continue;
        bool plain = none_of(type->params(), [](Type *one) { return one->isAggregateType(); });
        bool known = entry.function < definitions.size();
        bool copy = plain && known && isForwarder(source, definitions[entry.function], id);
        return copy ? (copyOfKernelPrefix + name).str() : (name + besideKernelSuffix).str();
    }
    return name.str();
}

/* ---- declarations ---------------------------------------------------------------------------- */

void Reader::declareFunction(size_t at) {
    const Instruction &instruction = source.instructions[at];
    uint32_t id = instruction.resultId;
    bool kernel = source.isEntryPoint(id), body = hasBody(source, at);
    auto *declared = dyn_cast<FunctionType>(typeOf(instruction.operand(1)));
    if (!declared)
        return fail(instruction, "the function has no function type");
    SmallVector<Type *, 8> parameters(declared->params());
    SmallVector<uint32_t, 8> &ids = parameterIds[id];
    for (size_t i = at + 1; i < source.instructions.size() && ids.size() < parameters.size(); i++)
        if (source.instructions[i].op == Op::FunctionParameter)
            ids.push_back(source.instructions[i].resultId);
    for (auto [parameter, type] : zip(ids, parameters))
        if (kernel && type->isAggregateType()) {
            byValue[parameter] = type;
            type = PointerType::get(context, 0);
        }
    auto *type = FunctionType::get(declared->getReturnType(), parameters, false);

    auto [name, linkage] = source.linkage(id);
    std::string symbol = symbolOf(instruction, type);
    if (!body)
        if (Function *known = importedIntrinsic(*module, symbol, type)) {
            functions[id] = known;
            return;
        }
    if (isReservedName(symbol))
        return fail(instruction, refusalOfName(symbol));
    auto kind = !name.empty() && linkage == 2      ? GlobalValue::LinkOnceODRLinkage
                : kernel || !name.empty() || !body ? GlobalValue::ExternalLinkage
                                                   : GlobalValue::InternalLinkage;
    Function *made = body ? nullptr : module->getFunction(symbol);
    if (!made)
        made = Function::Create(type, kind, symbol, *module);
    functions[id] = made;
    made->setCallingConv(kernel ? CallingConv::SPIR_KERNEL : CallingConv::SPIR_FUNC);
    made->setDoesNotThrow();
    made->setConvergent();
    if (instruction.operand(0) & ControlInline)
        made->addFnAttr(Attribute::InlineHint);
    else if (instruction.operand(0) & ControlDontInline)
        made->addFnAttr(Attribute::NoInline);
    parameterAttributes(*made, id, kernel);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

void Reader::makeBlocks(size_t at) {
    blocks.clear();
    phis.clear();
    builtinCopies.clear();
    for (; at < source.instructions.size(); at++) {
        const Instruction &instruction = source.instructions[at];
        if (instruction.op == Op::FunctionEnd)
            return;
        if (instruction.op == Op::Label)
            blocks[instruction.resultId] = BasicBlock::Create(context, "", function);
    }
}

void Reader::readParameters(ArrayRef<const Instruction *> parameters) {
    for (auto [parameter, argument] : zip(parameters, function->args())) {
        Value *known = &argument;
        if (Type *type = byValue.lookup(parameter->resultId))
            known = builder.CreateLoad(type, &argument);
        set(*parameter, known);
        if (!context.shouldDiscardValueNames())
            argument.setName(source.name(parameter->resultId));
    }
}

void Reader::readFunction(size_t at) {
    const Instruction &instruction = source.instructions[at];
    if (!hasBody(source, at))
        return;
    function = functions.lookup(instruction.resultId);
    makeBlocks(at);
    SmallVector<const Instruction *, 8> parameters;
    bool first = true;
    for (at++; at < source.instructions.size() && !failed(); at++) {
        const Instruction &part = source.instructions[at];
        if (part.op == Op::FunctionEnd)
            break;
        if (part.op == Op::FunctionParameter) {
            parameters.push_back(&part);
        } else if (part.op == Op::Label) {
            builder.SetInsertPoint(blocks[part.resultId]);
            if (first)
                readParameters(parameters);
            first = false;
        } else {
            readOne(part);
        }
    }
    if (!failed())
        fillPhis();
    function = nullptr;
}

BasicBlock *Reader::block(const Instruction &instruction, uint32_t i) {
    if (BasicBlock *known = blocks.lookup(instruction.operand(i)))
        return known;
    fail(instruction, "%" + Twine(instruction.operand(i)) + " is not a block of this function");
    return builder.GetInsertBlock();
}

/* ---- calls ----------------------------------------------------------------------------------- */

void Reader::readCall(const Instruction &instruction) {
    Function *callee = functions.lookup(instruction.operand(0));
    if (!callee)
        return fail(instruction, "what it calls is not a function");
    SmallVector<Value *, 8> arguments;
    ArrayRef<uint32_t> parameters = parameterIds[instruction.operand(0)];
    if (instruction.operands() - 1 != callee->arg_size() || parameters.size() != callee->arg_size())
        return fail(instruction, "the number of arguments differs from the function's");
    for (uint32_t i = 1; i < instruction.operands(); i++) {
        Value *argument = operand(instruction, i);
        if (Type *type = byValue.lookup(parameters[i - 1])) {
            IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().begin());
            Value *copy = entry.CreateAlloca(type);
            builder.CreateStore(argument, copy);
            argument = copy;
        }
        arguments.push_back(argument);
    }
    CallInst *call = builder.CreateCall(callee, arguments);
    call->setCallingConv(callee->getCallingConv());
    /* What decides how an argument is passed must stand at both ends. */
    for (Argument &argument : callee->args())
        for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet})
            if (argument.hasAttribute(kind))
                call->addParamAttr(argument.getArgNo(), argument.getAttribute(kind));
    if (!call->getType()->isVoidTy())
        set(instruction, call);
}

/* ---- control flow ---------------------------------------------------------------------------- */

void Reader::readPhi(const Instruction &instruction) {
    PHINode *phi = builder.CreatePHI(resultType(instruction), instruction.operands() / 2);
    phis.emplace_back(&instruction, phi);
    set(instruction, phi);
}

/** LLVM wants one entry per edge, SPIR-V has one per block: a switch may have several edges. */
void Reader::fillPhis() {
    for (auto [instruction, phi] : phis) {
        for (BasicBlock *before : predecessors(phi->getParent())) {
            Value *incoming = nullptr;
            for (uint32_t i = 0; i + 1 < instruction->operands(); i += 2)
                if (blocks.lookup(instruction->operand(i + 1)) == before)
                    incoming = operand(*instruction, i);
            if (!incoming)
                return fail(*instruction, "a predecessor of the block has no value");
            phi->addIncoming(incoming, before);
        }
    }
}

void Reader::readSwitch(const Instruction &instruction) {
    Value *selector = operand(instruction, 0);
    auto *type = dyn_cast<IntegerType>(selector->getType());
    if (!type)
        return fail(instruction, "the selector is not an integer");
    uint32_t words = type->getBitWidth() > 32 ? 2 : 1;
    SwitchInst *made = builder.CreateSwitch(selector, block(instruction, 1));
    for (uint32_t i = 2; i + words < instruction.operands(); i += words + 1) {
        uint64_t bits = instruction.operand(i);
        if (words == 2)
            bits |= uint64_t{instruction.operand(i + 1)} << 32;
        APInt number = APInt(64, bits).trunc(type->getBitWidth());
        made->addCase(ConstantInt::get(context, number), block(instruction, i + words));
    }
}

void Reader::readBranch(const Instruction &instruction) {
    switch (instruction.op) {
    case Op::Branch:
        builder.CreateBr(block(instruction, 0));
        break;
    case Op::BranchConditional: {
        BranchInst *made = builder.CreateCondBr(operand(instruction, 0), block(instruction, 1),
                                                block(instruction, 2));
        if (instruction.operands() == 5)
            made->setMetadata(LLVMContext::MD_prof,
                              MDBuilder(context).createBranchWeights(instruction.operand(3),
                                                                     instruction.operand(4)));
        break;
    }
    case Op::Switch:
        readSwitch(instruction);
        break;
    case Op::Return:
        builder.CreateRetVoid();
        break;
    case Op::ReturnValue:
        builder.CreateRet(operand(instruction, 0));
        break;
    default:
        builder.CreateUnreachable();
        break;
    }
}

} // namespace weft::spirv
