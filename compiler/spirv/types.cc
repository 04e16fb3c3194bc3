// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

/** OpenCL's address spaces; built-in variables (Input) are copied to private memory. */
unsigned Reader::addressSpace(uint32_t storage) {
    switch (static_cast<Storage>(storage)) {
    case Storage::UniformConstant:
        return 2;
    case Storage::Workgroup:
        return 3;
    case Storage::CrossWorkgroup:
        return 1;
    case Storage::Generic:
        return 4;
    default:
        return 0;
    }
}

Type *Reader::scalarType(const Instruction &instruction) {
    uint32_t width = instruction.operand(0);
    switch (instruction.op) {
    case Op::TypeVoid:
        return builder.getVoidTy();
    case Op::TypeBool:
        return builder.getInt1Ty();
    case Op::TypeInt:
        if (width == 8 || width == 16 || width == 32 || width == 64)
            return builder.getIntNTy(width);
        break;
    case Op::TypeFloat:
        if (width == 16 || width == 32 || width == 64)
            return width == 16   ? builder.getHalfTy()
                   : width == 32 ? builder.getFloatTy()
                                 : builder.getDoubleTy();
        break;
    default: {
        uint32_t count = instruction.operand(1);
        if (count == 2 || count == 3 || count == 4 || count == 8 || count == 16)
            return FixedVectorType::get(typeOf(instruction.operand(0)), count);
    }
    }
    fail(instruction, "the environment has no type of this width");
    return builder.getInt32Ty();
}

/** The target types that Clang uses, so that what follows sees one form. */
Type *Reader::opaqueType(const Instruction &instruction) {
    auto make = [&](StringRef name, ArrayRef<Type *> parameters, ArrayRef<unsigned> numbers) {
        return TargetExtType::get(context, name, parameters, numbers);
    };
    switch (instruction.op) {
    case Op::TypeImage: {
        /* operands: sampled type, dim, depth, arrayed, ms, sampled, format, access */
        SmallVector<unsigned, 7> numbers;
        for (uint32_t i = 1; i < 8; i++)
            numbers.push_back(instruction.operand(i));
        return make("spirv.Image", {builder.getVoidTy()}, numbers);
    }
    case Op::TypeSampler:
        return make("spirv.Sampler", {}, {});
    case Op::TypeEvent:
        return make("spirv.Event", {}, {});
    case Op::TypeDeviceEvent:
        return make("spirv.DeviceEvent", {}, {});
    case Op::TypeReserveId:
        return make("spirv.ReserveId", {}, {});
    case Op::TypeQueue:
        return make("spirv.Queue", {}, {});
    case Op::TypePipe:
        return make("spirv.Pipe", {}, {instruction.operand(0)});
    default:
        /* A pipe storage is the address of one; a sampled image is never a value of the IR. */
        return PointerType::get(context, instruction.op == Op::TypePipeStorage ? 1 : 0);
    }
}

Type *Reader::structType(const Instruction &instruction, TypeInfo &info) {
    SmallVector<Type *, 8> elements;
    for (uint32_t member : instruction.rest(0)) {
        info.members.push_back(member);
        /* A pointer that is declared later (OpTypeForwardPointer). */
        const Instruction *later = definitions[member];
        if (!types[member].type && later && later->op == Op::TypePointer)
            elements.push_back(PointerType::get(context, addressSpace(later->operand(0))));
        else
            elements.push_back(typeOf(member));
    }
    bool packed = source.decoration(instruction.resultId, Decorate::CPacked);
    StringRef name = source.name(instruction.resultId);
    return StructType::create(context, elements, name.empty() ? "struct" : name, packed);
}

Type *Reader::functionType(const Instruction &instruction, TypeInfo &info) {
    SmallVector<Type *, 8> parameters;
    for (uint32_t parameter : instruction.rest(1)) {
        info.members.push_back(parameter);
        parameters.push_back(typeOf(parameter));
    }
    return FunctionType::get(typeOf(instruction.operand(0)), parameters, false);
}

void Reader::readType(const Instruction &instruction) {
    if (instruction.op == Op::TypeForwardPointer)
        return;
    TypeInfo info;
    info.op = instruction.op;
    switch (instruction.op) {
    case Op::TypeVector:
        info.element = instruction.operand(0);
        [[fallthrough]];
    case Op::TypeVoid:
    case Op::TypeBool:
    case Op::TypeInt:
    case Op::TypeFloat:
        info.type = scalarType(instruction);
        break;
    case Op::TypeArray:
        info.element = instruction.operand(0);
        info.type = ArrayType::get(typeOf(info.element), constantOr(instruction.operand(1), 1));
        break;
    case Op::TypeStruct:
        info.type = structType(instruction, info);
        break;
    case Op::TypeOpaque:
        info.type = StructType::create(context, literal(instruction.rest(0)));
        break;
    case Op::TypePointer:
        info.element = instruction.operand(1);
        info.type = PointerType::get(context, addressSpace(instruction.operand(0)));
        break;
    case Op::TypeFunction:
        info.type = functionType(instruction, info);
        break;
    default:
        info.element = instruction.operand(0);
        info.type = opaqueType(instruction);
        break;
    }
    types[instruction.resultId] = std::move(info);
}

} // namespace weft::spirv
