// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structures of four or eight elements that follow each other in memory, taken apart into a vector
// of lanes for each element, and put together again. Code generation would pick each vector out of
// all registers, one after the other: eight vectors out of eight registers are 56 shuffles. Picking
// the even and the odd places out of two registers, again and again, takes 24. Stone, Parallel
// Processing with the Perfect Shuffle (1971). Registers of 32 bytes, which no single instruction
// shuffles in this way, exchange their halves instead, and the rest is done within 16 bytes.

#include "vector/lanes.h"
#include "vector/shuffles.h"
#include "vector/transpose.h"
#include "vector/wide.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft {

namespace {

class PerfectShuffles {
  public:
    PerfectShuffles(Function &kernel, unsigned registerBits)
        : kernel(kernel), lanes(widthOf(kernel)), registerBits(registerBits) {}

    void expand();

  private:
    bool isWorthIt(const FixedVectorType &all) const;
    SmallVector<ShuffleVectorInst *, 8> partsOf(Value &all) const;
    void takeApart(Instruction &all, ArrayRef<ShuffleVectorInst *> parts);
    void putTogether(ShuffleVectorInst &all, ArrayRef<Value *> vectors);
    unsigned pieceOf(const FixedVectorType &all) const;
    SmallVector<Value *, 8> separate(IRBuilderBase &builder, Value *all, unsigned piece) const;
    Value *join(IRBuilderBase &builder, ArrayRef<Value *> vectors, unsigned piece) const;
    SmallVector<Value *, 8> unzip(IRBuilderBase &builder, ArrayRef<Value *> registers) const;
    SmallVector<Value *, 8> zip(IRBuilderBase &builder, ArrayRef<Value *> vectors) const;

