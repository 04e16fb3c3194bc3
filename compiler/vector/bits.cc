// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** Bits of an integer, or of a vector of integers, that machines have no access for; 0: they have.
 */
static unsigned oddBits(Type *type) {
    unsigned bits = type->getScalarSizeInBits();
    if (!type->isIntOrIntVectorTy() || (isPowerOf2_32(bits) && bits >= 8 && bits <= 64))
        return 0;
    return static_cast<unsigned>(type->getPrimitiveSizeInBits());
}

/** An access in pieces of 64, 32, 16 and 8 bits, the first of them in the lowest bits. */
class Pieces {
  public:
    Pieces(Instruction &access, Value *pointer, unsigned bits)
        : builder(&access), whole(builder.getIntNTy(alignTo(bits, 8))), access(access),
          pointer(pointer), left(alignTo(bits, 8)) {}

    /** False behind the last one. */
    bool next() {
        start += size;
        left -= size;
        size = left >= 64 ? 64 : left >= 32 ? 32 : left >= 16 ? 16 : 8;
        return left > 0;
    }
    Value *load() { return builder.CreateAlignedLoad(type(), place(), align(), isVolatile()); }
    void store(Value *all) {
        builder.CreateAlignedStore(builder.CreateTrunc(builder.CreateLShr(all, start), type()),
                                   place(), align(), isVolatile());
    }

    IRBuilder<> builder;
    unsigned start = 0, size = 0; /* of the piece, in bits */
    Type *whole;                  /* of all pieces */

  private:
    Type *type() { return builder.getIntNTy(size); }
    Value *place() {
        return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, start / 8);
    }
    Align align() const { return commonAlignment(getLoadStoreAlignment(&access), start / 8); }
    bool isVolatile() const { return access.isVolatile(); }

    Instruction &access;
    Value *pointer;
    unsigned left; /* bits of this piece and those behind it */
};

/** One bit of a vector of bits, which is what such loads are mostly made for. */
static void takeBits(LoadInst &load, const Pieces &pieces, IRBuilder<> &builder, Value *piece) {
    for (User *user : make_early_inc_range(load.users())) {
        auto *extract = dyn_cast<ExtractElementInst>(user);
        auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!index || !extract->getType()->isIntegerTy(1) ||
            index->getZExtValue() - pieces.start >= pieces.size)
            continue;
        Value *shifted = builder.CreateLShr(piece, index->getZExtValue() - pieces.start);
        extract->replaceAllUsesWith(builder.CreateTrunc(shifted, extract->getType()));
        extract->eraseFromParent();
    }
}

static void loadPieces(LoadInst &load, unsigned bits) {
    Pieces pieces(load, load.getPointerOperand(), bits);
    IRBuilder<> &builder = pieces.builder;
    Value *all = nullptr;
    while (pieces.next()) {
        Value *piece = pieces.load();
        takeBits(load, pieces, builder, piece);
        Value *part = builder.CreateShl(builder.CreateZExt(piece, pieces.whole), pieces.start);
        all = all ? builder.CreateOr(all, part) : part;
    }
    all = builder.CreateTrunc(all, builder.getIntNTy(bits));
    load.replaceAllUsesWith(builder.CreateBitCast(all, load.getType()));
    load.eraseFromParent();
}

static void storePieces(StoreInst &store, unsigned bits) {
    Pieces pieces(store, store.getPointerOperand(), bits);
    IRBuilder<> &builder = pieces.builder;
    Value *all = builder.CreateBitCast(store.getValueOperand(), builder.getIntNTy(bits));
    all = builder.CreateZExt(all, pieces.whole);
    while (pieces.next())
        pieces.store(all);
    store.eraseFromParent();
}

void accessWholeBytes(Function &kernel) {
    // Taken apart behind the walk: users of a load go with it, perhaps the very next instruction.
    SmallVector<Instruction *, 8> odd;
    for (Instruction &instruction : instructions(kernel))
        if (isa<LoadInst, StoreInst>(instruction) && !instruction.isAtomic() &&
            oddBits(getLoadStoreType(&instruction)))
            odd.push_back(&instruction);
    for (Instruction *instruction : odd) {
        unsigned bits = oddBits(getLoadStoreType(instruction));
        if (auto *load = dyn_cast<LoadInst>(instruction))
            loadPieces(*load, bits);
        else
            storePieces(cast<StoreInst>(*instruction), bits);
    }
}

} // namespace weft
