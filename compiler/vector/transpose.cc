// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows of memory, one per lane, become values of all lanes: pieces of 16 bytes are put side by side
// in registers, and transposed by shuffles that stay within 16 bytes, which is what processors are
// good at. A gather would ask the cache once for each element.

#include "vector/transpose.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;

namespace weft {

namespace {

/** Of each 16 bytes of both: elements of the lower or the upper half, in turns. */
Value *unpack(IRBuilderBase &builder, Value *left, Value *right, bool isUpper, unsigned piece) {
    const unsigned count = cast<FixedVectorType>(left->getType())->getNumElements();
    SmallVector<int, 64> places;
    for (unsigned from = isUpper ? piece / 2 : 0; from < count; from += piece)
        for (unsigned index = from; index < from + piece / 2; index++)
            places.append({static_cast<int>(index), static_cast<int>(index + count)});
    return builder.CreateShuffleVector(left, right, places);
}

} // namespace

void transposePieces(IRBuilderBase &builder, MutableArrayRef<Value *> registers) {
    const auto piece = static_cast<unsigned>(registers.size());
    for (unsigned step = 1; step < piece; step *= 2) {
        SmallVector<Value *, 16> next;
        for (unsigned index = 0; index < piece / 2; index++)
            for (bool isUpper : {false, true})
                next.push_back(unpack(builder, registers[index], registers[index + piece / 2],
                                      isUpper, piece));
        copy(next, registers.begin());
    }
}

unsigned RowLoads::piece() const {
    return pieceBits / row->getScalarSizeInBits();
}

/** Elements from..from+piece of one lane's row; beyond its end there is nothing to be read. */
Value *RowLoads::loadPiece(Value *pointer, unsigned from) {
    Type *element = row->getElementType();
    const unsigned count = std::min(piece(), row->getNumElements() - from);
    const uint64_t offset = from * (element->getScalarSizeInBits() / 8);
    if (from)
        pointer = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
    Value *value = builder.CreateAlignedLoad(FixedVectorType::get(element, count), pointer,
                                             commonAlignment(align, offset));
    if (count == piece())
        return value;
    SmallVector<int, 16> places(piece(), PoisonMaskElem);
    for (unsigned index = 0; index < count; index++)
        places[index] = static_cast<int>(index);
    return builder.CreateShuffleVector(value, places);
}

/** The elements of a register's lanes, from the piece of their rows that begins at `from`. */
void RowLoads::loadLanes(ArrayRef<Value *> pointers, unsigned from,
                         MutableArrayRef<SmallVector<Value *, 4>> parts) {
    SmallVector<Value *, 16> registers;
    for (unsigned first = 0; first < piece(); first++) {
        SmallVector<Value *, 4> pieces;
        for (size_t lane = first; lane < pointers.size(); lane += piece())
            pieces.push_back(loadPiece(pointers[lane], from));
        registers.push_back(concatenateVectors(builder, pieces));
    }
    transposePieces(builder, registers);
    for (unsigned index = 0; index < parts.size(); index++)
        parts[index].push_back(registers[index]);
}

SmallVector<Value *, 4> RowLoads::load(ArrayRef<Value *> pointers) {
    const unsigned parts = row->getNumElements();
    const size_t lanes =
        std::min<size_t>(pointers.size(), registerBits / row->getScalarSizeInBits());
    SmallVector<SmallVector<Value *, 4>, 16> groups(parts);
    for (size_t lane = 0; lane < pointers.size(); lane += lanes)
        for (unsigned from = 0; from < parts; from += piece())
            loadLanes(pointers.slice(lane, lanes), from,
                      MutableArrayRef(groups).slice(from, std::min(piece(), parts - from)));
    SmallVector<Value *, 4> loaded;
    for (ArrayRef<Value *> group : groups)
        loaded.push_back(concatenateVectors(builder, group));
    return loaded;
}

bool RowLoads::isPossible(const FixedVectorType &row, unsigned lanes) {
    const unsigned bits = row.getScalarSizeInBits();
    return isPowerOf2_32(bits) && bits >= 8 && bits <= 64 && lanes * bits >= pieceBits;
}

} // namespace weft
