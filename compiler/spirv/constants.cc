// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/reader.h"

#include "weft/abi.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace weft::spirv {

const SpecConstant *Reader::specialised(uint32_t id) const {
    const Decoration *decoration = source.decoration(id, Decorate::SpecId);
    if (!decoration || decoration->operands.empty())
        return nullptr;
    for (const SpecConstant &constant : specialisation)
        if (constant.id == decoration->operands[0])
            return &constant;
    return nullptr;
}

/** A literal of one or two words; narrow ones may be sign-extended. */
Constant *Reader::scalarConstant(const Instruction &instruction) {
    Type *type = resultType(instruction);
    uint64_t bits = instruction.operand(0) | uint64_t{instruction.operand(1)} << 32;
    if (instruction.op == Op::SpecConstant)
        if (const SpecConstant *given = specialised(instruction.resultId))
            bits = given->value;
    unsigned width = type->getScalarSizeInBits();
    if (!width || width > 64 || type->isVectorTy()) {
        fail(instruction, "a constant must be a scalar");
        return nullptr;
    }
    APInt number(64, bits);
    number = number.trunc(width);
    if (type->isIntegerTy())
        return ConstantInt::get(type, number);
    return ConstantFP::get(context, APFloat(type->getFltSemantics(), number));
}

Constant *Reader::compositeConstant(const Instruction &instruction) {
    Type *type = resultType(instruction);
    SmallVector<Constant *, 16> parts;
    for (uint32_t part : instruction.rest(0)) {
        auto *constant = part < values.size() ? dyn_cast_or_null<Constant>(values[part]) : nullptr;
        if (!constant) {
            fail(instruction, "%" + Twine(part) + " is not a constant");
            return nullptr;
        }
        parts.push_back(constant);
    }
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        return parts.size() == vector->getNumElements() ? ConstantVector::get(parts) : nullptr;
    if (auto *array = dyn_cast<ArrayType>(type))
        return parts.size() == array->getNumElements() ? ConstantArray::get(array, parts) : nullptr;
    auto *structure = dyn_cast<StructType>(type);
    return structure && parts.size() == structure->getNumElements()
               ? ConstantStruct::get(structure, parts)
               : nullptr;
}

/** A pipe with room for its packets, empty, in global memory of the program. */
Constant *Reader::pipeStorage(const Instruction &instruction) {
    uint64_t size = instruction.operand(0), capacity = instruction.operand(2);
    if (!size || !capacity || size * capacity > UINT64_C(1) << 30) {
        fail(instruction, "the packets' size and number must be at least 1, and together at most "
                          "1 GiB");
        return nullptr;
    }
    Type *word = builder.getInt32Ty();
    auto *rest = ArrayType::get(builder.getInt8Ty(), WEFT_PIPE_PACKETS_AT - 8);
    auto *packets = ArrayType::get(builder.getInt8Ty(), (size + WEFT_PIPE_MARKS) * capacity);
    auto *type = StructType::get(word, word, rest, packets);
    auto *initial =
        ConstantStruct::get(type, {builder.getInt32(static_cast<uint32_t>(size)),
                                   builder.getInt32(static_cast<uint32_t>(capacity)),
                                   Constant::getNullValue(rest), Constant::getNullValue(packets)});
    auto *variable = new GlobalVariable(*module, type, false, GlobalValue::InternalLinkage, initial,
                                        "pipe_storage", nullptr, GlobalValue::NotThreadLocal, 1);
    variable->setAlignment(Align(WEFT_BLOCK_ALIGN));
    return variable;
}

/** CLK_* bits (opencl-c-base.h), which stage retarget folds. */
Value *Reader::literalSampler(const Instruction &instruction) {
    uint32_t bits = instruction.operand(0) << 1 | (instruction.operand(1) & 1) |
                    (instruction.operand(2) ? 0x20 : 0x10);
    if (!function) {
        fail(instruction, "a constant sampler may be used in functions only");
        return PoisonValue::get(resultType(instruction));
    }
    return callPlain("__translate_sampler_initializer", resultType(instruction),
                     {builder.getInt32(bits)}, Effect::Pure);
}

/** The operation as an instruction of its own; with constant operands the builder folds it. */
void Reader::readSpecOperation(const Instruction &instruction) {
    std::vector<uint32_t> &words = ownWords.emplace_back();
    words = {0, instruction.typeId, instruction.resultId};
    ArrayRef<uint32_t> rest = instruction.rest(1);
    words.insert(words.end(), rest.begin(), rest.end());
    Instruction part = instruction;
    part.op = static_cast<Op>(instruction.operand(0));
    part.words = words.data();
    part.count = static_cast<uint16_t>(words.size());
    part.first = 3;
    if (part.op == Op::SpecConstantOp)
        return fail(instruction, "an operation cannot be OpSpecConstantOp itself");
    builder.ClearInsertionPoint();
    readOne(part);
    if (!failed() && !isa_and_nonnull<Constant>(values[instruction.resultId]))
        fail(instruction, "this operation cannot be evaluated before the program runs");
}

void Reader::readConstant(const Instruction &instruction) {
    Constant *constant = nullptr;
    const SpecConstant *given = nullptr;
    switch (instruction.op) {
    case Op::Undef:
        constant = UndefValue::get(resultType(instruction));
        break;
    case Op::SpecConstantTrue:
    case Op::SpecConstantFalse:
        given = specialised(instruction.resultId);
        constant =
            builder.getInt1(given ? given->value != 0 : instruction.op == Op::SpecConstantTrue);
        break;
    case Op::ConstantTrue:
    case Op::ConstantFalse:
        constant = builder.getInt1(instruction.op == Op::ConstantTrue);
        break;
    case Op::Constant:
    case Op::SpecConstant:
        constant = scalarConstant(instruction);
        break;
    case Op::ConstantComposite:
    case Op::SpecConstantComposite:
        constant = compositeConstant(instruction);
        break;
    case Op::ConstantNull:
        constant = Constant::getNullValue(resultType(instruction));
        break;
    case Op::ConstantPipeStorage:
        constant = pipeStorage(instruction);
        break;
    case Op::ConstantSampler:
        return; /* a call, made where it is used */
    default:
        return readSpecOperation(instruction);
    }
    if (!constant)
        return fail(instruction, "the constant does not fit its type");
    set(instruction, constant);
}

} // namespace weft::spirv
