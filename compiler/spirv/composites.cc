// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Vectors, arrays and structures.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

/** How many leading indices of `path` go through arrays and structures; the rest, at most one, is
 *  of a vector. Null `type` behind it: the path does not fit. */
size_t aggregateLevels(Type *&type, ArrayRef<uint32_t> path) {
    size_t level = 0;
    for (; level < path.size() && type && type->isAggregateType(); level++) {
        bool inside = type->isStructTy() ? path[level] < type->getStructNumElements()
                                         : path[level] < type->getArrayNumElements();
        type = inside ? GetElementPtrInst::getTypeAtIndex(type, path[level]) : nullptr;
    }
    auto *vector = dyn_cast_or_null<FixedVectorType>(type);
    if (type && level < path.size() &&
        !(vector && level + 1 == path.size() && path[level] < vector->getNumElements()))
        type = nullptr;
    return level;
}

} // namespace

Value *Reader::extract(Value *from, ArrayRef<uint32_t> path) {
    Type *type = from->getType();
    size_t levels = aggregateLevels(type, path);
    if (!type)
        return nullptr;
    if (levels)
        from = builder.CreateExtractValue(from, path.take_front(levels));
    return levels < path.size() ? builder.CreateExtractElement(from, path[levels]) : from;
}

Value *Reader::insert(Value *into, Value *part, ArrayRef<uint32_t> path) {
    Type *type = into->getType();
    size_t levels = aggregateLevels(type, path);
    if (!type || path.empty())
        return nullptr;
    if (levels < path.size()) {
        Value *vector = levels ? builder.CreateExtractValue(into, path.take_front(levels)) : into;
        part = builder.CreateInsertElement(vector, part, path[levels]);
    }
    return levels ? builder.CreateInsertValue(into, part, path.take_front(levels)) : part;
}

/** Values of two types that differ in decorations only. */
Value *Reader::copyLogical(Value *from, Type *to) {
    if (from->getType() == to || !to->isAggregateType())
        return from;
    unsigned count = to->isStructTy() ? to->getStructNumElements()
                                      : static_cast<unsigned>(to->getArrayNumElements());
    Value *made = PoisonValue::get(to);
    for (unsigned i = 0; i < count; i++)
        made = builder.CreateInsertValue(
            made,
            copyLogical(builder.CreateExtractValue(from, i),
                        GetElementPtrInst::getTypeAtIndex(to, uint64_t{i})),
            i);
    return made;
}

Value *Reader::construct(const Instruction &instruction) {
    Type *type = resultType(instruction);
    Value *made = PoisonValue::get(type);
    unsigned at = 0;
    for (uint32_t i = 0; i < instruction.operands(); i++) {
        Value *part = operand(instruction, i);
        if (!type->isVectorTy()) {
            made = builder.CreateInsertValue(made, part, at++);
            continue;
        }
        auto *lanes = dyn_cast<FixedVectorType>(part->getType());
        for (unsigned lane = 0; lanes && lane < lanes->getNumElements(); lane++)
            made =
                builder.CreateInsertElement(made, builder.CreateExtractElement(part, lane), at++);
        if (!lanes)
            made = builder.CreateInsertElement(made, part, at++);
    }
    return made;
}

/** LLVM's shuffles want operands of one length. */
Value *Reader::shuffle(const Instruction &instruction) {
    Value *first = operand(instruction, 0), *second = operand(instruction, 1);
    auto *left = dyn_cast<FixedVectorType>(first->getType());
    auto *right = dyn_cast<FixedVectorType>(second->getType());
    if (!left || !right)
        return nullptr;
    unsigned leftLanes = left->getNumElements(), rightLanes = right->getNumElements();
    unsigned lanes = std::max(leftLanes, rightLanes);
    auto widen = [&](Value *vector, unsigned from) {
        SmallVector<int, 16> mask;
        for (unsigned i = 0; i < lanes; i++)
            mask.push_back(i < from ? static_cast<int>(i) : PoisonMaskElem);
        return from == lanes ? vector : builder.CreateShuffleVector(vector, mask);
    };
    SmallVector<int, 16> mask;
    for (uint32_t lane : instruction.rest(2)) {
        if (lane != UINT32_MAX && lane >= leftLanes + rightLanes)
            return nullptr;
        mask.push_back(lane == UINT32_MAX ? PoisonMaskElem
                       : lane < leftLanes ? static_cast<int>(lane)
                                          : static_cast<int>(lane - leftLanes + lanes));
    }
    return builder.CreateShuffleVector(widen(first, leftLanes), widen(second, rightLanes), mask);
}

void Reader::readComposite(const Instruction &instruction) {
    Value *first = operand(instruction, 0), *made = nullptr;
    switch (instruction.op) {
    case Op::VectorExtractDynamic:
        made = builder.CreateExtractElement(first, operand(instruction, 1));
        break;
    case Op::VectorInsertDynamic:
        made = builder.CreateInsertElement(first, operand(instruction, 1), operand(instruction, 2));
        break;
    case Op::VectorShuffle:
        made = shuffle(instruction);
        break;
    case Op::CompositeConstruct:
        made = construct(instruction);
        break;
    case Op::CompositeExtract:
        made = extract(first, instruction.rest(1));
        break;
    case Op::CompositeInsert:
        made = insert(operand(instruction, 1), first, instruction.rest(2));
        break;
    case Op::CopyObject:
        sampledImages[instruction.resultId] = sampledImages.lookup(instruction.operand(0));
        made = first;
        break;
    case Op::CopyLogical:
        made = copyLogical(first, resultType(instruction));
        break;
    default:
        made = builder.CreateSelect(first, operand(instruction, 1), operand(instruction, 2));
        break;
    }
    if (!made)
        return fail(instruction, "the indices do not fit the type");
    set(instruction, made);
}

} // namespace weft::spirv
