// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/groups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft {

/**
 * Elements of one access. Where masks are registers of their own, those of 48 bits that belong to
 * three vectors are taken apart by code generation bit by bit: the access is one for each vector
 * then.
 */
unsigned LaneGroups::pieceSize() const {
    constexpr unsigned registerBits = 512;
    const unsigned all = lanes * groups;
    if (!hasMasks || isPowerOf2_32(all) || all * element->getScalarSizeInBits() <= registerBits)
        return all;
    return 1U << countr_zero(all);
}

/** `from`: elements above the lowest. */
Value *LaneGroups::placeOf(IRBuilderBase &builder, Value *first, unsigned from) const {
    const int64_t back = down ? static_cast<int64_t>(groups) * (lanes - 1) : 0;
    const int64_t distance = static_cast<int64_t>(from) - back;
    return distance == 0 ? first
                         : builder.CreateGEP(element, first,
                                             builder.getInt64(static_cast<uint64_t>(distance)));
}

/** Each lane's bit for its elements, of one piece; what lies between stays off. */
Value *LaneGroups::pick(IRBuilderBase &builder, Value *mask, unsigned from) const {
    if (isPlain())
        return mask;
    SmallVector<int, 64> places;
    for (unsigned at = from; at < from + pieceSize(); at++)
        places.push_back(static_cast<int>(at % groups < parts ? flip(at / groups) : lanes));
    if (hasMasks)
        return builder.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), places);
    /* Where masks are vectors as long as what is accessed, code generation moves single bits by
     * bytes. */
    const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
    auto *type = FixedVectorType::get(
        builder.getIntNTy(static_cast<unsigned>(layout.getTypeStoreSizeInBits(element))), lanes);
    Constant *off = Constant::getNullValue(type);
    Value *words = builder.CreateShuffleVector(builder.CreateSExt(mask, type), off, places);
    return builder.CreateICmpSLT(words, Constant::getNullValue(words->getType()));
}

/** The elements at these places, as if one of the vectors followed the other. */
static Value *choose(IRBuilderBase &builder, ArrayRef<Value *> from, ArrayRef<int> places) {
    const auto each = static_cast<int>(cast<FixedVectorType>(from[0]->getType())->getNumElements());
    if (from.size() == 1)
        return builder.CreateShuffleVector(from[0], places);
    if (static_cast<size_t>(each) != places.size() || isPowerOf2_64(from.size()))
        return builder.CreateShuffleVector(concatenateVectors(builder, from), places);
    Value *all = from[0];
    for (int index = 1; index < static_cast<int>(from.size()); index++) {
        SmallVector<int, 64> two;
        for (auto [at, place] : enumerate(places)) {
            const int source = place / each;
            const int before = index == 1 ? place : static_cast<int>(at);
            two.push_back(place < 0 || source > index ? -1
                          : source == index           ? each + place % each
                                                      : before);
        }
        all = builder.CreateShuffleVector(all, from[static_cast<size_t>(index)], two);
    }
    return all;
}

Align LaneGroups::alignOf(const IRBuilderBase &builder, unsigned from) const {
    const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
    return commonAlignment(align, from * layout.getTypeStoreSize(element));
}

SmallVector<Value *, 4> LaneGroups::load(IRBuilderBase &builder, Value *first, Value *mask) const {
    auto *type = FixedVectorType::get(element, pieceSize());
    SmallVector<Value *, 8> pieces;
    for (unsigned from = 0; from < lanes * groups; from += pieceSize()) {
        Value *place = placeOf(builder, first, from);
        const Align aligned = alignOf(builder, from);
        pieces.push_back(
            mask ? builder.CreateMaskedLoad(type, place, aligned, pick(builder, mask, from))
                 : cast<Value>(builder.CreateAlignedLoad(type, place, aligned)));
    }
    SmallVector<Value *, 4> values;
    for (unsigned part = 0; part < parts; part++) {
        SmallVector<int, 64> places;
        for (unsigned lane = 0; lane < lanes; lane++)
            places.push_back(static_cast<int>(flip(lane) * groups + part));
        values.push_back(isPlain() ? pieces[0] : choose(builder, pieces, places));
    }
    return values;
}

void LaneGroups::store(IRBuilderBase &builder, ArrayRef<Value *> values, Value *first,
                       Value *mask) const {
    for (unsigned from = 0; from < lanes * groups; from += pieceSize()) {
        SmallVector<int, 64> places;
        for (unsigned at = from; at < from + pieceSize(); at++)
            places.push_back(at % groups < parts
                                 ? static_cast<int>(at % groups * lanes + flip(at / groups))
                                 : -1);
        Value *all = isPlain() ? values[0] : choose(builder, values, places);
        Value *place = placeOf(builder, first, from);
        const Align aligned = alignOf(builder, from);
        if (mask)
            builder.CreateMaskedStore(all, place, aligned, pick(builder, mask, from));
        else
            builder.CreateAlignedStore(all, place, aligned);
    }
}

} // namespace weft
