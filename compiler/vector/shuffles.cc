// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/shuffles.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace weft {

/** Elements of one item's vector. */
static constexpr size_t maxParts = 16;
/** Shuffles that lead from parts to what lies in memory, one behind the other. */
static constexpr unsigned maxShuffles = 8;

Element sourceOf(Element element, function_ref<bool(const ShuffleVectorInst &)> isEnd) {
    for (unsigned step = 0; step < maxShuffles; step++) {
        auto *shuffle = dyn_cast<ShuffleVectorInst>(element.vector);
        if (!shuffle || isEnd(*shuffle))
            break;
        const int from = shuffle->getMaskValue(element.index);
        if (from < 0)
            return {};
        auto *type = cast<FixedVectorType>(shuffle->getOperand(0)->getType());
        const unsigned first = type->getNumElements(), place = static_cast<unsigned>(from);
        element = {shuffle->getOperand(place >= first), place % first};
    }
    return element;
}

std::optional<size_t> pickedPart(const ShuffleVectorInst &shuffle, unsigned lanes, size_t &count) {
    auto *type = dyn_cast<FixedVectorType>(shuffle.getOperand(0)->getType());
    ArrayRef<int> mask = shuffle.getShuffleMask();
    if (!type || mask.size() != lanes || type->getNumElements() % lanes ||
        !isa<UndefValue>(shuffle.getOperand(1)))
        return std::nullopt;
    count = type->getNumElements() / lanes;
    if (count < 2 || count > maxParts || mask[0] < 0 || static_cast<size_t>(mask[0]) >= count)
        return std::nullopt;
    for (unsigned lane = 0; lane < lanes; lane++)
        if (mask[lane] != mask[0] + static_cast<int>(lane * count))
            return std::nullopt;
    return static_cast<size_t>(mask[0]);
}

SmallVector<Value *, 8> vectorsOf(ShuffleVectorInst &all, unsigned lanes) {
    const unsigned size = cast<FixedVectorType>(all.getType())->getNumElements();
    const unsigned groups = size / lanes;
    SmallVector<Value *, 8> vectors(groups, nullptr);
    for (unsigned index = 0; index < size; index++) {
        const Element source = sourceOf({&all, index}, [&](const ShuffleVectorInst &shuffle) {
            return &shuffle != &all && shuffle.getShuffleMask().size() == lanes;
        });
        Value *&expected = vectors[index % groups];
        if (!source.vector || source.index != index / groups ||
            cast<FixedVectorType>(source.vector->getType())->getNumElements() != lanes ||
            (expected && expected != source.vector))
            return {};
        expected = source.vector;
    }
    return vectors;
}

} // namespace weft
