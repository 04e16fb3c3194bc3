// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Images: read_image*, write_image* and get_image_*.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

enum : uint32_t {
    OperandBias = 1,
    OperandLod = 2,
    OperandGrad = 4,
    OperandSignExtend = 0x1000,
    OperandZeroExtend = 0x2000
};

/** The part of a function's name that says what a texel is made of; integers are signed unless the
 *  module says that they are zero-extended. */
StringRef texelSuffix(Type *texel, uint32_t operands) {
    Type *scalar = texel->getScalarType();
    if (scalar->isHalfTy())
        return "h";
    if (scalar->isFloatingPointTy())
        return "f";
    return operands & OperandZeroExtend ? "ui" : "i";
}

bool isImage(Type *type) {
    auto *target = dyn_cast<TargetExtType>(type);
    return target && target->getName() == "spirv.Image" && target->getNumIntParameters() == 7;
}

bool isDepth(Type *image) {
    return cast<TargetExtType>(image)->getIntParameter(1) == 1;
}

} // namespace

/** `operandsAt`: index of the coordinate; image operands follow it. */
Value *Reader::imageRead(const Instruction &instruction, Value *sampler, Value *image,
                         uint32_t operandsAt) {
    if (!isImage(image->getType()))
        return nullptr;
    Type *type = resultType(instruction), *made = type;
    if (isDepth(image->getType()))
        made = type->getScalarType();
    uint32_t mask = instruction.operand(operandsAt + 1);
    SmallVector<Operand, 5> operands = {{image}};
    if (sampler)
        operands.push_back({sampler});
    operands.push_back({operand(instruction, operandsAt)});
    uint32_t next = operandsAt + 2;
    if (mask & OperandBias)
        next++;
    if (mask & OperandLod) {
        /* Level 0 is what the function without a level reads. */
        auto *level = dyn_cast<ConstantFP>(operand(instruction, next));
        if (!level || !level->isZero())
            operands.push_back({operand(instruction, next)});
    } else if (mask & OperandGrad) {
        operands.push_back({operand(instruction, next)});
        operands.push_back({operand(instruction, next + 1)});
    }
    Value *texel =
        callBuiltin(("read_image" + texelSuffix(type, mask)).str(), made, operands, Effect::Reads);
    if (made == type)
        return texel;
    return builder.CreateInsertElement(Constant::getNullValue(type), texel, uint64_t{0});
}

Value *Reader::sample(const Instruction &instruction) {
    SampledImage pair = sampledImages.lookup(instruction.operand(0));
    return pair.image ? imageRead(instruction, pair.sampler, pair.image, 1) : nullptr;
}

void Reader::readImage(const Instruction &instruction) {
    switch (instruction.op) {
    case Op::SampledImage:
        sampledImages[instruction.resultId] = {operand(instruction, 0), operand(instruction, 1)};
        values[instruction.resultId] = PoisonValue::get(builder.getInt8Ty());
        return;
    case Op::Image:
        if (Value *image = sampledImages.lookup(instruction.operand(0)).image)
            return set(instruction, image);
        break;
    case Op::ImageSampleExplicitLod:
        if (Value *texel = sample(instruction))
            return set(instruction, texel);
        break;
    case Op::ImageRead:
    case Op::ImageFetch:
        if (Value *texel = imageRead(instruction, nullptr, operand(instruction, 0), 1))
            return set(instruction, texel);
        break;
    default: { /* ImageWrite: image, coordinate, texel, operands */
        Value *image = operand(instruction, 0), *texel = operand(instruction, 2);
        if (!isImage(image->getType()))
            break;
        StringRef suffix = texelSuffix(texel->getType(), instruction.operand(3));
        if (isDepth(image->getType()) && texel->getType()->isVectorTy())
            texel = builder.CreateExtractElement(texel, uint64_t{0});
        callBuiltin(("write_image" + suffix).str(), builder.getVoidTy(),
                    {{image}, {operand(instruction, 1)}, {texel, suffix != "ui"}}, Effect::Any);
        return;
    }
    }
    fail(instruction, "the operand is not an image, or not one with a sampler");
}

void Reader::readImageQuery(const Instruction &instruction) {
    Value *image = operand(instruction, 0);
    if (!isImage(image->getType()))
        return fail(instruction, "the operand is not an image");
    Type *type = resultType(instruction), *word = builder.getInt32Ty();
    auto ask = [&](StringRef name, Type *answer) {
        return callBuiltin(name, answer, {{image}}, Effect::Pure);
    };
    switch (instruction.op) {
    case Op::ImageQueryFormat: /* in the order of OpenCL's constants, from CL_SNORM_INT8 on */
        return set(instruction, builder.CreateSub(ask("get_image_channel_data_type", word),
                                                  builder.getInt32(0x10D0)));
    case Op::ImageQueryOrder: /* from CL_R on */
        return set(instruction, builder.CreateSub(ask("get_image_channel_order", word),
                                                  builder.getInt32(0x10B0)));
    case Op::ImageQueryLevels:
        return set(instruction, ask("get_image_num_mip_levels", word));
    case Op::ImageQuerySamples:
        return set(instruction, ask("get_image_num_samples", word));
    default:
        break;
    }
    auto *target = cast<TargetExtType>(image->getType());
    unsigned dimension = target->getIntParameter(0);
    SmallVector<Value *, 4> sizes = {ask("get_image_width", word)};
    if (dimension >= 1 && dimension <= 4)
        sizes.push_back(ask("get_image_height", word));
    if (dimension == 2)
        sizes.push_back(ask("get_image_depth", word));
    if (target->getIntParameter(2))
        sizes.push_back(ask("get_image_array_size", builder.getInt64Ty()));
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
        return set(instruction, builder.CreateZExtOrTrunc(sizes[0], type));
    Value *made = Constant::getNullValue(type);
    for (unsigned i = 0; i < std::min<size_t>(vector->getNumElements(), sizes.size()); i++)
        made = builder.CreateInsertElement(
            made, builder.CreateZExtOrTrunc(sizes[i], vector->getElementType()), i);
    set(instruction, made);
}

} // namespace weft::spirv