    Function &kernel;
    const unsigned lanes, registerBits;
};

/** One shuffle of two registers takes the place of a chain through all of them. */
bool PerfectShuffles::isWorthIt(const FixedVectorType &all) const {
    const unsigned groups = all.getNumElements() / lanes;
    if (all.getNumElements() % lanes || groups < 4 || !isPowerOf2_32(groups) ||
        all.getScalarSizeInBits() < 8)
        return false;
    const unsigned registers = all.getNumElements() * all.getScalarSizeInBits() / registerBits;
    return registers > Log2_32(groups) + 1;
}

/** The vectors of lanes that are picked out of all elements, by part; empty if few are. */
SmallVector<ShuffleVectorInst *, 8> PerfectShuffles::partsOf(Value &all) const {
    auto *type = dyn_cast<FixedVectorType>(all.getType());
    if (!type || !isWorthIt(*type))
        return {};
    const unsigned groups = type->getNumElements() / lanes;
    SmallVector<ShuffleVectorInst *, 8> parts(groups, nullptr);
    unsigned count = 0;
    for (User *user : all.users()) {
        auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
        size_t elements = 0;
        std::optional<size_t> part = shuffle ? pickedPart(*shuffle, lanes, elements) : std::nullopt;
        if (!part || parts[*part])
            continue;
        parts[*part] = shuffle;
        count++;
    }
    return count > groups / 2 ? parts : SmallVector<ShuffleVectorInst *, 8>();
}

/** Elements side by side in so many vectors: one for every so many-th element. */
SmallVector<Value *, 8> PerfectShuffles::unzip(IRBuilderBase &builder,
                                               ArrayRef<Value *> registers) const {
    if (registers.size() == 1)
        return {registers[0]};
    SmallVector<Value *, 8> halves[2];
    for (size_t index = 0; index < registers.size(); index += 2)
        for (unsigned odd : {0U, 1U})
            halves[odd].push_back(builder.CreateShuffleVector(
                registers[index], registers[index + 1], createStrideMask(odd, 2, lanes)));
    SmallVector<Value *, 8> even = unzip(builder, halves[0]), odd = unzip(builder, halves[1]);
    SmallVector<Value *, 8> vectors;
    for (auto [first, second] : zip_equal(even, odd))
        vectors.append({first, second});
    return vectors;
}

/** The reverse of unzip(). */
SmallVector<Value *, 8> PerfectShuffles::zip(IRBuilderBase &builder,
                                             ArrayRef<Value *> vectors) const {
    if (vectors.size() == 1)
        return {vectors[0]};
    SmallVector<Value *, 8> halves[2];
    for (auto [index, vector] : enumerate(vectors))
        halves[index % 2].push_back(vector);
    SmallVector<Value *, 8> even = zip(builder, halves[0]), odd = zip(builder, halves[1]);
    SmallVector<int, 64> all = createInterleaveMask(lanes, 2);
    SmallVector<Value *, 8> registers;
    for (auto [first, second] : zip_equal(even, odd))
        for (ArrayRef<int> half :
             {ArrayRef(all).take_front(lanes), ArrayRef(all).drop_front(lanes)})
            registers.push_back(builder.CreateShuffleVector(first, second, half));
    return registers;
}

/** Below AVX-512 structures of 16 bytes and more are taken apart within 16 bytes: elements of that;
 *  else 0, and registers are shuffled as a whole. */
unsigned PerfectShuffles::pieceOf(const FixedVectorType &all) const {
    const unsigned piece = pieceBits / all.getScalarSizeInBits();
    const unsigned groups = all.getNumElements() / lanes;
    return registerBits < 512 && piece <= groups && lanes % piece == 0 ? piece : 0;
}

/** Registers of the lanes 0, 4, 8 …, of 1, 5, 9 …, if a piece has four elements; and so on. */
SmallVector<Value *, 8> PerfectShuffles::separate(IRBuilderBase &builder, Value *all,
                                                  unsigned piece) const {
    const unsigned groups = cast<FixedVectorType>(all->getType())->getNumElements() / lanes;
    SmallVector<Value *, 8> vectors;
    for (unsigned from = 0; from < groups; from += piece) {
        SmallVector<Value *, 8> registers;
        for (unsigned first = 0; first < piece; first++) {
            SmallVector<int, 64> places;
            for (unsigned lane = first; lane < lanes; lane += piece)
                for (unsigned index = 0; index < piece; index++)
                    places.push_back(static_cast<int>(lane * groups + from + index));
            registers.push_back(builder.CreateShuffleVector(all, places));
        }
        transposePieces(builder, registers);
        vectors.append(registers);
    }
    return vectors;
}

/** The reverse of separate(). */
Value *PerfectShuffles::join(IRBuilderBase &builder, ArrayRef<Value *> vectors,
                             unsigned piece) const {
    SmallVector<Value *, 8> registers(vectors);
    for (unsigned from = 0; from < vectors.size(); from += piece)
        transposePieces(builder, MutableArrayRef(registers).slice(from, piece));
    SmallVector<int, 64> places;
    for (unsigned lane = 0; lane < lanes; lane++)
        for (unsigned part = 0; part < vectors.size(); part++) {
            const unsigned source = part - part % piece + lane % piece;
            places.push_back(static_cast<int>(source * lanes + lane - lane % piece + part % piece));
        }
    return builder.CreateShuffleVector(concatenateVectors(builder, registers), places);
}

void PerfectShuffles::takeApart(Instruction &all, ArrayRef<ShuffleVectorInst *> parts) {
    IRBuilder<> builder(all.getParent(), *all.getInsertionPointAfterDef());
    SmallVector<Value *, 8> vectors;
    if (unsigned piece = pieceOf(*cast<FixedVectorType>(all.getType()))) {
        vectors = separate(builder, &all, piece);
    } else {
        for (unsigned index = 0; index < parts.size(); index++)
            vectors.push_back(
                builder.CreateShuffleVector(&all, createSequentialMask(index * lanes, lanes, 0)));
        vectors = unzip(builder, vectors);
    }
    for (auto [part, vector] : zip_equal(parts, vectors))
        if (part) {
            part->replaceAllUsesWith(vector);
            part->eraseFromParent();
        }
}

void PerfectShuffles::putTogether(ShuffleVectorInst &all, ArrayRef<Value *> vectors) {
    IRBuilder<> builder(&all);
    const unsigned piece = pieceOf(*cast<FixedVectorType>(all.getType()));
    all.replaceAllUsesWith(piece ? join(builder, vectors, piece)
                                 : concatenateVectors(builder, zip(builder, vectors)));
    all.eraseFromParent();
}

void PerfectShuffles::expand() {
    MapVector<ShuffleVectorInst *, SmallVector<Value *, 8>> together;
    MapVector<Instruction *, SmallVector<ShuffleVectorInst *, 8>> apart;
    for (Instruction &instruction : instructions(kernel)) {
        if (instruction.isTerminator())
            continue;
        if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
            shuffle && isWorthIt(*cast<FixedVectorType>(shuffle->getType())))
            if (SmallVector<Value *, 8> vectors = vectorsOf(*shuffle, lanes); !vectors.empty()) {
                together[shuffle] = std::move(vectors);
                continue;
            }
        if (SmallVector<ShuffleVectorInst *, 8> parts = partsOf(instruction); !parts.empty())
            apart[&instruction] = std::move(parts);
    }
    for (auto &[all, vectors] : together)
        putTogether(*all, vectors);
    for (auto &[all, parts] : apart)
        takeApart(*all, parts);
}

} // namespace

void expandGroups(Function &kernel, unsigned registerBits) {
    PerfectShuffles(kernel, registerBits).expand();
}

} // namespace weft
