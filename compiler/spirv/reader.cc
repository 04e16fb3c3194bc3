// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/reader.h"

#include "spirv-tools/libspirv.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft {

namespace spirv {

namespace {

/* Clang's for spir64. */
constexpr const char *layout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-"
                               "v512:512-v1024:1024-G1";

} // namespace

Reader::Reader(LLVMContext &context, const Module &module, ArrayRef<SpecConstant> constants)
    : source(module), specialisation(constants), context(context),
      module(std::make_unique<llvm::Module>("spirv", context)), builder(context),
      types(module.bound()), values(module.bound()), typeIds(module.bound()),
      definitions(module.bound()) {
    this->module->setTargetTriple(Triple("spir64"));
    this->module->setDataLayout(layout);
}

std::string Reader::describe(const Instruction &instruction) const {
    std::string text = std::string("Op") + spvOpcodeString(static_cast<uint32_t>(instruction.op));
    if (instruction.resultId)
        text += " %" + std::to_string(instruction.resultId);
    if (&instruction >= source.instructions.data() &&
        &instruction < source.instructions.data() + source.instructions.size())
        text +=
            " (instruction " + std::to_string(&instruction - source.instructions.data() + 1) + ")";
    return text;
}

void Reader::fail(const Instruction &instruction, const Twine &why) {
    if (!failed())
        sentence = describe(instruction) + ": " + why.str();
}

void Reader::elsewhere(const Instruction &) {}

void Reader::readOne(const Instruction &instruction) {
    switch (instruction.op) {
#define WEFT_SPIRV_OP(Name, number, handler)                                                       \
    case Op::Name:                                                                                 \
        return handler(instruction);
#include "spirv/instructions.def"
    }
    fail(instruction, "this device has no support for this instruction");
}

/* ---- values ---------------------------------------------------------------------------------- */

void Reader::set(const Instruction &instruction, Value *result) {
    if (!instruction.resultId || !result)
        return;
    values[instruction.resultId] = result;
    StringRef name = source.name(instruction.resultId);
    if (!name.empty() && isa<llvm::Instruction>(result) && !result->hasName() &&
        !context.shouldDiscardValueNames())
        result->setName(name);
}

Value *Reader::value(uint32_t id) {
    if (id < values.size()) {
        if (Value *known = values[id])
            return known;
        const Instruction *definition = definitions[id];
        if (definition && definition->op == Op::Variable)
            if (Value *copy = builtinVariable(id))
                return copy;
        if (definition && definition->op == Op::ConstantSampler)
            return literalSampler(*definition);
        if (Function *callee = functions.lookup(id))
            return callee;
    }
    if (!failed())
        sentence = "the value %" + std::to_string(id) + " is used where it is not known";
    Type *type = id < typeIds.size() ? typeOf(typeIds[id]) : builder.getInt32Ty();
    return PoisonValue::get(type->isFirstClassType() ? type : builder.getInt32Ty());
}

Type *Reader::typeOf(uint32_t id) {
    if (id < types.size() && types[id].type)
        return types[id].type;
    if (!failed())
        sentence = "%" + std::to_string(id) + " is used as a type and is none";
    return builder.getInt32Ty();
}

const TypeInfo &Reader::typeInfoOf(uint32_t valueId) const {
    static const TypeInfo none;
    uint32_t type = valueId < typeIds.size() ? typeIds[valueId] : 0;
    return type < types.size() ? types[type] : none;
}

Type *Reader::pointeeOf(uint32_t valueId) {
    const TypeInfo &info = typeInfoOf(valueId);
    return info.op == Op::TypePointer ? typeOf(info.element) : nullptr;
}

uint64_t Reader::constantOr(uint32_t id, uint64_t otherwise) {
    auto *constant = id < values.size() ? dyn_cast_or_null<ConstantInt>(values[id]) : nullptr;
    return constant ? constant->getValue().getLimitedValue() : otherwise;
}

/* ---- types of operands ----------------------------------------------------------------------- */

namespace {

/** What a letter of Reader::fits() stands for; `opaque`: the name of a target type. */
struct Kind {
    char letter;
    const char *text, *opaque;
};

constexpr Kind kinds[] = {{'a', "a pointer", nullptr},
                          {'b', "a boolean", nullptr},
                          {'e', "a device event", "spirv.DeviceEvent"},
                          {'i', "an integer of 32 bits", nullptr},
                          {'n', "an integer", nullptr},
                          {'p', "a pipe", "spirv.Pipe"},
                          {'q', "a queue", "spirv.Queue"},
                          {'r', "a reserve id", "spirv.ReserveId"},
                          {'s', "a pipe storage", nullptr},
                          {'v', "an event", "spirv.Event"}};

bool isOf(const Kind &kind, Type *type, const TypeInfo &info) {
    if (kind.opaque) {
        auto *opaque = dyn_cast<TargetExtType>(type);
        return opaque && opaque->getName() == kind.opaque;
    }
    switch (kind.letter) {
    case 'a':
        return type->isPointerTy();
    case 'b':
        return type->isIntegerTy(1);
    case 'i':
        return type->isIntegerTy(32);
    case 'n':
        return type->isIntegerTy();
    default:
        return info.op == Op::TypePipeStorage;
    }
}

/** What the type should be and is not; null: it is, or anything will do. */
const char *wanted(char letter, Type *type, const TypeInfo &info) {
    for (const Kind &kind : kinds)
        if (kind.letter == letter)
            return isOf(kind, type, info) ? nullptr : kind.text;
    return nullptr;
}

} // namespace

bool Reader::fits(const Instruction &instruction, StringRef letters, uint32_t first) {
    auto [result, operands] = letters.split(':');
    if (!result.empty())
        if (const char *text =
                wanted(result[0], resultType(instruction), types[instruction.typeId]))
            fail(instruction, Twine("the result is not ") + text);
    for (uint32_t i = 0; i < operands.size(); i++) {
        uint32_t id = instruction.operand(first + i);
        if (const char *text = wanted(operands[i], value(id)->getType(), typeInfoOf(id)))
            fail(instruction, "operand " + Twine(first + i + 1) + " is not " + text);
    }
    return !failed();
}

/* ---- calls ----------------------------------------------------------------------------------- */

Value *Reader::callPlain(StringRef name, Type *result, ArrayRef<Value *> arguments, Effect effect) {
    SmallVector<Type *, 8> parameters;
    for (Value *argument : arguments)
        parameters.push_back(argument->getType());
    FunctionCallee callee =
        module->getOrInsertFunction(name, FunctionType::get(result, parameters, false));
    auto *made = dyn_cast<Function>(callee.getCallee());
    if (made && made->isDeclaration()) {
        made->setCallingConv(CallingConv::SPIR_FUNC);
        made->setDoesNotThrow();
        if (effect == Effect::Pure)
            made->setDoesNotAccessMemory();
        else if (effect == Effect::Reads)
            made->setOnlyReadsMemory();
        if (effect == Effect::Convergent || effect == Effect::Any)
            made->setConvergent();
        else
            made->setWillReturn();
    }
    CallInst *call = builder.CreateCall(callee, arguments);
    call->setCallingConv(made ? made->getCallingConv() : CallingConv::ID(CallingConv::SPIR_FUNC));
    call->setDoesNotThrow();
    return call;
}

Value *Reader::callBuiltin(StringRef name, Type *result, ArrayRef<Operand> operands,
                           Effect effect) {
    SmallVector<Value *, 8> arguments;
    for (const Operand &operand : operands)
        arguments.push_back(operand.value);
    return callPlain(mangle(name, operands), result, arguments, effect);
}

/* ---- the module ------------------------------------------------------------------------------ */

bool Reader::readGlobals() {
    for (const Instruction &instruction : source.instructions) {
        if (instruction.op == Op::Function)
            break;
        if (instruction.op != Op::ExtInst) /* debug information */
            readOne(instruction);
        if (failed())
            return false;
    }
    /* By AlignmentId, which may name a constant that was not yet known. */
    for (const Instruction &instruction : source.instructions) {
        if (instruction.op == Op::Function)
            break;
        auto *variable = dyn_cast_or_null<GlobalVariable>(
            instruction.op == Op::Variable ? values[instruction.resultId] : nullptr);
        if (variable)
            variable->setAlignment(alignment(instruction.resultId, variable->getValueType()));
    }
    return true;
}

bool Reader::readFunctions() {
    for (size_t at = 0; at < source.instructions.size() && !failed(); at++)
        if (source.instructions[at].op == Op::Function)
            declareFunction(at);
    for (size_t at = 0; at < source.instructions.size() && !failed(); at++)
        if (source.instructions[at].op == Op::Function)
            readFunction(at);
    return !failed();
}

std::unique_ptr<llvm::Module> Reader::read() {
    for (const Instruction &instruction : source.instructions)
        if (instruction.resultId) {
            definitions[instruction.resultId] = &instruction;
            typeIds[instruction.resultId] = instruction.typeId;
        }
    if (!readGlobals() || !readFunctions())
        return nullptr;
    describeKernels();
    if (failed())
        return nullptr;
    raw_string_ostream stream(sentence);
    if (verifyModule(*module, &stream)) {
        sentence = "the module is not consistent: " + sentence;
        return nullptr;
    }
    return std::move(module);
}

} // namespace spirv

bool looksLikeSpirv(StringRef bytes) {
    return bytes.starts_with(StringRef("\x03\x02\x23\x07", 4));
}

std::unique_ptr<Module> readSpirv(LLVMContext &context, const SpirvInput &input, std::string &log) {
    spirv::Module module;
    std::string error;
    if (!module.parse(input.bytes, error)) {
        log += "error: " + error + "\n";
        return nullptr;
    }
    if (!spirv::validate(module, log))
        return nullptr;
    context.setDiscardValueNames(!input.keepNames);
    spirv::Reader reader(context, module, input.constants);
    std::unique_ptr<Module> made = reader.read();
    if (!made)
        log += "error: SPIR-V: " + reader.error() + "\n";
    return made;
}

} // namespace weft
